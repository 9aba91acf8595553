/**
 * The markdown view: a loop as front matter and its prompt. People may change the prompt and the limit. A
 * digest distinguishes their text from ours, and the number of the rendering distinguishes an edit from an
 * old state.
 */
import { hash } from '#base/hash.ts';
import { promiseOf } from '#law/gates.ts';
import { type Loop, type Revision } from '#law/loop.ts';
import { asShown, iterationShown } from '#telling/person/status.ts';
import { escapeCharacter } from '#base/words/sanitize.ts';
import type { Attempt } from '#base/shape.ts';
import type { LimitRead, ViewChange } from '../view.ts';

const HEADING = `# Da Capo keeps this file. Delete it to cancel the loop; edit the
# prompt below the second --- line, or max_iterations, to change what it does from the next iteration on.
`;
const NO_DIGEST = 'digest: ""\n';
const LOOP_ID = /^loop_id: "?([\w.-]+)/m;
const SESSION_ID = /^session_id: "?([\w.-]+)/m;
const DIGEST = '\ndigest: "';

export function renderMarkdown(loop: Loop, prompt: string): string {
  const shown = asShown(loop);
  const { frame } = shown;
  const head = [
    '---\n',
    HEADING,
    `iteration: ${iterationShown(shown)}\n`,
    `max_iterations: ${frame.iterations ?? 'unlimited'}\n`,
    `completion_promise: ${scalar(promiseOf(frame))}\n`,
    `session_id: ${scalar(shown.session.owner?.session ?? null)}\n`,
    `loop_id: ${scalar(shown.id)}\n`,
    `status: ${shown.status.is}\n`,
    `started_at: ${scalar(shown.startedAt)}\n`,
    `updated_at: ${scalar(shown.updatedAt)}\n`,
    `rendering: ${shown.events}\n`,
  ].join('');
  const digest = hash(`${head}${NO_DIGEST}---\n${prompt}`);
  return `${head}digest: "${digest}"\n---\n${prompt}`;
}

/** What a person has changed, compared with the rendering that they edited. */
export function readMarkdown(content: string, loop: Loop, promptOf: (key: string) => string): ViewChange {
  if (isRendering(content, loop)) return { is: 'untouched' };
  const parsed = parseFrontMatter(content);
  if (!parsed.ok) return garbage(parsed.why);
  const owner = parsed.fields.get('loop_id') ?? null;
  if (owner !== loop.id) return { is: 'foreign' };
  const numbers = readNumbers(parsed);
  if (!numbers.ok) return garbage(numbers.why);
  const rendered = revisionAt(loop, wholeField(parsed, 'rendering'));
  if (rendered.frame !== loop.frame.id) return { is: 'past' };
  const same = sameButFinalNewlines(parsed.body, promptOf(rendered.prompt));
  const iterations = numbers.iterations === (rendered.iterations ?? 'unlimited') ? null : numbers.iterations;
  return { is: 'edited', prompt: same ? null : parsed.body, iterations };
}

/**
 * Exactly as we rendered it for this loop, now or earlier. Checked without parsing, since this is the common
 * case.
 */
export function isRendering(content: string, loop: Pick<Loop, 'id'>): boolean {
  const at = content.indexOf(DIGEST);
  const from = at + DIGEST.length;
  const to = content.indexOf('"\n', from);
  if (at === -1 || to === -1) return false;
  const head = content.slice(0, at + 1);
  if (!head.includes(`\nloop_id: ${scalar(loop.id)}\n`)) return false;
  return hash(`${head}${NO_DIGEST}${content.slice(to + 2)}`) === content.slice(from, to);
}

/** The loop that this file says it shows, and its session. Found without parsing, as in `isRendering`. */
export function namedIn(content: string): { readonly loop: string | null; readonly session: string | null } {
  const head = content.slice(0, content.indexOf('\n---', 3));
  return { loop: LOOP_ID.exec(head)?.[1] ?? null, session: SESSION_ID.exec(head)?.[1] ?? null };
}

function revisionAt(loop: Loop, rendering: number | null): Revision {
  const { id, prompt, iterations } = loop.frame;
  const known = loop.files.revisions.filter((revision) => rendering === null || revision.from <= rendering);
  return known.at(-1) ?? loop.files.revisions.at(-1) ?? { from: 0, frame: id, prompt, iterations };
}

/** Many editors end a file with a newline: that alone is not an edit. */
function sameButFinalNewlines(a: string, b: string): boolean {
  return a.slice(0, endOf(a)) === b.slice(0, endOf(b));
}

/** Where the final newlines begin. Not by `[\r\n]+$`, which takes a minute for a file full of blank lines. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}

function readNumbers(parsed: FrontMatter): Attempt<LimitRead> {
  const iteration = parsed.fields.get('iteration') ?? null;
  if (iteration !== null && !/^\d+$/.test(iteration))
    return { ok: false, why: `iteration is not a number: ${iteration.slice(0, 40)}` };
  const max = parsed.fields.get('max_iterations') ?? null;
  if (max === null || max === 'unlimited') return { ok: true, iterations: max };
  if (!/^[1-9]\d{0,8}$/.test(max))
    return { ok: false, why: `max_iterations is not a positive number: ${max.slice(0, 40)}` };
  return { ok: true, iterations: Number(max) };
}

function wholeField(parsed: FrontMatter, key: string): number | null {
  const raw = parsed.fields.get(key) ?? '';
  return /^\d+$/.test(raw) ? Number(raw) : null;
}

export type HandWrittenLoop = Extract<ReturnType<typeof loopIn>, { is: 'loop' }>;

export function readHandWritten(content: string) {
  const parsed = parseOfficial(content);
  return parsed.ok ? loopIn(parsed) : garbage(parsed.why);
}

/** The prompt of our template, which nobody has replaced yet. */
const PLACEHOLDER = '[Original prompt content here]';
const LOOP_FIELDS = ['iteration', 'max_iterations', 'completion_promise', 'session_id', 'loop_id', 'active'];

