/** Puts each event of a journal into words: what happened and what it means. */
import type { Definition, Gate, Item, Items } from '../core/record/definition.ts';
import type { Event, EventOf, RequestKind, Used } from '../core/record/events.ts';
import type { CheckProof, Popped, Verdict } from '../core/record/verdict.ts';
import {
  few,
  duration,
  plural,
  sayCheck,
  sayEscalation,
  sayHooks,
  sayNotBefore,
  sayProtect,
  sayReviewer,
} from '../core/words/phrases.ts';
import { sayOutcome } from '../core/words/seldom.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { accountOf, wasAsked, type HookRecord } from '../core/stop-hooks.ts';
import { asksToClaim, CLAIMS, USUAL_PROMISE } from '../core/gates.ts';
import { isToolSession } from '../core/loop.ts';
import { sayGoalsOf } from '../core/measures.ts';
import type { Plan } from '../core/record/plan.ts';
import { ANSWERERS } from './commands.ts';
import { sayFault } from './fault.ts';
import { ACTORS as BY } from './status.ts';
import { sayCount, sayUsd } from '../core/words/figures.ts';
import { sayAsksBefore, sayOpen } from './to-person.ts';
import { clockTime } from './time.ts';

const SHOWN = 100;
const NAMED = 6;

export function sayEvent(event: Event): string {
  switch (event.type) {
    case 'created': {
      const { definition } = event;
      const passes =
        definition.iterations === null
          ? 'no limit on iterations'
          : `at most ${plural(definition.iterations, 'iteration')}`;
      const name = definition.name === null ? '' : `"${oneLine(definition.name, SHOWN)}" `;
      return `${name}in ${event.project}, ${ACTORS[event.by.hand]}; done when ${sayGates(definition)}${definition.protect.length === 0 ? '' : `, and ${sayProtect(definition.protect)}`}${definition.approvals?.done ? ', and you confirm it' : ''}; ${[...sayAsksBefore(definition.approvals, 'asks you '), passes].join('; ')}`;
    }
    case 'bound':
      return `${sayBinding(event)}: session ${event.session}`;
    case 'taken':
      return `a new pass${event.host === undefined ? '' : ` of ${event.host}`}${event.model === null ? '' : ` with ${oneLine(event.model, SHOWN)}`}: session ${event.session}`;
    case 'identified':
      return `its session is ${event.session}`;
    case 'moved':
      return `to machine ${event.machine}, in ${event.project}`;
    case 'prompted':
      return 'a prompt continues the loop';
    case 'stop':
      return `the agent stops (stop ${event.n})`;
    case 'verdict':
      return [sayVerdict(event.verdict), ...news(event)].join('; ');
    case 'lost':
      return `stop ${event.n} was not judged: ${LOSSES[event.why]}; it spends nothing`;
    case 'paused':
      return PAUSES[event.why] ?? ACTORS[event.by];
    case 'resumed':
      return `${ACTORS[event.by]}${event.iterations === null ? '' : `, with a limit of ${plural(event.iterations, 'iteration')}`}`;
    case 'interrupted':
      if (event.why === 'gone') return 'the process of its session is gone';
      return `${event.why === 'fault' ? 'the host reported an error' : 'the session ended'} (${oneLine(event.detail, SHOWN)})`;
    case 'cancelled':
      return event.by === 'view' ? 'its state file was deleted' : ACTORS[event.by];
    case 'aborted':
      return `${oneLine(event.detail, 2 * SHOWN)}${event.evidence === null ? '' : `; kept in ${event.evidence}`}`;
    case 'amended': {
      const { add = [], remove = [] } = event.checks ?? {};
      const changes = [
        event.prompt === null ? null : 'a new prompt',
        event.iterations === null ? null : `max_iterations is now ${event.iterations}`,
        ...add.map((check) => `with check ${sayCheck(check)}`),
        ...remove.map((command) => `without check ${sayCheck({ name: null, command })}`),
        event.promise === undefined ? null : `the promise is now ${oneLine(event.promise, SHOWN)}`,
      ];
      return changes.filter((words) => words !== null).join(', ') || 'nothing';
    }
    case 'bounded':
      return [
        event.timeMs === null ? null : `${duration(event.timeMs)} of work`,
        event.costUsd === null ? null : sayUsd(event.costUsd),
        event.tokens === null ? null : `${sayCount(event.tokens)} tokens`,
      ]
        .filter((words) => words !== null)
        .join(', ');
    case 'altered': {
      const files = few(event.files, (file) => oneLine(file, SHOWN), NAMED).join(', ');
      return event.by === 'unknown'
        ? `amended by an unknown hand: ${files}`
        : `the protected files are accepted as they are, ${ACTORS[event.by]}: ${files || 'nothing new'}`;
    }
    case 'shortened': {
      const items = few(event.items, (item) => oneLine(item, SHOWN), NAMED).join(', ');
      const file = oneLine(event.file, SHOWN);
      if (event.by !== 'unknown') return `${file} is accepted as it is, ${ACTORS[event.by]}`;
      return event.count === 0
        ? `${file} holds again what was missing`
        : `amended by an unknown hand: ${file} lacks ${plural(event.count, 'item')} without a turn: ${items}`;
    }
    case 'pushed': {
      const { frame, by } = event;
      return frame.item === null
        ? `an inner frame (${frame.mode}), ${ACTORS[by]}; done when ${sayGates(frame)}`
        : sayBegins(frame.item);
    }
    case 'compacted':
      return 'the host compacted the context; the agent gets its brief again';
    case 'woken':
      return `nothing else continued the loop after stop ${event.n}, so Da Capo woke the session`;
    case 'planned':
      return `${sayContext(event.plan)}; a pass may take ${duration(event.plan.passMs)}, and be silent for ${duration(event.plan.silenceMs)}`;
    case 'faulted':
      return `${sayFault(event.fault)}: ${oneLine(event.detail, 2 * SHOWN)}${event.until === null ? '' : `; tried again at ${clockTime(event.until)}`}`;
    case 'held':
      return `waits until ${clockTime(event.until)} (${event.for})`;
    case 'spent':
      return `the pass that was cut short used ${sayUse(event.used)}`;
    case 'slept':
      return `the run stood still for ${duration(event.ms)}, which is not working time`;
    case 'recorded':
      return `the work after iteration ${event.iteration} is ${event.onBranch ? 'committed' : 'kept'} as ${event.commit.slice(0, 12)}`;
    case 'viewed':
      return event.kind === 'markdown'
        ? `its state file is ${event.file}`
        : `its ${event.kind} view is ${event.file}`;
    case 'asked':
      return few(accountOf(event), sayAccount, NAMED).join('; ') || 'no stop hook could be asked';
    case 'reviewed':
      return sayReview(event);
    case 'checkpointed':
      return `stop hook ${oneLine(event.hook, SHOWN)} keeps ${event.file}${event.phase === null ? '' : ` (${oneLine(event.phase, SHOWN)})`}`;
    case 'requested':
      return `${event.id}: ${ASKED[event.kind]}: ${oneLine(event.what.text, 2 * SHOWN)}; open until ${clockTime(event.expires)}`;
    case 'answered':
      return `${event.id}: ${event.answer === 'text' ? 'answered' : event.answer}, ${ANSWERERS[event.by]}${event.note === '' ? '' : `: ${oneLine(event.note, 2 * SHOWN)}`}`;
    case 'expired':
      return `${event.id}: nobody answered in time`;
    case 'released':
      return `${event.id}: Da Capo lets the approved call through, once`;
    case 'steered':
      return `${{ ...ACTORS, ...ANSWERERS }[event.by]}: ${oneLine(event.words, 2 * SHOWN)}`;
    case 'told':
      return `the agent is told: ${few(event.ids, (id) => oneLine(id, SHOWN), NAMED).join(', ')}`;
    case 'restored':
      return `${ACTORS[event.by]}, from checkpoint ${event.file}`;
    case 'said':
      return `the agent says that it is ${event.what}: ${oneLine(event.words, 2 * SHOWN)}`;
    case 'noted':
      return `the agent notes: ${oneLine(event.words, 2 * SHOWN)}`;
  }
}

