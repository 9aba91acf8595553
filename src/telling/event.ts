/** Puts each event of a journal into words: what happened and what it means. */
import type { Event, EventOf, RequestKind } from '#law/record/events.ts';
import { sayPlanted, few, duration, plural, sayCheck, sayProtect, sayReviewer } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { accountOf } from '#law/proof/stop-hooks.ts';
import { isToolSession } from '#law/loop.ts';
import { sayWanted } from '#law/measures.ts';
import type { Plan } from '#law/record/plan.ts';
import { sayGates } from './gates.ts';
import { ANSWERERS } from './person/answerers.ts';
import { sayFault } from './person/fault.ts';
import { ACTORS as BY } from './person/status.ts';
import { sayCount, sayUsd, sayUse } from '#law/words/figures.ts';
import { sayAsksBefore } from './person/to-person.ts';
import { evidenceNameOf } from './story/evidence-name.ts';
import { clockTime } from './time.ts';
import { sayAccount, sayBegins, sayCheckProof, sayVerdict } from './verdict.ts';
import { sayReserve, sayWindow } from './person/reserve.ts';

const MAX_NAME_CHARS = 100;
const MAX_SENTENCE_CHARS = 200;
const MAX_PARTS_LISTED = 6;

export type ToldEvent = Readonly<ReturnType<typeof tellEvent>>;

/** One event as every screen tells it. `isNews`: it belongs into a story. */
export function tellEvent(event: Event) {
  const tone = toneOf(event);
  const evidence = 'evidence' in event ? evidenceNameOf(event.evidence) : null;
  const { at, type } = event;
  return { at, type, says: sayEvent(event), tone: tone ?? 'plain', evidence, isNews: tone !== null };
}

export function sayEvent<K extends Event['type']>(event: EventOf<K>): string {
  return SAY[event.type](event);
}

