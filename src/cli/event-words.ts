/** Each event of a journal in words: what happened, and what it means. */
import type { By, CheckProof, Definition, Event, EventOf, Gate, Verdict } from '../core/events.ts';
import { few } from '../core/few.ts';
import { oneLine } from '../core/harmless.ts';
import { duration, plural, sayEscalation, sayOutcome, sayProtect } from '../core/say.ts';
import { sayOpen } from '../core/words-to-person.ts';

const SHOWN = 100;
const NAMED = 6;

export function sayEvent(event: Event): string {
  switch (event.type) {
    case 'created': {
      const { definition } = event;
      const passes =
        definition.iterations === null
          ? 'no limit of iterations'
          : `at most ${plural(definition.iterations, 'iteration')}`;
      const name = definition.name === null ? '' : `"${oneLine(definition.name, SHOWN)}" `;
      return `${name}in ${event.project}, ${HANDS[event.by.hand]}; done when ${sayGates(definition)}${definition.protect.length === 0 ? '' : `, and ${sayProtect(definition.protect)}`}; ${passes}`;
    }
    case 'bound':
      return `${event.how === 'start' && event.process !== null ? 'taken up by the host' : BINDINGS[event.how]}: session ${event.session}${event.process === null ? '' : `, process ${event.process}`}`;
    case 'prompted':
      return 'a prompt carries the loop on';
    case 'stop':
      return `the agent stops (stop ${event.n}, heard by process ${event.process})`;
    case 'verdict':
      return [sayVerdict(event.verdict), ...news(event)].join('; ');
    case 'lost':
      return `stop ${event.n} was not judged: ${LOSSES[event.why]}; it spends nothing`;
    case 'paused':
      return PAUSES[event.why] ?? HANDS[event.by];
    case 'resumed':
      return `${HANDS[event.by]}${event.iterations === null ? '' : `, with a limit of ${plural(event.iterations, 'iteration')}`}`;
    case 'interrupted':
      return event.why === 'session-end'
        ? `the session ended (${oneLine(event.detail, SHOWN)})`
        : `the host reported an error (${oneLine(event.detail, SHOWN)})`;
    case 'cancelled':
      return event.by === 'view' ? 'its state file was deleted' : HANDS[event.by];
    case 'aborted':
      return `${oneLine(event.detail, 2 * SHOWN)}${event.evidence === null ? '' : `; kept in ${event.evidence}`}`;
    case 'amended': {
      const limit = event.iterations === null ? [] : [`max_iterations is now ${event.iterations}`];
      return [...(event.prompt === null ? [] : ['a new prompt']), ...limit].join(', ') || 'nothing';
    }
    case 'altered': {
      const files = few(event.files, (file) => oneLine(file, SHOWN), NAMED).join(', ');
      return event.by === 'unknown'
        ? `amended by an unknown hand: ${files}`
        : `the protected files are accepted as they are, ${HANDS[event.by]}: ${files || 'nothing new'}`;
    }
    case 'compacted':
      return 'the host compacted the context; the agent gets its brief again';
    case 'woken':
      return `nothing else carried the loop on: the session is woken after stop ${event.n}`;
    case 'viewed':
      return `its state file is ${event.file}`;
  }
}

export function sayVerdict(verdict: Verdict): string {
  switch (verdict.is) {
    case 'continue':
      return `continue${verdict.missing.length === 0 ? '' : `: ${few(verdict.missing, sayOpen, NAMED).join('; ')}`}`;
    case 'complete':
      return 'complete: the gates hold';
    case 'escalate':
      return `escalate: ${sayEscalation(verdict.why)}`;
    case 'exhaust':
      return `exhaust: ${LIMITS[verdict.limit]}`;
    case 'allow':
      return verdict.why === 'queue'
        ? 'allow: what a person typed waits in the queue, and comes first'
        : 'allow: background work still runs';
  }
}

/** What was proven. What was not is among what is missing already. */
function news({ proofs, sights }: EventOf<'verdict'>): string[] {
  return [
    ...proofs.filter(({ outcome }) => outcome.is === 'passed').map(sayProof),
    ...sights.filter(({ holds }) => holds).map(({ says }) => oneLine(says, 2 * SHOWN)),
  ];
}

export function sayProof({ command, outcome, ms }: CheckProof): string {
  return `\`${oneLine(command, SHOWN)}\` ${sayOutcome(outcome)} (${duration(ms)})`;
}

export function sayGates({
  gates,
  require,
  atLeast,
}: Pick<Definition, 'gates' | 'require' | 'atLeast'>): string {
  const notBefore = atLeast > 1 ? `, not before iteration ${atLeast}` : '';
  return gates.map(sayGate).join(require === 'any' ? ' or ' : ' and ') + notBefore;
}

function sayGate(gate: Gate): string {
  switch (gate.kind) {
    case 'promise':
      return `<promise>${oneLine(gate.text, SHOWN)}</promise>`;
    case 'check':
      return `\`${oneLine(gate.command, SHOWN)}\` passes`;
    case 'features':
      return `every item of ${oneLine(gate.file, SHOWN)} passes`;
    case 'moved':
      return `${oneLine(gate.baseline.file, SHOWN)} is in ${oneLine(gate.baseline.folder, SHOWN)}`;
  }
}

const HANDS: Readonly<Record<By, string>> = {
  session: 'from the session',
  terminal: 'from a terminal',
  view: 'by its state file',
  agent: 'by the agent itself, on the command line',
  host: 'by the host',
};

const BINDINGS: Readonly<Record<Extract<Event, { type: 'bound' }>['how'], string>> = {
  command: 'started by a slash command',
  start: 'started by dacapo start',
  prompt: 'its prompt was given',
  adopt: 'adopted',
  clear: 'the session was cleared; the loop moved along',
  takeover: 'taken over from a dead process',
  fresh: 'a new agent takes it up',
};

const LOSSES: Readonly<Record<Extract<Event, { type: 'lost' }>['why'], string>> = {
  died: 'whoever heard it died',
  terminated: 'whoever heard it was told to end',
  orphaned: 'the host was gone',
};

const PAUSES: Readonly<Partial<Record<Extract<Event, { type: 'paused' }>['why'], string>>> = {
  prompt: 'the person typed a prompt of their own',
  clear: 'the session was cleared',
};

const LIMITS: Readonly<Record<Extract<Verdict, { is: 'exhaust' }>['limit'], string>> = {
  iterations: 'the iterations are used up',
  time: 'the time is used up',
  staleness: 'nothing happened for too long',
};
