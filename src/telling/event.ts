/** Puts each event of a journal into words: what happened and what it means. */
import type { Definition, Gate, Item, Items } from '#law/record/definition.ts';
import type { Event, EventOf, RequestKind } from '#law/record/events.ts';
import type { CheckProof, Popped, Verdict } from '#law/record/verdict.ts';
import {
  sayPlanted,
  few,
  duration,
  plural,
  sayCheck,
  sayEscalation,
  sayHooks,
  sayNotBefore,
  sayProtect,
  sayReviewer,
} from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { accountOf, wasAsked, type HookRecord } from '#law/proof/stop-hooks.ts';
import { asksToClaim, CLAIMS, USUAL_PROMISE } from '#law/gates.ts';
import { isToolSession } from '#law/loop.ts';
import { sayGoalsOf, sayWanted } from '#law/measures.ts';
import type { Plan } from '#law/record/plan.ts';
import { ANSWERERS } from './commands.ts';
import { sayFault } from './person/fault.ts';
import { ACTORS as BY } from './person/status.ts';
import { sayCount, sayUsd, sayUse } from '#law/words/figures.ts';
import { sayAsksBefore, sayOpen } from './person/to-person.ts';
import { clockTime } from './time.ts';

const SHOWN = 100;
const NAMED = 6;

export function sayEvent<K extends Event['type']>(event: EventOf<K>): string {
  return WORDS[event.type](event);
}

const WORDS: { readonly [K in Event['type']]: (event: EventOf<K>) => string } = {
  created: ({ definition, project, by }) => {
    const { iterations, protect, approvals } = definition;
    const passes =
      iterations === null ? 'no limit on iterations' : `at most ${plural(iterations, 'iteration')}`;
    const name = definition.name === null ? '' : `"${oneLine(definition.name, SHOWN)}" `;
    const kept = protect.length === 0 ? '' : `, and ${sayProtect(protect)}`;
    const confirmed = approvals?.done ? ', and you confirm it' : '';
    const limits = [...sayAsksBefore(approvals, 'asks you '), passes].join('; ');
    return (
      `${name}in ${project}, ${ACTORS[by.actor]}; done when ${sayGates(definition)}${kept}${confirmed}; ` +
      `${limits}`
    );
  },
  bound: (event) => `${sayBinding(event)}: session ${event.session}`,
  taken: ({ host, model, session }) =>
    'a new ' +
    `pass${host === undefined ? '' : ` of ${host}`}${model === null ? '' : ` with ${oneLine(model, SHOWN)}`}: ` +
    `session ${session}`,
  identified: ({ session }) => `its session is ${session}`,
  moved: ({ machine, project }) => `to machine ${machine}, in ${project}`,
  prompted: () => 'a prompt continues the loop',
  stop: ({ n }) => `the agent stops (stop ${n})`,
  verdict: (event) => [sayVerdict(event.verdict), ...news(event)].join('; '),
  lost: ({ n, why }) => `stop ${n} was not judged: ${LOSSES[why]}; it spends nothing`,
  paused: ({ why, by }) => PAUSES[why] ?? ACTORS[by],
  resumed: ({ by, iterations }) =>
    `${ACTORS[by]}${iterations === null ? '' : `, with a limit of ${plural(iterations, 'iteration')}`}`,
  interrupted: ({ why, detail }) =>
    why === 'gone'
      ? 'the process of its session is gone'
      : `${why === 'fault' ? 'the host reported an error' : 'the session ended'} (${oneLine(detail, SHOWN)})`,
  cancelled: ({ by }) => (by === 'view' ? 'its state file was deleted' : ACTORS[by]),
  aborted: ({ detail, evidence }) =>
    `${oneLine(detail, 2 * SHOWN)}${evidence === null ? '' : `; kept in ${evidence}`}`,
  amended: ({ prompt, iterations, checks, promise, measures }) => {
    const { add = [], remove = [] } = checks ?? {};
    const changes = [
      prompt !== null && 'a new prompt',
      iterations !== null && `max_iterations is now ${iterations}`,
      ...add.map((check) => `with check ${sayCheck(check)}`),
      ...remove.map((command) => `without check ${sayCheck({ name: null, command })}`),
      promise !== undefined && `the promise is now ${oneLine(promise, SHOWN)}`,
      measures !== undefined && `the measures are now ${sayWanted(measures)}`,
    ];
    return changes.filter(Boolean).join(', ') || 'nothing';
  },
  bounded: ({ timeMs, costUsd, tokens }) =>
    [
      timeMs !== null && `${duration(timeMs)} of work`,
      costUsd !== null && sayUsd(costUsd),
      tokens !== null && `${sayCount(tokens)} tokens`,
    ]
      .filter(Boolean)
      .join(', '),
  altered: (event) => {
    const files = named(event.files);
    return event.by === 'unknown'
      ? `amended by an unknown hand: ${files}`
      : `the protected files are accepted as they are, ${ACTORS[event.by]}: ${files || 'nothing new'}`;
  },
  shortened: ({ items, by, count, ...event }) => {
    const file = oneLine(event.file, SHOWN);
    if (by !== 'unknown') return `${file} is accepted as it is, ${ACTORS[by]}`;
    return count === 0
      ? `${file} holds again what was missing`
      : `amended by an unknown hand: ${file} lacks ${plural(count, 'item')} without a turn: ${named(items)}`;
  },
  pushed: ({ frame, by }) =>
    frame.item === null
      ? `an inner frame (${frame.mode}), ${ACTORS[by]}; done when ${sayGates(frame)}`
      : sayBegins(frame.item),
  compacted: () => 'the host compacted the context; the agent gets its brief again',
  woken: ({ n }) => `nothing else continued the loop after stop ${n}, so Da Capo woke the session`,
  planned: ({ plan }) =>
    `${sayContext(plan)}; a pass may take ${duration(plan.passMs)}, and be silent for ` +
    `${duration(plan.silenceMs)}`,
  planted: (event) => sayPlanted(event),
  faulted: ({ fault, detail, until }) =>
    `${sayFault(fault)}: ` +
    `${oneLine(detail, 2 * SHOWN)}${until === null ? '' : `; tried again at ${clockTime(until)}`}`,
  held: (event) => `waits until ${clockTime(event.until)} (${event.for})`,
  spent: ({ used }) => `the pass that was cut short used ${sayUse(used)}`,
  slept: ({ ms }) => `the run stood still for ${duration(ms)}, which is not working time`,
  recorded: ({ iteration, onBranch, commit }) =>
    `the work after iteration ${iteration} is ${onBranch ? 'committed' : 'kept'} as ${commit.slice(0, 12)}`,
  viewed: ({ kind, file }) => `its ${kind === 'markdown' ? 'state file' : `${kind} view`} is ${file}`,
  asked: (event) => few(accountOf(event), sayAccount, NAMED).join('; ') || 'no stop hook could be asked',
  reviewed: ({ asked, answer, words, used, ms, ...event }) =>
    `${sayReviewer(event)} got ${oneLine(asked, SHOWN)}; ${REVIEWS[answer]}: ` +
    `${few(words, (one) => oneLine(one, 2 * SHOWN), NAMED).join('; ')} ` +
    `(${used === null ? '' : `${sayUse(used)}, `}${duration(ms)})`,
  checkpointed: ({ hook, file, phase }) =>
    `stop hook ${oneLine(hook, SHOWN)} keeps ${file}${phase === null ? '' : ` (${oneLine(phase, SHOWN)})`}`,
  requested: ({ id, kind, what, expires }) =>
    `${id}: ${ASKED[kind]}: ${oneLine(what.text, 2 * SHOWN)}; open until ${clockTime(expires)}`,
  answered: ({ id, answer, by, note }) =>
    `${id}: ${answer === 'text' ? 'answered' : answer}, ` +
    `${ANSWERERS[by]}${note === '' ? '' : `: ${oneLine(note, 2 * SHOWN)}`}`,
  expired: ({ id }) => `${id}: nobody answered in time`,
  released: ({ id }) => `${id}: Da Capo lets the approved call through, once`,
  steered: ({ by, words }) => `${{ ...ACTORS, ...ANSWERERS }[by]}: ${oneLine(words, 2 * SHOWN)}`,
  refused: ({ act, words }) => `${act}: ${oneLine(words, 2 * SHOWN)}`,
  told: ({ ids }) => `the agent is told: ${named(ids)}`,
  restored: ({ by, file }) => `${ACTORS[by]}, from checkpoint ${file}`,
  said: ({ what, words }) => `the agent says that it is ${what}: ${oneLine(words, 2 * SHOWN)}`,
  noted: ({ words }) => `the agent notes: ${oneLine(words, 2 * SHOWN)}`,
};

