/**
 * The stack view: the frames of a loop as one line of JSON, the message of the topic `loop:current`; and its
 * fallback file, which shows the current frame as front matter above the prompt. Others may only ABORT it.
 */
import { oneLine } from '#base/words/sanitize.ts';
import { framesOf, type Frame, type Loop, type Status } from '#law/loop.ts';
import type { Mode } from '#law/record/definition.ts';
import { asShown, iterationShown } from '#telling/person/status.ts';
import { isRecord, oneOf, text, textOrNull } from '#base/shape.ts';
import { parseFrontMatter, scalar } from '../markdown/format.ts';
import type { ViewChange } from '../view.ts';

/** We never continue an older state. */
const STALE_MS = 7_200_000;
/** No limit. Readers of the format compare with a number. */
const UNLIMITED = 999_999_999;
/** The limits of frames that name none. */
const STACK_ITERATIONS: Readonly<Record<Mode, number>> = { loop: 10, issue: 10, grind: 100 };

/** A loop that waits keeps its frames: only an ending empties the stack. */
export function stackEvent(status: Status) {
  const { is } = status;
  if (is === 'cancelled') return { event: 'ABORT', reason: 'USER_CANCELLED' };
  if (is === 'aborted') return { event: 'ABORT', reason: 'CORRUPTED' };
  if (is === 'completed') return { event: 'DONE', reason: 'COMPLETE' };
  if (is === 'exhausted') return { event: 'DONE', reason: EXHAUSTED[status.limit] };
  if (is === 'stuck' && status.limit === 'staleness') return { event: 'DONE', reason: 'STALE' };
  if (is === 'stuck' || is === 'escalated') return { event: 'DONE', reason: 'STUCK' };
  return { event: 'STATE', reason: null };
}

const EXHAUSTED = {
  iterations: 'MAX_ITERATIONS',
  items: 'MAX_ISSUES',
  time: 'MAX_TIME',
  cost: 'MAX_COST',
  tokens: 'MAX_TOKENS',
} as const;

export function renderStack(loop: Loop, promptFile: (frame: Frame) => string): string {
  const shown = asShown(loop);
  const { event, reason } = stackEvent(shown.status);
  const frames = framesOf(shown).map((frame, k) => ({
    id: k === 0 ? shown.id : `${shown.id}-${k + 1}`,
    mode: frame.mode,
    iter: frame.passes + 1,
    max: frame.iterations ?? UNLIMITED,
    prompt_file: promptFile(frame),
  }));
  return JSON.stringify({
    schema: 1,
    event,
    ...(reason === null ? {} : { reason }),
    run_id: shown.id,
    updated_at: shown.updatedAt,
    stack: event === 'STATE' ? frames : [],
  });
}

export type StackFrame = Exclude<ReturnType<typeof readFrame>, string>;

export type StackState =
  | { readonly is: 'idle'; readonly runId: string | null }
  | {
      readonly is: 'active';
      readonly runId: string | null;
      readonly updatedAt: string | null;
      /** The outermost first. */
      readonly frames: readonly StackFrame[];
      /** The fallback file holds the prompt itself. */
      readonly prompt: string | null;
    }
  | { readonly is: 'done'; readonly runId: string | null; readonly reason: string | null }
  /** Ended by an ABORT, or because the state can't be trusted. */
  | { readonly is: 'aborted' | 'garbage'; readonly runId: string | null; readonly why: string };

export function readStackState(content: string): StackState {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return corrupt('it is not JSON', null);
  }
  return isRecord(value) ? stateOf(value, value['stack'] ?? [], null) : corrupt('it is not an object', null);
}

export function readIdleState(content: string): StackState {
  const parsed = parseFrontMatter(content);
  if (!parsed.ok) return corrupt(parsed.why, null);
  const fields = Object.fromEntries(parsed.fields);
  const { active, event, run_id: id, mode, iteration: iter, max_iterations: max } = fields;
  if (active !== 'true' && event !== 'DONE' && event !== 'ABORT') return { is: 'idle', runId: id ?? null };
  const state = { ...fields, schema: fields['schema'] ?? 1 };
  return stateOf(state, event === 'DONE' ? [] : [{ id, mode, iter, max }], parsed.body);
}

