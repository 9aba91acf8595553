/**
 * What a tool call would do, by the names of a host's tools and the fields of its input. Not in the hook program: most
 * sessions have no loop that needs it.
 */
import { isRecord, recordsIn, textAt, recordAt, textOrNull } from '../core/shape.ts';
import type { Environment, HookPayload, TextEdit, ToolAct, ToolCall } from './arrival.ts';

export interface ToolNames {
  readonly shell: readonly string[];
  /** They take a path, or a patch of several files. */
  readonly writers: readonly string[];
  /** What only the name of a tool of an MCP server shows. */
  readonly servers: RegExp;
  /** How people write such a name. */
  readonly serverTool: string;
}

/** How hosts call the path of a file, its whole content, the text to replace, and what replaces it. */
const PATHS = ['file_path', 'filePath', 'notebook_path', 'path'];
const CONTENTS = ['content', 'file_text'];
const FROM = ['old_string', 'old_str', 'oldString', 'oldText'];
const TO = ['new_string', 'new_str', 'newString', 'newText'];
const ALL = ['replace_all', 'replaceAll'];
const PATCHES = ['command', 'input', 'patchText'];

/** `env`: variables that the host sets in the agent's shell, and that may occur in paths. */
export function actsOf(payload: HookPayload, names: ToolNames, env: Environment): ToolAct[] {
  const tool = textAt(payload, 'tool_name');
  const input = payload['tool_input'];
  if (!isRecord(input)) return [];
  const cwd = textOrNull(payload['cwd']) ?? process.cwd();
  if (names.shell.includes(tool)) {
    const line = textOrNull(input['command']);
    return line === null ? [] : [{ is: 'shell', line, cwd, env }];
  }
  if (!names.writers.includes(tool)) return [];
  const path = first(input, PATHS);
  if (path !== null) {
    const [content, edits] = [first(input, CONTENTS), editsIn(input['edits'] ?? [input])];
    return [{ is: 'write', path, content, edits, cwd }];
  }
  const changed = filesIn(first(input, PATCHES) ?? '');
  return changed.map((file) => ({ is: 'write', path: file, content: null, edits: [], cwd }));
}

/** They name a command or bound it, and do not decide what it does. A model writes them differently when it repeats a call. */
const LABELS = ['description', 'timeout', 'summary', 'riskLevel', 'riskLevelReason'];

export function callOf(payload: HookPayload, names: ToolNames, project: string): ToolCall {
  const tool = textAt(payload, 'tool_name');
  const input = recordAt(payload, 'tool_input');
  const isShell = names.shell.includes(tool);
  // Only of the shell: a tool of a server may send its description to others.
  const decisive = isShell
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !LABELS.includes(name)))
    : input;
  // A command does something else in another folder.
  const cwd = isShell ? textOrNull(payload['cwd']) : null;
  const where = cwd === null || cwd === project ? '' : ` (in ${cwd})`;
  return {
    id: textAt(payload, 'tool_use_id'),
    tool,
    exact: inOrder([tool, cwd, decisive]),
    shown: `${tool}${where}: ${shownInput(input)}`,
    isCommand: isShell,
  };
}

/** Tools of ours by which an agent speaks for its loop. What comes before, the host and the person choose. */
const OURS = /(?:^|[_-])(loop_[a-z]+)$/;

export function speechOf(payload: HookPayload): string | null {
  const [, tool] = OURS.exec(textAt(payload, 'tool_name')) ?? [];
  return tool === undefined ? null : inOrder([tool, recordAt(payload, 'tool_input')]);
}

/** A person who approves a write has to see what is written, not only where. */
function shownInput(input: HookPayload): string {
  const { command } = input;
  const path = first(input, PATHS);
  if (path === null) return typeof command === 'string' ? command : inOrder(input);
  const rest = Object.entries(input).filter(([name]) => !PATHS.includes(name) && name !== 'command');
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return [path, ...rest.map(([name, value]) => `${name}: ${asText(value)}`)].join('\n');
}

/** JSON with the keys of each object in order, so that equal values give equal texts. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function editsIn(edits: unknown): TextEdit[] {
  return recordsIn(edits).flatMap((edit) => {
    const from = first(edit, FROM) ?? '';
    const all = ALL.some((name) => edit[name] === true);
    return from === '' ? [] : [{ from, to: first(edit, TO) ?? '', all }];
  });
}

function first(input: HookPayload, names: readonly string[]): string | null {
  return names.map((name) => textOrNull(input[name])).find((value) => value !== null) ?? null;
}

/** The files that a patch in the format of OpenAI's models changes. */
function filesIn(patch: string): string[] {
  const named = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return Array.from(named, ([, path = '']) => path.trim());
}