/** How an event feels, for a colour or a mark. */
export type EventTone = 'plain' | 'good' | 'warning' | 'bad' | 'person';

/** What is left out is no news for a reader: other events tell it, or it is our own bookkeeping. */
const TONES: Readonly<Partial<Record<Event['type'], EventTone>>> = {
  created: 'plain',
  bound: 'plain',
  moved: 'plain',
  pushed: 'plain',
  compacted: 'plain',
  checkpointed: 'plain',
  restored: 'plain',
  noted: 'plain',
  said: 'plain',
  held: 'plain',
  answered: 'person',
  steered: 'person',
  resumed: 'person',
  paused: 'person',
  amended: 'person',
  bounded: 'person',
  altered: 'warning',
  shortened: 'warning',
  interrupted: 'warning',
  faulted: 'warning',
  lost: 'warning',
  requested: 'warning',
  expired: 'warning',
  cancelled: 'bad',
  aborted: 'bad',
};

export function toneOf(event: Event): EventTone | null {
  if (event.type === 'held' && event.for === 'pause') return null;
  const isAccepted = (event.type === 'altered' || event.type === 'shortened') && event.by !== 'unknown';
  return isAccepted ? 'person' : (TONES[event.type] ?? null);
}

function sayBinding({ how, process, session }: EventOf<'bound'>): string {
  if (isToolSession(session) && how === 'command') return 'started by a program, which drives it';
  return how === 'start' && process !== null ? 'taken up by the host' : BINDINGS[how];
}