export function loopIn(state: FrontMatter) {
  const { fields } = state;
  // Slash commands and skills have front matter as well.
  if (fields.size > 0 && !LOOP_FIELDS.some((field) => fields.has(field)))
    return garbage('none of its fields is that of a loop, such as max_iterations');
  const official = fields.has('active');
  const numbers = readNumbers(official ? withoutZero(state) : state);
  if (!numbers.ok) return garbage(numbers.why);
  const prompt = state.body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  if (prompt === '') return garbage('there is no prompt in it');
  if (prompt === PLACEHOLDER) return garbage(`your task is missing: replace ${PLACEHOLDER} by it`);
  return {
    is: 'loop',
    prompt,
    promise: fields.get('completion_promise') ?? null,
    iterations: numbers.iterations,
    iteration: wholeField(state, 'iteration'),
    session: fields.get('session_id') ?? null,
    /** Of a file that Da Capo rendered. */
    loopId: fields.get('loop_id') ?? null,
    /** It is the state of the official plugin or a like tool, which drives its own loop. */
    official,
    /** That tool would go on without a limit. */
    endless: official && fields.get('max_iterations') === '0',
    /** That tool has stopped driving it. */
    inactive: official && fields.get('active') === 'false',
  } as const;
}

function garbage(why: string) {
  return { is: 'garbage', why } as const;
}

/**
 * The official plugin writes a promise as it was typed, with line breaks and quotes. No other field has
 * those.
 */
function parseOfficial(content: string): Attempt<FrontMatter> {
  const parsed = parseFrontMatter(content);
  if (parsed.ok) return parsed;
  const again = parseFrontMatter(
    content.replace(RAW_PROMISE, (_, head: string, raw: string) => head + scalar(raw)),
  );
  return again.ok && again.fields.has('active') ? again : parsed;
}

/** Up to a quote that ends a line before the next field, or before the end of the front matter. */
const RAW_PROMISE = /^(completion_promise:[ \t]*)"([^]*?)"[ \t]*(?=\r?\n(?:[A-Za-z_][\w-]*:|---))/m;

/** Such tools write 0 if the person gave no limit. In Da Capo a person must ask for no limit explicitly. */
function withoutZero({ fields, body }: FrontMatter): FrontMatter {
  const given = [...fields].filter(([key, value]) => key !== 'max_iterations' || value !== '0');
  return { fields: new Map(given), body };
}

/**
 * Flat front matter, read strictly: `key: value` lines, comments, bare, quoted and `null` values, keys in any
 * order. The body is everything after the closing line, byte for byte. No YAML library: it would cost the
 * hook 14 ms.
 */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string | null>;
  readonly body: string;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const FIELD = /^([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:(?:[ \t]+(.*))?$/s;

export function parseFrontMatter(content: string): Attempt<FrontMatter> {
  const opening = OPENING.exec(content);
  if (opening === null) return { ok: false, why: 'it does not begin with a --- line' };
  const fields = new Map<string, string | null>();
  let at = opening[0].length;
  for (let number = 2; at < content.length; number++) {
    const newline = content.indexOf('\n', at);
    const end = newline === -1 ? content.length : newline;
    const line = content.slice(at, end).trimEnd();
    at = end + 1;
    if (line === '---') return { ok: true, fields, body: content.slice(at) };
    if (/^\s*(?:#|$)/.test(line)) continue;
    const field = FIELD.exec(line);
    const [, key, raw = ''] = field ?? [];
    if (key === undefined)
      return { ok: false, why: `line ${number} is no "key: value": ${line.slice(0, 60)}` };
    if (fields.has(key)) return { ok: false, why: `line ${number} gives ${key} a second time` };
    const value = parseScalar(raw.trim());
    if (value === undefined) return { ok: false, why: `line ${number} has an unfinished quote` };
    fields.set(key, value);
  }
  return { ok: false, why: 'the closing --- line is missing' };
}

function parseScalar(raw: string): string | null | undefined {
  if (raw.startsWith('"')) return doubleQuoted(raw);
  if (raw.startsWith("'")) return /^'((?:[^']|'')*)'\s*(?:#.*)?$/s.exec(raw)?.[1]?.replaceAll("''", "'");
  // The `s` flag: without it `.` stops at U+2028, and the expression would try each `#` before that in vain.
  const bare = raw.replace(/(^|\s)#.*$/s, '').trim();
  return /^(?:|~|null|Null|NULL)$/.test(bare) ? null : bare;
}

function doubleQuoted(raw: string): string | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/s.exec(raw)?.[1];
  if (quoted === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a value that this reader, and any YAML reader, reads back the same. */
export function scalar(value: string | number | null): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escapeCharacter);
}

/** Characters that JSON may hold unescaped, and YAML may not. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
