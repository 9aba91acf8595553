/**
 * What a tool call would do, by the closed table of its host's tools. Not in the hook program: most sessions
 * have no loop that needs it.
 */
import { resolve } from 'node:path';
import { isRecord, textAt, recordAt, textOrNull } from '#base/shape.ts';
import type { Environment, HookPayload, ToolAct, ToolCall, UnknownAct } from '../port/arrival.ts';
import { readCall, type KnownCall } from './read-call.ts';
import { readingsOf, textsIn } from './spellings.ts';
import type { FieldUse, ToolTable } from './tool-fields.ts';
import { tableOf } from './tool-tables.ts';

/** `env`: variables that the host sets in the agent's shell, and that may occur in paths. */
export function actsOfCall(payload: HookPayload, host: string, env: Environment): ToolAct[] {
  const call = callIn(payload, tableOf(host));
  if (call.is !== 'known') return call.is === 'unknown' ? [call.act] : [];
  const { read, cwd } = call;
  if (read.does === 'shell')
    return [{ is: 'shell', line: read.line, cwd, env, ...(read.isTypedInto && { isTypedInto: true }) }];
  const { content, edits } = read;
  return read.paths.flatMap(readingsOf).map((path) => ({ is: 'write', path, content, edits, cwd }));
}

type CallIn =
  | { readonly is: 'known'; readonly read: KnownCall; readonly cwd: string }
  | { readonly is: 'unknown'; readonly act: UnknownAct }
  | { readonly is: 'looks' };

function callIn(payload: HookPayload, { acting, looking, servers }: ToolTable): CallIn {
  const tool = textAt(payload, 'tool_name');
  const input = payload['tool_input'];
  const cwd = textOrNull(payload['cwd']) ?? process.cwd();
  const known = acting.get(tool);
  if (known === undefined && (looking.has(tool) || servers.test(tool))) return { is: 'looks' };
  const read = known && isRecord(input) ? readCall(input, known) : null;
  if (read !== null) return { is: 'known', read, cwd: resolve(cwd, read.folder) };
  const act = { is: 'unknown', tool, isActing: known !== undefined, texts: textsIn(input), cwd } as const;
  return { is: 'unknown', act };
}

export function callOf(payload: HookPayload, host: string): ToolCall {
  const table = tableOf(host);
  const tool = textAt(payload, 'tool_name');
  const { tool_input: input } = payload;
  const call = callIn(payload, table);
  const use = (name: string) => table.acting.get(tool)?.fields.get(name);
  const isShell = call.is === 'known' && call.read.does === 'shell';
  // In another folder the same words do something else.
  const cwd = call.is === 'known' ? call.cwd : call.is === 'unknown' ? call.act.cwd : null;
  const isPlaced = call.is === 'known' && call.read.does === 'write' && call.read.paths.every(isWhole);
  const where = cwd === null || isPlaced ? '' : ` (in ${cwd})`;
  // Of the shell alone: a tool of a server may send its description to others. The folder is told above.
  const isTold = (name: string) => use(name) === 'label' || use(name) === 'folder';
  const decisive = isShell && isRecord(input) ? without(input, isTold) : input;
  const shown = call.is === 'known' && isRecord(input) ? shownInput(input, use) : jsonInKeyOrder(input);
  return {
    id: textAt(payload, 'tool_use_id'),
    tool,
    exact: jsonInKeyOrder([tool, cwd, decisive]),
    shown: `${tool}${where}: ${shown}`,
    isCommand: isShell || call.is === 'unknown',
  };
}

function isWhole(path: string): boolean {
  return path.startsWith('/');
}

/** Tools of ours by which an agent speaks for its loop. What comes before, the host and the person choose. */
const OURS = /(?:^|[_-])(loop_[a-z]+)$/;

export function speechOf(payload: HookPayload): string | null {
  const [, tool] = OURS.exec(textAt(payload, 'tool_name')) ?? [];
  return tool === undefined ? null : jsonInKeyOrder([tool, recordAt(payload, 'tool_input')]);
}

/** A person who approves a call has to see what is run or written, where, and in what manner. */
function shownInput(input: HookPayload, use: (name: string) => FieldUse | undefined): string {
  const isHead = (name: string) => ['command', 'path', 'patch'].includes(use(name) ?? '');
  const isSeen = (name: string) => !isHead(name) && !['folder', 'label'].includes(use(name) ?? '');
  const asText = (value: unknown) => (typeof value === 'string' ? value : jsonInKeyOrder(value));
  const fields = Object.entries(input);
  return [
    ...fields.filter(([name]) => isHead(name)).map(([, value]) => asText(value)),
    ...fields.filter(([name]) => isSeen(name)).map(([name, value]) => `${name}: ${asText(value)}`),
  ].join('\n');
}

function without(input: HookPayload, isLeftOut: (name: string) => boolean): HookPayload {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isLeftOut(name)));
}

/** JSON with the keys of each object in order, so that equal values give equal texts. */
export function jsonInKeyOrder(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      isRecord(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}
