/**
 * What a tool of Claude Code would write, and where none may (2.1.325). Not in the hook program: most sessions have no
 * loop that needs it.
 */
import { isRecord, textOrNull, recordsIn, textAt, recordAt } from '../../../core/shape.ts';
import type { RuleFamily, TextEdit, ToolAct, ToolCall, Environment } from '../../arrival.ts';
import { join } from 'node:path';
import { configFolder, managedSettings, SCOPES, settingsPath } from '../setup/places.ts';

export function actOf(payload: Readonly<Record<string, unknown>>, project: string): ToolAct | null {
  const input = payload['tool_input'];
  if (!isRecord(input)) return null;
  const cwd = textOrNull(payload['cwd']) ?? process.cwd();
  switch (payload['tool_name']) {
    case 'Write':
      return writeTo(textOrNull(input['file_path']), cwd, textOrNull(input['content']));
    case 'Edit':
      return writeTo(textOrNull(input['file_path']), cwd, null, editsIn([input]));
    case 'MultiEdit':
      return writeTo(textOrNull(input['file_path']), cwd, null, editsIn(input['edits']));
    case 'NotebookEdit':
      return writeTo(textOrNull(input['notebook_path']), cwd);
    case 'Bash': {
      const line = textOrNull(input['command']);
      return line === null ? null : { is: 'shell', line, cwd, env: { CLAUDE_PROJECT_DIR: project } };
    }
    default:
      return null;
  }
}

const WRITERS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
/** They name a command or bound it, and do not decide what it does. A model writes them differently when it repeats a call. */
const LABELS = ['description', 'timeout'];
const SHELL = 'Bash';
const SERVERS = 'mcp__';

/** What a permission rule about this tool is about. Null: our hook does not see its calls (plugin/hooks). */
export function toolFamily(tool: string): RuleFamily | null {
  if (tool === SHELL) return 'shell';
  if (WRITERS.includes(tool)) return 'files';
  return tool.startsWith(SERVERS) ? 'name' : null;
}

export function toolsSeen(): string {
  return `${[SHELL, ...WRITERS].join(', ')} and the tools of MCP servers (${SERVERS}server__tool)`;
}

export function callOf(payload: Readonly<Record<string, unknown>>, project: string): ToolCall {
  const tool = textAt(payload, 'tool_name');
  const input = recordAt(payload, 'tool_input');
  const isShell = tool === SHELL;
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

/** A person who approves a write has to see what is written, not only where. */
function shownInput(input: Readonly<Record<string, unknown>>): string {
  const { file_path, notebook_path, command, ...rest } = input;
  const path = file_path ?? notebook_path;
  if (typeof path !== 'string') return typeof command === 'string' ? command : inOrder(input);
  return [path, ...Object.entries(rest).map(([name, value]) => `${name}: ${asText(value)}`)].join('\n');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** JSON with the keys of each object in order, so that equal values give equal texts. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function writeTo(
  path: string | null,
  cwd: string,
  content: string | null = null,
  edits: readonly TextEdit[] = [],
): ToolAct | null {
  return path === null ? null : { is: 'write', path, content, edits, cwd };
}

function editsIn(edits: unknown): TextEdit[] {
  return recordsIn(edits).flatMap((edit) => {
    const from = textAt(edit, 'old_string');
    return from === '' ? [] : [{ from, to: textAt(edit, 'new_string'), all: edit['replace_all'] === true }];
  });
}

/**
 * The ground of the judge: what decides how the host runs our hooks and with what environment, and what it records of the
 * session. An agent that writes there takes the judge over, so the guard refuses it. Files, and folders with all in them.
 */
export function hostFiles(project: string, transcript: string, env: Environment): string[] {
  const place = { project, env, platform: process.platform };
  const managed = managedSettings(place);
  const user = configFolder(env);
  return [
    ...SCOPES.map((scope) => settingsPath(scope, place)),
    join(user, 'settings.local.json'),
    join(user, 'plugins'),
    // Which projects are trusted, and the servers that run for each. It lies beside the folder, or in one that was named.
    `${user}.json`,
    join(user, '.claude.json'),
    // With these a person answers the loop. An agent that changed one could schedule it as a prompt.
    ...[user, join(project, '.claude')].flatMap((folder) =>
      ['approve', 'reject', 'answer'].flatMap((verb) => [
        join(folder, 'commands', `${verb}-ralph.md`),
        join(folder, 'skills', `${verb}-ralph`),
      ]),
    ),
    managed,
    managed.replace(/\.json$/, '.d'),
    // What the session has used is counted there, and in the files of its subagents.
    ...(transcript === '' ? [] : [transcript, transcript.replace(/\.jsonl$/, '')]),
  ];
}