export function sayVerdict(verdict: Verdict): string {
  if (verdict.is === 'allow') return `allow: ${ALLOWED[verdict.why]}${sayLook(verdict)}`;
  const popped = sayAllPopped(verdict);
  if (verdict.is === 'continue') {
    const words = [
      ...popped,
      ...(verdict.item === null ? [] : [sayBegins(verdict.item)]),
      ...few(verdict.missing, sayOpen, NAMED),
    ];
    return words.length === 0 ? 'continue' : `continue: ${words.join('; ')}`;
  }
  return [`${verdict.is}: ${sayEnding(verdict)}`, ...popped].join('; ');
}

function sayEnding(verdict: Exclude<Verdict, { is: 'allow' | 'continue' }>): string {
  if (verdict.is === 'escalate') return sayEscalation(verdict.why);
  if (verdict.is === 'complete')
    return `the gates hold${verdict.unchanged ? ', though nothing was changed' : ''}`;
  return verdict.limit === 'stagnation' ? `no progress: ${verdict.detail}` : LIMITS[verdict.limit];
}

function sayBegins({ n, of, title }: Item): string {
  return `item ${n} of ${of} begins: ${oneLine(title, SHOWN)}`;
}

function sayAllPopped({ popped = [] }: { readonly popped?: readonly Popped[] }): string[] {
  return popped.map(({ mode, outcome, why, item, iterations }) => {
    const what = item === null ? `inner frame (${mode})` : `item "${oneLine(item, SHOWN)}"`;
    return `${what} popped after ${plural(iterations, 'iteration')}, ${outcome}: ${oneLine(why, SHOWN)}`;
  });
}

/** What was proven. What was not proven is already listed as missing. */
function news({ proofs, sights, used }: EventOf<'verdict'>): string[] {
  return [
    ...(used === null ? [] : [`used ${sayUse(used)}`]),
    ...proofs.filter(({ outcome }) => outcome.is === 'passed').map(sayProof),
    ...sights.filter(({ holds }) => holds).map(({ says }) => oneLine(says, 2 * SHOWN)),
  ];
}

export function sayAccount(account: HookRecord): string {
  const hook = oneLine(account.hook, SHOWN);
  if (!wasAsked(account)) return `${hook} ${account.is === 'disabled' ? 'is disabled' : 'was not reached'}`;
  const { is, action, reason, ms } = account;
  const verdict =
    is === 'abstained' ? 'abstains' : is === 'answered' ? `says ${action}` : is.replace('-', ' ');
  return `${hook} ${verdict}: ${oneLine(reason, 2 * SHOWN)} (${ms} ms)`;
}

function sayReview(event: EventOf<'reviewed'>): string {
  const { asked, answer, words, used, ms } = event;
  const said = few(words, (one) => oneLine(one, 2 * SHOWN), NAMED).join('; ');
  const cost = used === null ? '' : `${sayUse(used)}, `;
  return `${sayReviewer(event)} got ${oneLine(asked, 2 * SHOWN)}; ${REVIEWS[answer]}: ${said} (${cost}${duration(ms)})`;
}

const REVIEWS: Readonly<Record<EventOf<'reviewed'>['answer'], string>> = {
  approved: 'it approves',
  objected: 'it objects',
  unreached: 'it could not be reached',
};