const SAY: { readonly [K in Event['type']]: (event: EventOf<K>) => string } = {
  created: ({ definition, project, by }) => {
    const { iterations, protect, approvals } = definition;
    const passes =
      iterations === null ? 'no limit on iterations' : `at most ${plural(iterations, 'iteration')}`;
    const name = definition.name === null ? '' : `"${oneLine(definition.name, MAX_NAME_CHARS)}" `;
    const kept = protect.length === 0 ? '' : `, and ${sayProtect(protect)}`;
    const confirmed = approvals?.done ? ', and you confirm it' : '';
    const limits = [...sayAsksBefore(approvals, 'asks you '), passes].join('; ');
    return (
      `${name}in ${project}, ${ACTORS[by.actor]}; done when ${sayGates(definition)}${kept}${confirmed}; ` +
      `${limits}`
    );
  },
  bound: (event) => `${sayBinding(event)}: session ${event.session}`,
  taken: ({ host, model, session }) => {
    const whose = host === undefined ? '' : ` of ${host}`;
    const withModel = model === null ? '' : ` with ${oneLine(model, MAX_NAME_CHARS)}`;
    return `a new pass${whose}${withModel}: session ${session}`;
  },
  identified: ({ session }) => `its session is ${session}`,
  moved: ({ machine, project }) => `to machine ${machine}, in ${project}`,
  prompted: () => 'a prompt continues the loop',
  stop: ({ n }) => `the agent stops (stop ${n})`,
  verdict: (event) => [sayVerdict(event.verdict), ...news(event)].join('; '),
  lost: ({ n, why }) => `stop ${n} was not judged: ${LOSSES[why]}; it spends nothing`,
  paused: ({ why, by }) => PAUSES[why] ?? ACTORS[by],
  resumed: ({ by, iterations }) =>
    `${ACTORS[by]}${iterations === null ? '' : `, with a limit of ${plural(iterations, 'iteration')}`}`,
  interrupted: ({ why, detail }) => {
    if (why === 'gone') return 'the process of its session is gone';
    if (why === 'reserve') return oneLine(detail, MAX_SENTENCE_CHARS);
    const what = why === 'fault' ? 'the host reported an error' : 'the session ended';
    return `${what} (${oneLine(detail, MAX_NAME_CHARS)})`;
  },
  cancelled: ({ by }) => (by === 'view' ? 'its state file was deleted' : ACTORS[by]),
  aborted: ({ detail, evidence }) =>
    `${oneLine(detail, MAX_SENTENCE_CHARS)}${evidence === null ? '' : `; kept in ${evidence}`}`,
  amended: ({ prompt, iterations, checks, promise, measures }) => {
    const { add = [], remove = [] } = checks ?? {};
    const changes = [
      prompt !== null && 'a new prompt',
      iterations !== null && sayIterationLimit(iterations),
      ...add.map((check) => `with check ${sayCheck(check)}`),
      ...remove.map((command) => `without check ${sayCheck({ name: null, command })}`),
      promise !== undefined && `the promise is now ${oneLine(promise, MAX_NAME_CHARS)}`,
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
    const file = oneLine(event.file, MAX_NAME_CHARS);
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
    `${oneLine(detail, MAX_SENTENCE_CHARS)}${until === null ? '' : `; tried again at ${clockTime(until)}`}`,
  held: ({ until, reserve, for: what }) =>
    `waits until ${clockTime(until)} (${reserve === undefined ? what : sayReserve(reserve)})`,
  metered: ({ host, windows }) => `${host} tells: ${windows.map(sayWindow).join(', ')}`,
  spent: ({ used }) => `the pass that was cut short used ${sayUse(used)}`,
  slept: ({ ms }) => `the run was suspended for ${duration(ms)}, which is not working time`,
  recorded: ({ iteration, onBranch, commit }) =>
    `the work after iteration ${iteration} is ${onBranch ? 'committed' : 'kept'} as ${commit.slice(0, 12)}`,
  viewed: ({ kind, file }) => `its ${kind === 'markdown' ? 'state file' : `${kind} view`} is ${file}`,
  asked: (event) =>
    few(accountOf(event), sayAccount, MAX_PARTS_LISTED).join('; ') || 'no stop hook could be asked',
  reviewed: ({ asked, answer, words, used, ms, ...event }) =>
    `${sayReviewer(event)} got ${oneLine(asked, MAX_NAME_CHARS)}; ${REVIEWS[answer]}: ` +
    `${few(words, (one) => oneLine(one, MAX_SENTENCE_CHARS), MAX_PARTS_LISTED).join('; ')} ` +
    `(${used === null ? '' : `${sayUse(used)}, `}${duration(ms)})`,
  checkpointed: ({ hook, file, phase }) =>
    `stop hook ${oneLine(hook, MAX_NAME_CHARS)} keeps ${file}` +
    (phase === null ? '' : ` (${oneLine(phase, MAX_NAME_CHARS)})`),
  requested: ({ id, kind, what, expires }) =>
    `${id}: ${ASKED[kind]}: ${oneLine(what.text, MAX_SENTENCE_CHARS)}; open until ${clockTime(expires)}`,
  answered: ({ id, answer, by, note }) =>
    `${id}: ${answer === 'text' ? 'answered' : answer}, ` +
    `${ANSWERERS[by]}${note === '' ? '' : `: ${oneLine(note, MAX_SENTENCE_CHARS)}`}`,
  expired: ({ id }) => `${id}: nobody answered in time`,
  released: ({ id }) => `${id}: Da Capo lets the approved call through, once`,
  steered: ({ by, words }) => `${{ ...ACTORS, ...ANSWERERS }[by]}: ${oneLine(words, MAX_SENTENCE_CHARS)}`,
  refused: ({ act, words }) => `${act}: ${oneLine(words, MAX_SENTENCE_CHARS)}`,
  told: ({ ids }) => `the agent is told: ${named(ids)}`,
  restored: ({ by, file }) => `${ACTORS[by]}, from checkpoint ${file}`,
  said: ({ what, words }) => `the agent says that it is ${what}: ${oneLine(words, MAX_SENTENCE_CHARS)}`,
  noted: ({ words }) => `the agent notes: ${oneLine(words, MAX_SENTENCE_CHARS)}`,
  pruned: () => 'dacapo prune removes its record',
};

function named(all: readonly string[]): string {
  return few(all, (one) => oneLine(one, MAX_NAME_CHARS), MAX_PARTS_LISTED).join(', ');
}

export type EventTone = 'plain' | 'good' | 'warning' | 'bad' | 'person';

/** What is left out is no news: other events tell it, or it is our own bookkeeping. */
const TONES: readonly (readonly [EventTone, readonly Event['type'][]])[] = [
  ['plain', ['created', 'bound', 'moved', 'pushed', 'compacted', 'checkpointed', 'restored']],
  ['plain', ['noted', 'said', 'held']],
  ['person', ['answered', 'steered', 'resumed', 'paused', 'amended', 'bounded']],
  ['warning', ['altered', 'shortened', 'interrupted', 'faulted', 'lost', 'requested', 'expired', 'refused']],
  ['bad', ['cancelled', 'aborted']],
];

function toneOf(event: Event): EventTone | null {
  if (event.type === 'held' && event.for === 'pause') return null;
  const isAccepted = (event.type === 'altered' || event.type === 'shortened') && event.by !== 'unknown';
  return isAccepted ? 'person' : (TONES.find(([, types]) => types.includes(event.type))?.[0] ?? null);
}

function sayBinding({ how, process, session }: EventOf<'bound'>): string {
  if (isToolSession(session) && how === 'command') return 'started by a program, which drives it';
  return how === 'start' && process !== null ? 'picked up by the host' : BINDINGS[how];
}

/** What was proven. What was not proven is already listed as missing. */
function news({ proofs, gateResults, used }: EventOf<'verdict'>): string[] {
  return [
    ...(used === null ? [] : [`used ${sayUse(used)}`]),
    ...proofs.filter(({ outcome }) => outcome.is === 'passed').map(sayCheckProof),
    ...gateResults.filter(({ holds }) => holds).map(({ says }) => oneLine(says, MAX_SENTENCE_CHARS)),
  ];
}

const REVIEWS: Readonly<Record<EventOf<'reviewed'>['answer'], string>> = {
  approved: 'it approves',
  objected: 'it objects',
  unreached: 'it could not be reached',
};

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

function sayIterationLimit(limit: number | 'unlimited'): string {
  return limit === 'unlimited' ? 'no limit of iterations now' : `at most ${plural(limit, 'iteration')} now`;
}