function stateOf(value: Record<string, unknown>, stack: unknown, prompt: string | null): StackState {
  const runId = textOrNull(value['run_id']);
  const reason = textOrNull(value['reason']);
  const event = value['event'] ?? 'STATE';
  if (event === 'ABORT')
    return { is: 'aborted', runId, why: reason === null ? 'ABORT' : oneLine(reason, 200) };
  // A state is valid only with this field.
  if (value['schema'] === undefined || value['schema'] === null) return corrupt('schema is missing', runId);
  if (event === 'DONE') return { is: 'done', runId, reason };
  if (event !== 'STATE') return corrupt('event is none of STATE, DONE, ABORT', runId);
  if (!Array.isArray(stack)) return corrupt('stack is not a list', runId);
  const frames: StackFrame[] = [];
  for (const item of stack) {
    const frame = readFrame(item);
    if (typeof frame === 'string') return corrupt(frame, runId);
    frames.push(frame);
  }
  if (frames.length === 0) return { is: 'idle', runId };
  return { is: 'active', runId, updatedAt: readInstant(value['updated_at']), frames, prompt };
}

function corrupt(why: string, runId: string | null): StackState {
  return { is: 'garbage', runId, why };
}

const isMode = oneOf('loop', 'issue', 'grind');
const isField = oneOf('id', 'mode', 'iter', 'max', 'prompt_file');

/** A string says why it is not a frame. */
function readFrame(value: unknown) {
  if (!isRecord(value)) return 'a frame is not an object';
  const mode = isMode(value['mode']) ? value['mode'] : 'loop';
  const iteration = counter(value['iter'], 1);
  if (iteration === null) return `iter is not a number: ${oneLine(JSON.stringify(value['iter']), 40)}`;
  const max = counter(value['max'], STACK_ITERATIONS[mode]);
  if (max === null || max === 0)
    return `max is not a positive number: ${oneLine(JSON.stringify(value['max']), 40)}`;
  return {
    id: textOrNull(value['id']),
    mode,
    iteration,
    iterations: max >= UNLIMITED ? 'unlimited' : max,
    promptFile: textOrNull(value['prompt_file']),
    /** The parts that we ignore: names of fields, and an unknown mode. */
    besides: [
      ...(isMode(value['mode'] ?? 'loop') ? [] : [`mode ${oneLine(JSON.stringify(value['mode']), 40)}`]),
      ...Object.keys(value).filter((name) => !isField(name)),
    ],
  } as const;
}

/** A number, or digits in quotes, which a shell reads the same. Null: anything else. */
function counter(value: unknown, unless: number): number | null {
  if (value === undefined || value === null) return unless;
  const digits = typeof value === 'number' || text(value) ? String(value) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** With `Z` or an offset. Without either it is UTC by the format's rule, not local time. */
function readInstant(value: unknown): string | null {
  const written = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(
    text(value) ? value.trim() : '',
  );
  const [, time, zone = 'Z'] = written ?? [];
  if (time === undefined) return null;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const ms = Date.parse(`${time.replace(' ', 'T')}${offset}`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Safety invariant 1. A state of unknown age is not fresh. */
export function isStateStale({ updatedAt }: { readonly updatedAt: string | null }, now: string): boolean {
  return updatedAt === null || Date.parse(now) - Date.parse(updatedAt) > STALE_MS;
}

/** What others have done to the state since `last`, the previous rendering; null where that is unknown. */
export function readStack(content: string, loop: Loop, last: string | null): ViewChange {
  return readingOf(readStackState(content), loop, readStackState(last ?? ''));
}

/** The same for the fallback file, where `active: false` also means ABORT. */
export function readIdle(content: string, loop: Loop, last: string | null): ViewChange {
  const now = readIdleState(content);
  const asked: StackState =
    now.is === 'idle' ? { is: 'aborted', runId: now.runId, why: 'active is not true' } : now;
  return readingOf(asked, loop, readIdleState(last ?? ''));
}

function readingOf(now: StackState, loop: Loop, before: StackState): ViewChange {
  if (now.runId !== null && now.runId !== loop.id) return { is: 'foreign' };
  // After a resume, the ABORT in the file may be our own.
  if (now.is === 'garbage' || (now.is === 'aborted' && before.is !== 'aborted'))
    return { is: now.is, why: now.why };
  return { is: 'untouched' };
}

/** The fallback file, with the fields that shell scripts look for. */
export function renderIdle(loop: Loop, prompt: string): string {
  const shown = asShown(loop);
  const { frame } = shown;
  const { event, reason } = stackEvent(shown.status);
  return [
    '---\n',
    `active: ${event === 'STATE'}\n`,
    `mode: ${frame.mode}\n`,
    `iteration: ${iterationShown(shown)}\n`,
    `max_iterations: ${frame.iterations ?? UNLIMITED}\n`,
    'schema: 1\n',
    `event: ${event}\n`,
    reason === null ? '' : `reason: ${reason}\n`,
    `run_id: ${scalar(shown.id)}\n`,
    `updated_at: ${scalar(shown.updatedAt)}\n`,
    `---\n${prompt}`,
  ].join('');
}
