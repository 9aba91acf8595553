/**
 * Folds the events of a run into a state of bounded size. What has ended leaves it as an entry of the
 * scrollback.
 */
import type { Closing, Entry, EntryMark, MarkedText, ScrollbackEntry } from './entry.ts';
import { foldOutput, type Folded, type FoldShape, labelForScreen } from './terminal/clean-text.ts';
import type { GateSeen, RunEvent } from '#engine/run-event.ts';
import { isCostKnown, sayCost } from '#law/words/figures.ts';
import { plural } from '#law/words/phrases.ts';
import { failingLines } from '#telling/failing.ts';
import { sayFault } from '#telling/person/fault.ts';
import { sayWait, took, type Wait } from './phrases.ts';

/** What is known before the first event. A resumed loop already has iterations and costs. */
export interface Setting {
  readonly gates: readonly GateSeen[];
  readonly budgetUsd: number | null;
  readonly workedMs: number;
  readonly costUsd: number | null;
  /** The cost is estimated from tokens: the host tells none. */
  readonly estimated?: boolean | undefined;
  readonly tokens: number;
  /** How long a host may be silent before its pass is ended; null: forever. */
  readonly silenceMs: number | null;
  /** Where the agent works: paths below it are shown without it. */
  readonly folder?: string;
}

export interface AtWork {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly since: number;
}

export interface ScreenState extends Setting {
  readonly iteration: number;
  readonly iterations: number | null;
  readonly workingSince: number | null;
  readonly context: number | null;
  readonly missing: readonly string[];
  readonly wait: Wait | null;
  readonly tools: readonly AtWork[];
  readonly checks: readonly AtWork[];
  /** Checks of this iteration whose result was already shown: a verdict does not repeat it. */
  readonly checked: readonly { readonly label: string; readonly passed: boolean | null }[];
  /** A check said "not yet", and the checks run again without the agent. */
  readonly isLookingAgain: boolean;
  /** Since when nothing was heard of a host at work; null: none is at work. */
  readonly silentSince: number | null;
  readonly hasEnded: boolean;
  readonly lastKind: Entry['kind'] | null;
}

export interface ScreenStep {
  readonly state: ScreenState;
  readonly told: readonly ScrollbackEntry[];
}

const SAID: FoldShape = { head: 150, tail: 50, line: 20_000 };
const OUTPUT_OK: FoldShape = { head: 2, tail: 2, line: 2_000 };
/** The end of a failed output says why it failed. */
const OUTPUT_FAILED: FoldShape = { head: 2, tail: 6, line: 2_000 };
const FAILED_LINES = OUTPUT_FAILED.head + OUTPUT_FAILED.tail;
const NO_OUTPUT: Folded = { head: [], hidden: 0, tail: [] };
/** More than any real session. A host that never reports the end of a tool must not fill the memory. */
const MAX_TOOLS_AT_WORK = 50;
const MAX_GATES_KEPT = 50;

const NONE: Setting = { gates: [], budgetUsd: null, workedMs: 0, costUsd: null, tokens: 0, silenceMs: null };

export function initialScreen(setting = NONE): ScreenState {
  return {
    ...setting,
    gates: setting.gates.map(readGate),
    iteration: 0,
    iterations: null,
    workingSince: null,
    context: null,
    missing: [],
    wait: null,
    tools: [],
    checks: [],
    checked: [],
    isLookingAgain: false,
    silentSince: null,
    hasEnded: false,
    lastKind: null,
  };
}

export function workedAt(state: ScreenState, now: number): number {
  return state.workedMs + (state.workingSince === null ? 0 : Math.max(0, now - state.workingSince));
}

export function step(state: ScreenState, event: RunEvent): ScreenStep {
  // The reason of the ending is the last thing shown, even if an event comes late.
  if (state.hasEnded) return { state, told: [] };
  const at = Date.parse(event.at);
  const silentSince = silentAfter(state, event, at);
  const next = stepTo(state, event, at);
  return { ...next, state: { ...next.state, silentSince } };
}

const HOST_RESTS: readonly RunEvent['is'][] = ['checks-begin', 'judged', 'waits', 'fault', 'ends'];
/** While the host works, these are our own words. */
const OURS: readonly RunEvent['is'][] = ['warning', 'committed'];

function silentAfter({ silentSince }: ScreenState, { is }: RunEvent, at: number): number | null {
  if (is === 'iteration-begins') return at;
  if (HOST_RESTS.includes(is)) return null;
  return silentSince === null || OURS.includes(is) ? silentSince : at;
}