export function sayUse({ costUsd, tokens }: Used): string {
  return `${sayUsd(costUsd)}, ${sayCount(tokens)} tokens`;
}

export function sayProof({ name, command, outcome, ms }: CheckProof): string {
  return `${sayCheck({ name, command })} ${sayOutcome(outcome)} (${duration(ms)})`;
}

type Gated = Pick<Definition, 'mode' | 'gates' | 'require' | 'atLeast' | 'confirm' | 'measures' | 'items'>;

export function sayGates(frame: Gated): string {
  const { mode, gates, require, items } = frame;
  const all = [
    ...(items === null ? [] : [sayItems(items)]),
    ...(asksToClaim({ gates, items }) ? [`<promise>${USUAL_PROMISE}</promise>`] : []),
    ...gates.flatMap((gate) => (gate.kind === 'measures' ? sayGoalsOf(frame) : [sayGate(gate, mode)])),
  ];
  return all.join(require === 'any' ? ' or ' : ' and ') + sayNotBefore(frame);
}

function sayItems({ from, most }: Items): string {
  const list = from.is === 'file' ? from.file : `\`${from.command}\``;
  return `every item of ${oneLine(list, SHOWN)} had its turn (at most ${most})`;
}

function sayGate(gate: Exclude<Gate, { kind: 'measures' }>, mode: Definition['mode']): string {
  switch (gate.kind) {
    case 'signal':
      return CLAIMS[mode];
    case 'promise':
      return `<promise>${oneLine(gate.text, SHOWN)}</promise>`;
    case 'check':
      return `${sayCheck(gate)} passes${gate.begun === 'passed' ? ' (as it did before the first iteration)' : ''}`;
    case 'features':
      return `every item of ${oneLine(gate.file, SHOWN)} passes`;
    case 'moved':
      return `${oneLine(gate.baseline.file, SHOWN)} is in ${oneLine(gate.baseline.folder, SHOWN)}`;
    case 'hooks':
      return sayHooks(gate);
    case 'review':
      return `${sayReviewer(gate)} approves`;
  }
}

const ALLOWED: Readonly<Record<Extract<Verdict, { is: 'allow' }>['why'], string>> = {
  queue: 'what a person typed waits in the queue, and comes first',
  background: 'background work still runs',
  approval: 'a person was asked, and has not answered yet',
  'not-yet': 'only a check that says "not yet" is missing',
};

function sayLook({ why, until }: Extract<Verdict, { is: 'allow' }>): string {
  return why === 'not-yet' && until !== null ? `; the next look is at ${clockTime(until)}` : '';
}

const ASKED: Readonly<Record<RequestKind, string>> = {
  approval: 'may the agent do this',
  question: 'the agent asks',
  completion: 'a person confirms the completion',
  acceptance: 'a person accepts what no gate can show',
};

const ACTORS = { ...BY, page: 'by a person on the page', view: 'by its state file' };

const BINDINGS: Readonly<Record<EventOf<'bound'>['how'], string>> = {
  command: 'started by a slash command',
  mcp: 'started over MCP',
  start: 'started by dacapo start',
  prompt: 'its prompt was given',
  adopt: 'adopted',
  clear: 'the session was cleared; the loop moved along',
  takeover: 'taken over: its process was gone',
};

function sayContext({ context }: Plan): string {
  if (context.is === 'same') return 'one session for all passes';
  return context.every === 1 && context.of === 'iterations'
    ? 'a new agent for each pass'
    : `a new agent after ${plural(context.every, context.of === 'iterations' ? 'iteration' : 'feature')}`;
}

const LOSSES: Readonly<Record<EventOf<'lost'>['why'], string>> = {
  died: 'the process that judged it died',
  terminated: 'the process that judged it was stopped',
  orphaned: 'the host was gone',
};

const PAUSES: Readonly<Partial<Record<EventOf<'paused'>['why'], string>>> = {
  prompt: 'the person typed a prompt of their own',
  clear: 'the session was cleared',
};

const LIMITS: Readonly<Record<Exclude<Extract<Verdict, { is: 'exhaust' }>['limit'], 'stagnation'>, string>> =
  {
    iterations: 'the iterations are used up',
    items: 'as many items as were allowed have had their turn',
    time: 'the time is used up',
    staleness: 'nothing happened for too long',
    cost: 'the money is used up',
    tokens: 'the tokens are used up',
  };