function named(all: readonly string[]): string {
  return few(all, (one) => oneLine(one, SHOWN), NAMED).join(', ');
}

export type EventTone = 'plain' | 'good' | 'warning' | 'bad' | 'person';

/** What is left out is no news for a reader: other events tell it, or it is our own bookkeeping. */
const TONES: readonly (readonly [EventTone, readonly Event['type'][]])[] = [
  ['plain', ['created', 'bound', 'moved', 'pushed', 'compacted', 'checkpointed', 'restored']],
  ['plain', ['noted', 'said', 'held']],
  ['person', ['answered', 'steered', 'resumed', 'paused', 'amended', 'bounded']],
  ['warning', ['altered', 'shortened', 'interrupted', 'faulted', 'lost', 'requested', 'expired', 'refused']],
  ['bad', ['cancelled', 'aborted']],
];

export function toneOf(event: Event): EventTone | null {
  if (event.type === 'held' && event.for === 'pause') return null;
  const isAccepted = (event.type === 'altered' || event.type === 'shortened') && event.by !== 'unknown';
  return isAccepted ? 'person' : (TONES.find(([, types]) => types.includes(event.type))?.[0] ?? null);
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
function news({ proofs, gateResults, used }: EventOf<'verdict'>): string[] {
  return [
    ...(used === null ? [] : [`used ${sayUse(used)}`]),
    ...proofs.filter(({ outcome }) => outcome.is === 'passed').map(sayProof),
    ...gateResults.filter(({ holds }) => holds).map(({ says }) => oneLine(says, 2 * SHOWN)),
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

const REVIEWS: Readonly<Record<EventOf<'reviewed'>['answer'], string>> = {
  approved: 'it approves',
  objected: 'it objects',
  unreached: 'it could not be reached',
};

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
      return (
        `${sayCheck(gate)} ` +
        `passes${gate.begun === 'passed' ? ' (as it did before the first iteration)' : ''}`
      );
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