function stepTo(state: ScreenState, event: RunEvent, at: number): ScreenStep {
  switch (event.is) {
    case 'begins':
      return tellEntries(state, [{ kind: 'begins', text: foldOutput(event.text, SAID) }]);
    case 'iteration-begins': {
      const { iteration, iterations, model, feature, item } = event;
      const parts = [
        iterations === null ? `iteration ${iteration}` : `iteration ${iteration} of ${iterations}`,
        ...[item, feature, model].filter((part) => part !== null).map(labelForScreen),
      ];
      const now = { ...atWork(state, at), iteration, iterations, context: null, wait: null };
      return tellEntries(idle({ ...now, checked: [], isLookingAgain: false }), [
        ...unfinished(state),
        { kind: 'heading', parts },
      ]);
    }
    case 'says': {
      const text = foldOutput(event.text, SAID);
      return tellEntries(heardFrom(state), text.head.length === 0 ? [] : [{ kind: 'says', text }]);
    }
    case 'tool': {
      const [name, summary] = [labelForScreen(event.name), labelForScreen(event.summary)];
      const tools = [...state.tools, { id: event.id, name, summary, since: at }].slice(-MAX_TOOLS_AT_WORK);
      return tellEntries({ ...heardFrom(state), tools }, []);
    }
    case 'tool-ended': {
      const { id, failed, text, lines } = event;
      const tool = state.tools.find((one) => one.id === id);
      const next = { ...heardFrom(state), tools: state.tools.filter((one) => one !== tool) };
      return tellEntries(next, [
        {
          kind: 'work',
          mark: failed ? 'failed' : 'ok',
          name: tool?.name ?? 'a tool',
          summary: tool?.summary ?? '',
          aside: '',
          output: foldOutput(text, failed ? OUTPUT_FAILED : OUTPUT_OK, lines),
        },
      ]);
    }
    case 'subagent': {
      const [name, what] = [labelForScreen(event.name), labelForScreen(event.what)];
      const summary = what === '' ? name : `${name}: ${what}`;
      return tellEntries(heardFrom(state), [
        { kind: 'work', mark: 'open', name: 'agent', summary, aside: '', output: NO_OUTPUT },
      ]);
    }
    case 'host-retry': {
      const why = labelForScreen(event.why);
      const wait: Wait = { for: 'host', until: at + event.inMs, why };
      const text = `the host tries again, attempt ${event.attempt}${why === '' ? '' : `: ${why}`}`;
      return tellEntries({ ...state, wait }, [noteEntry('open', text)]);
    }
    case 'checks-begin': {
      const checks = event.commands
        .slice(0, MAX_TOOLS_AT_WORK)
        .map((command) => ({ id: command, name: '', summary: labelForScreen(command), since: at }));
      return tellEntries({ ...idle(heardFrom(state)), checks }, unfinished(state));
    }
    case 'check-ended':
      return checked(state, event, at);
    case 'judged':
      return judged(state, event);
    case 'waits': {
      const until = event.until === null ? null : Date.parse(event.until);
      const wait: Wait = { for: event.for, until, why: labelForScreen(event.why) };
      const text = sayWait(wait, until === null ? null : until - at);
      // A pause between iterations is not worth a line.
      const isNews = event.for !== 'pause';
      const next = { ...atRest(state, at), wait, isLookingAgain: event.for === 'check' };
      return tellEntries(next, isNews ? [noteEntry('open', text)] : []);
    }
    case 'goes-on': {
      const text = labelForScreen(event.why ?? '');
      const next = { ...atWork(state, at), wait: null };
      return tellEntries(next, text === '' ? [] : [noteEntry('open', text)]);
    }
    case 'usage': {
      const { costUsd, tokens, contextTokens: used, contextWindow: room } = event;
      const context = used === null || room === null || room <= 0 ? null : used / room;
      const cost = costUsd === null ? {} : { costUsd, estimated: event.isEstimate === true };
      return tellEntries({ ...state, ...cost, tokens, context }, []);
    }
    case 'warning':
      return tellEntries(state, [noteEntry('warning', labelForScreen(event.text))]);
    case 'committed': {
      const text = `committed ${labelForScreen(event.sha).slice(0, 10)}, ${plural(event.files, 'file')}`;
      return tellEntries(state, [noteEntry('open', text)]);
    }
    case 'fault': {
      const text = `${labelForScreen(sayFault(event.class))}: ${labelForScreen(event.why)}`;
      return tellEntries(idle(state), [...unfinished(state), noteEntry('failed', text)]);
    }
    case 'ends': {
      const last: ScreenState = { ...idle(atRest(state, at)), wait: null, hasEnded: true };
      return tellEntries(last, [...unfinished(state), { kind: 'ending', closing: closingOf(last, event) }]);
    }
  }
}

function closingOf(
  { costUsd, estimated, budgetUsd, tokens, missing }: ScreenState,
  { status, reason, iterations, workedMs, next }: Extract<RunEvent, { is: 'ends' }>,
): Closing {
  const open = status === 'completed' ? [] : missing;
  const said = { reason: labelForScreen(reason), next: next === null ? null : labelForScreen(next) };
  const spent = { costUsd: costUsd ?? 0, estimated };
  const isKnown = isCostKnown(spent, budgetUsd);
  // Before the first iteration has ended, nothing that we know of was paid for.
  const cost = isKnown || iterations > 0 ? sayCost(spent, budgetUsd) : null;
  return { status, iterations, workedMs, cost, tokens, open, ...said };
}

