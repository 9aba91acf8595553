/**
 * The progress view: three lines of a `progress.txt` that otherwise belongs to the agent and to people. We
 * change only these lines, and only where they are out of date. People may change `Max Iterations`.
 *
 * Our text is ASCII only: read and written as latin1, a file of any encoding keeps its bytes.
 */
import { oneLine } from '#base/words/sanitize.ts';
import { type Loop, type Status } from '#law/loop.ts';
import { asShown, iterationShown } from '#telling/person/status.ts';
import type { Attempt } from '#base/shape.ts';
import type { LimitRead, ViewChange } from '../view.ts';

/** The limit of a progress file that names none. */
export const PROGRESS_ITERATIONS = 15;

/** The format's three words describe the task. A cancelled task is unfinished. */
export function progressStatus({ is }: Status): string {
  if (is === 'completed') return 'COMPLETE';
  return is === 'exhausted' || is === 'stuck' ? 'REACHED_LIMIT' : 'IN_PROGRESS';
}

const KEYS = ['Status', 'Iteration', 'Max Iterations'] as const;
type Key = (typeof KEYS)[number];

/** `before`: the file as it is now; null where there is none. */
export function renderProgress(loop: Loop, before: string | null): string {
  const shown = asShown(loop);
  const values: Readonly<Record<Key, string>> = {
    Status: progressStatus(shown.status),
    Iteration: String(iterationShown(shown)),
    'Max Iterations': String(loop.frame.iterations ?? 'unlimited'),
  };
  const lineOf = (key: Key) => `${key}: ${values[key]}`;
  if (before === null || before.trim() === '')
    return `# Progress of ${shown.id}\n\n${KEYS.map(lineOf).join('\n')}\n\n## Notes\n\n`;
  let content = before;
  const absent: Key[] = [];
  for (const key of KEYS) {
    const line = findLine(content, key);
    if (line === null) {
      absent.push(key);
      continue;
    }
    const written = firstWord(line.value) === values[key] ? line.value : values[key];
    content = content.slice(0, line.from) + written + content.slice(line.from + line.value.length);
  }
  return absent.length === 0 ? content : withLines(content, absent.map(lineOf), endOf(content));
}

/** Where our last line ends; null: there is none. */
function endOf(content: string): number | null {
  const ends = KEYS.flatMap((key) => {
    const line = findLine(content, key);
    return line === null ? [] : [line.from + line.value.length];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}

/** An agent that rewrites its notes may lose a line. We put it back below the others, else at the top. */
function withLines(content: string, lines: readonly string[], end: number | null): string {
  const newline = content.includes('\r\n') ? '\r\n' : '\n';
  const added = lines.join(newline);
  if (end !== null) return `${content.slice(0, end)}${newline}${added}${content.slice(end)}`;
  const [mark = ''] = new RegExp(`^${BYTE_ORDER_MARK}`).exec(content) ?? [];
  return `${mark}${added}${newline}${newline}${content.slice(mark.length)}`;
}

/** As itself, and as latin1 shows it. */
const BYTE_ORDER_MARK = '(?:\uFEFF|\u00EF\u00BB\u00BF)';

type OwnLine = Readonly<ReturnType<typeof linesOf>[number]>;

/** The first line of that name. A status must be near the others: notes are full of them. */
function findLine(content: string, key: Key): OwnLine | null {
  return key === 'Status' ? findStatus(content) : (linesOf(content, key)[0] ?? null);
}

/** A Markdown mark may precede it. `.` and `$` stop before CR and LF alike. */
function linesOf(content: string, key: Key) {
  const line = new RegExp(`^(${BYTE_ORDER_MARK}?[ \\t]*(?:[-*+#>]+[ \\t]+)?${key}:[ \\t]*)(.*)$`, 'gm');
  return [...content.matchAll(line)].map(({ index, 1: head = '', 2: value = '' }) => ({
    from: index + head.length,
    value,
  }));
}

const OUR_STATUS = /^(?:IN_PROGRESS|COMPLETE|REACHED_LIMIT)(?![\w-])/;
/** How far the three lines may be from each other, and a lone status from the top. */
const NEAR_LINES = 4;
const NEAR_CHARS = 400;
const BESIDE_LINES = 2;

/**
 * A status is near the counters; without counters, at the top of the file. One with another word
 * (`NOT_STARTED`) is the status only right beside them: farther away it is a note of a person or an agent.
 */
function findStatus(content: string): OwnLine | null {
  const counters = (['Iteration', 'Max Iterations'] as const).flatMap((key) => findLine(content, key) ?? []);
  const anchors = counters.length === 0 ? [0] : counters.map(({ from }) => from);
  const within = (lines: number) => (line: OwnLine) =>
    anchors.some((anchor) => isNear(content, anchor, line.from, lines));
  const all = linesOf(content, 'Status');
  const ours = all.filter(({ value }) => OUR_STATUS.test(value)).find(within(NEAR_LINES));
  return ours ?? (counters.length === 0 ? null : (all.find(within(BESIDE_LINES)) ?? null));
}

function isNear(content: string, a: number, b: number, lines: number): boolean {
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return to - from <= NEAR_CHARS && content.slice(from, to).split(/\r\n|\n|\r/).length <= lines;
}

function firstWord(value: string): string {
  return /^\S*/.exec(value)?.[0] ?? '';
}

/** What the three lines of a file say; null: it has no such line. */
export interface ProgressLines extends LimitRead {
  readonly status: string | null;
  readonly iteration: number | null;
}

export function readProgressLines(content: string): Attempt<ProgressLines> {
  const limit = readLimit(content);
  if (!limit.ok) return limit;
  const raw = findLine(content, 'Iteration')?.value ?? null;
  const iteration = raw === null ? null : /^\d{1,9}(?!\d)/.exec(raw)?.[0];
  if (iteration === undefined)
    return { ok: false, why: `Iteration is not a number: ${oneLine(raw ?? '', 40)}` };
  const status = findLine(content, 'Status')?.value ?? null;
  return {
    ok: true,
    status: status === null ? null : firstWord(status),
    iteration: iteration === null ? null : Number(iteration),
    iterations: limit.iterations,
  };
}

/** What follows the number is a remark. */
function readLimit(content: string): Attempt<LimitRead> {
  const raw = findLine(content, 'Max Iterations')?.value ?? null;
  if (raw === null) return { ok: true, iterations: null };
  if (/^unlimited\b/i.test(raw)) return { ok: true, iterations: 'unlimited' };
  const digits = /^0*([1-9]\d{0,8})(?!\d)/.exec(raw)?.[1];
  return digits === undefined
    ? { ok: false, why: `Max Iterations is not a positive number: ${oneLine(raw, 40)}` }
    : { ok: true, iterations: Number(digits) };
}

/**
 * What a person has changed since `last`, the previous rendering; null where that is unknown. If the limit
 * was changed elsewhere meanwhile, the old limit in the file is not an edit.
 */
export function readProgress(content: string, loop: Loop, last: string | null): ViewChange {
  const now = readLimit(content);
  if (!now.ok) return { is: 'garbage', why: now.why };
  const before = readLimit(last ?? '');
  const rendered = before.ok ? before.iterations : null;
  const current = loop.frame.iterations ?? 'unlimited';
  if (now.iterations === null || now.iterations === (rendered ?? current) || now.iterations === current)
    return { is: 'untouched' };
  return { is: 'edited', prompt: null, iterations: now.iterations };
}
