/**
 * A permission request of an agent: what the call would do, in our words; whether the mode of the pass allows
 * it; and which of the agent's options says so. Pure but for a look at links.
 */
import { resolve } from 'node:path';
import { isRecord, parseAs, recordAt, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import { isIn, leadsOut } from '#base/files/paths.ts';
import { oneLine } from '#base/words/sanitize.ts';

/** What a pass may do where nobody is there to ask, from least to most. */
export const MODES = ['reads', 'edits', 'all'] as const;
export type AcpMode = (typeof MODES)[number];

/** The kinds of calls in the protocol. */
export const KINDS = 'read edit delete move search execute think fetch switch_mode other'.split(' ');

const LOOKING: readonly string[] = ['read', 'search', 'think'];
const CHANGING: readonly string[] = ['edit', 'delete', 'move'];

const MAX_SUMMARY_CHARS = 400;

export interface AskedCall {
  readonly id: string;
  readonly kind: string;
  /** One line, for people. */
  readonly summary: string;
  /** The command line, if it runs one and says so. */
  readonly line: string | null;
  /** The files that it changes, as far as it names them. */
  readonly paths: readonly string[];
  /** The same in the words of the protocol `json`, for the guard and the rules. Empty: it only looks. */
  readonly acts: readonly { readonly tool: string; readonly input: Readonly<CallFields> }[];
}

/** What the agent has told of its calls. A request repeats only some of it. */
export function openCalls() {
  const known = new Map<string, AcpCall>();
  const learn = (update: CallFields): AcpCall => {
    const id = textAt(update, 'toolCallId');
    const before = known.get(id);
    const told = Object.entries(update).filter(([, value]) => value !== null && !isEmpty(value));
    const fields = { ...before?.fields, ...Object.fromEntries(told) };
    // What is shown of the call may take the place of its input.
    const call = { fields, line: lineOf(fields) ?? before?.line ?? null };
    known.delete(id);
    known.set(id, call);
    const [oldest] = known.keys();
    if (known.size > MAX_CALLS_KEPT && oldest !== undefined) known.delete(oldest);
    return call;
  };
  return {
    learn,
    read: (params: CallFields): AskedCall => readCallAsked(learn(recordAt(params, 'toolCall'))),
  };
}

type CallFields = Record<string, unknown>;

interface AcpCall {
  readonly fields: CallFields;
  readonly line: string | null;
}

/** More than run at a time. */
const MAX_CALLS_KEPT = 100;

/** Before an agent knows the input of a call, it tells an empty one. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function readCallAsked({ fields: call, line: told }: AcpCall): AskedCall {
  const kind = textOrNull(call['kind']) ?? 'other';
  const title = textAt(call, 'title');
  const line = kind === 'execute' ? told : null;
  const diffs = recordsIn(call['content']).filter(({ type }) => type === 'diff');
  const paths = CHANGING.includes(kind) ? pathsIn(call, diffs) : [];
  const summary = oneLine(line ?? (title || paths.join(', ') || kind), MAX_SUMMARY_CHARS);
  return {
    id: textAt(call, 'toolCallId'),
    kind,
    summary,
    line,
    paths,
    acts: actsOf(call, { kind, line, paths, diffs }),
  };
}

/** In its input, or, as Kimi Code does it, in its content. */
export function lineOf(call: Readonly<CallFields>): string | null {
  const texts = recordsIn(call['content']).map((part) => textOrNull(recordAt(part, 'content')['text']));
  const inputs = [recordAt(call, 'rawInput'), ...texts.map((words) => parseAs(isRecord, words) ?? {})];
  return inputs.map(lineIn).find((line) => line !== null) ?? null;
}

/** A command, or the words of one. Codex and others start a shell with the line as its last word. */
function lineIn(input: CallFields): string | null {
  const given = input['command'] ?? input['cmd'];
  if (typeof given === 'string') return given;
  if (!Array.isArray(given) || !given.every((word) => typeof word === 'string')) return null;
  const [shell = '', flag = '', line, ...more] = given;
  return /^(?:.*\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && more.length === 0
    ? (line ?? null)
    : null;
}

const PATH_FIELDS = ['file_path', 'filePath', 'path', 'abs_path', 'notebook_path', 'destination'];

function pathsIn(call: CallFields, diffs: readonly CallFields[]): string[] {
  const input = recordAt(call, 'rawInput');
  const named = [...diffs, ...recordsIn(call['locations'])].map((one) => textOrNull(one['path']));
  const given = PATH_FIELDS.map((field) => textOrNull(input[field]));
  // A patch by Codex: an object with a field for each file.
  const changed = isRecord(input['changes']) ? Object.keys(input['changes']) : [];
  return [...new Set([...named, ...given, ...changed].filter((path) => path !== null))];
}

type CallDetails = Pick<AskedCall, 'kind' | 'line' | 'paths'> & { readonly diffs: readonly CallFields[] };

function actsOf(call: CallFields, { kind, line, paths, diffs }: CallDetails): AskedCall['acts'] {
  if (LOOKING.includes(kind)) return [];
  if (line !== null) return [{ tool: 'shell', input: { command: line } }];
  if (paths.length === 0) return [{ tool: kind, input: shownOf(call) }];
  return paths.map((path) => {
    const edits = diffs.filter((diff) => diff['path'] === path);
    const [only, ...more] = edits;
    if (only === undefined || more.length > 0) return { tool: 'write', input: { path } };
    const [from, to] = [textOrNull(only['oldText']), textAt(only, 'newText')];
    if (from === null) return { tool: 'write', input: { path, content: to } };
    return { tool: 'edit', input: { path, old_string: from, new_string: to } };
  });
}

/** All that says what the call would do. */
function shownOf({ title, rawInput, content, locations }: CallFields): CallFields {
  return { title, input: rawInput, content, locations };
}

export interface CallPolicy {
  readonly mode: AcpMode;
  /** Kinds of calls, and `execute(LINE)`, which the person allows beside the mode. */
  readonly tools: readonly string[];
  readonly cwd: string;
}

export function isAllowed({ kind, line, paths }: AskedCall, { mode, tools, cwd }: CallPolicy): boolean {
  if (mode === 'all' || LOOKING.includes(kind) || tools.includes(kind)) return true;
  if (line !== null && tools.includes(`execute(${line})`)) return true;
  return (
    mode === 'edits' &&
    CHANGING.includes(kind) &&
    paths.length > 0 &&
    paths.every((path) => isOfTree(resolve(cwd, path), cwd))
  );
}

/** In the folder of the pass, by its name and behind links, and none of git's own files. */
function isOfTree(path: string, cwd: string): boolean {
  return isIn(path, resolve(cwd)) && !leadsOut(path, cwd) && !path.split(/[\\/]/).includes('.git');
}

/**
 * The answer in the agent's own options; without a fitting one, the call is cancelled. A yes for always would
 * silence the agent for calls that we have not seen, so only `all` takes it.
 */
export function answerWith(options: unknown, isYes: boolean, mode: AcpMode): object {
  const yes = mode === 'all' ? ['allow_once', 'allow_always'] : ['allow_once'];
  const kinds = isYes ? yes : ['reject_once', 'reject_always'];
  const [option] = kinds.flatMap((kind) => recordsIn(options).filter((one) => one['kind'] === kind));
  const optionId = option === undefined ? null : textOrNull(option['optionId']);
  return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
}