function tellEntries(state: ScreenState, entries: readonly Entry[]): ScreenStep {
  let { lastKind } = state;
  const told = entries.map((entry) => {
    const air = lastKind !== null && (entry.kind !== lastKind || entry.kind === 'says');
    lastKind = entry.kind;
    return { entry, air };
  });
  return { state: { ...state, lastKind }, told };
}

function noteEntry(mark: EntryMark, text: string): Entry {
  return { kind: 'note', mark, text };
}

function checked(
  state: ScreenState,
  event: Extract<RunEvent, { is: 'check-ended' }>,
  at: number,
): ScreenStep {
  const { command, passed, measured, ms, tail } = event;
  const index = state.checks.findIndex((one) => one.id === command);
  // Checks run one after another, so the time of the next one begins now.
  const checks = state.checks.filter((_, n) => n !== index).map((one) => ({ ...one, since: at }));
  const output =
    passed === true || measured
      ? NO_OUTPUT
      : foldOutput(failingLines(tail, FAILED_LINES).join('\n'), OUTPUT_FAILED);
  const label = labelForScreen(command);
  if (state.isLookingAgain && state.checked.some((one) => one.label === label && one.passed === passed))
    return tellEntries({ ...state, checks }, []);
  const others = state.checked.filter((one) => one.label !== label);
  const summary = measured && tail !== '' ? `${label}: ${labelForScreen(tail)}` : label;
  // Whether a measure holds is told by the verdict.
  const checked = measured ? others : [...others, { label, passed }].slice(-MAX_GATES_KEPT);
  return tellEntries({ ...state, checks, checked }, [
    { kind: 'check', mark: markOfHolding(passed), name: '', summary, aside: took(ms), output },
  ]);
}

const VERDICT_MARKS = {
  continue: 'open',
  complete: 'ok',
  escalate: 'warning',
  exhaust: 'failed',
  allow: 'open',
} as const;

function judged(state: ScreenState, event: Extract<RunEvent, { is: 'judged' }>): ScreenStep {
  const gates = event.gates.slice(0, MAX_GATES_KEPT).map(readGate);
  const missing = event.missing.slice(0, MAX_GATES_KEPT).map(labelForScreen);
  const hold = gates.filter(({ holds }) => holds === true);
  const open = gates.filter(({ holds }) => holds !== true);
  // Show what is missing in full; if there is no such text, show the gates.
  const lacks: MarkedText[] =
    missing.length > 0 ? missing.map((text) => ({ mark: 'failed', text })) : open.map(sayGate);
  const { checked } = state;
  const lines = [
    ...hold
      .filter(({ gate, wanted }) => gate !== 'check' || !checked.some(({ label }) => label.includes(wanted)))
      .map(sayGate),
    ...lacks.filter(({ text }) => !checked.some(({ label }) => text.startsWith(`check ${label}`))),
  ];
  const text = labelForScreen(event.words);
  return tellEntries({ ...idle(state), gates, missing, isLookingAgain: false }, [
    ...unfinished(state),
    { kind: 'judged', mark: VERDICT_MARKS[event.verdict], text, lines },
  ]);
}

const TELLING = 'features moved hooks measures review protected confirmed'.split(' ');

/** Null: not tested, or not to be had yet. */
export function markOfHolding(holds: boolean | null): EntryMark {
  if (holds === null) return 'open';
  return holds ? 'ok' : 'failed';
}

function sayGate(gate: GateSeen): MarkedText {
  const { wanted, seen } = gate;
  if (seen === null || seen === '')
    return { mark: markOfHolding(gate.holds), text: `${gate.gate} ${wanted}` };
  // What was seen of these says what was wanted, too.
  const text = TELLING.includes(gate.gate) ? seen : `${wanted}: ${seen}`;
  return { mark: markOfHolding(gate.holds), text: text.includes(gate.gate) ? text : `${gate.gate} ${text}` };
}

function readGate({ gate, wanted, holds, seen }: GateSeen): GateSeen {
  return { gate, wanted: labelForScreen(wanted), holds, seen: seen === null ? null : labelForScreen(seen) };
}

function atWork(state: ScreenState, at: number): ScreenState {
  return state.workingSince === null ? { ...state, workingSince: at } : state;
}

function atRest(state: ScreenState, at: number): ScreenState {
  return { ...state, workedMs: workedAt(state, at), workingSince: null };
}

/** The host answers, so its own retries are over. */
function heardFrom(state: ScreenState): ScreenState {
  return state.wait?.for === 'host' ? { ...state, wait: null } : state;
}

function idle(state: ScreenState): ScreenState {
  return state.tools.length + state.checks.length === 0 ? state : { ...state, tools: [], checks: [] };
}

function unfinished({ tools, checks }: ScreenState): Entry[] {
  return [...tools, ...checks].map(({ name, summary }) => {
    return { kind: 'work', mark: 'open', name, summary, aside: 'not finished', output: NO_OUTPUT };
  });
}
