/**
 * What the fields of a tool's input mean. A table is closed: a call with a field that is not in it, or
 * without one that decides what the call does, is unknown, since its host may read it differently than we do.
 */

export type FieldUse =
  /** The one file that it writes, as seen from `folder` or from where the agent is. */
  | 'path'
  /** The folder in which it runs. */
  | 'folder'
  /** A line of shell. */
  | 'command'
  /** A text that names the files that it changes. */
  | 'patch'
  /** The whole new file; or a list of edits; or what one edit replaces, by what, and whether everywhere. */
  | 'content'
  | 'edits'
  | 'from'
  | 'to'
  | 'all'
  /**
   * Names or bounds a command, without deciding what it does. A model writes it differently when it repeats a
   * call.
   */
  | 'label'
  /** Says how it is done, and neither what nor where. */
  | 'manner';

export interface KnownTool {
  readonly does: 'shell' | 'write';
  readonly fields: ReadonlyMap<string, FieldUse>;
  /** Another tool of the host types into what it has started, and the host asks no hook about that. */
  readonly isTypedInto: boolean;
}

export interface ToolTable {
  /** Tools that run a command or write a file. */
  readonly acting: ReadonlyMap<string, KnownTool>;
  /**
   * Tools that read, plan, talk, or start an agent whose own calls we see. Their fields do not concern a
   * loop.
   */
  readonly looking: ReadonlySet<string>;
  /** What only the name of a tool of an MCP server shows. */
  readonly servers: RegExp;
  /** How people write such a name. */
  readonly serverTool: string;
}

/** By use, the names of the fields, with blanks between them. */
type ToolFields = Readonly<Partial<Record<FieldUse, string>>>;

export function shell(fields: ToolFields & { readonly command: string }): KnownTool {
  return { does: 'shell', fields: byName(fields), isTypedInto: false };
}

export function typedInto(tool: KnownTool): KnownTool {
  return { ...tool, isTypedInto: true };
}

export function writer(fields: ToolFields): KnownTool {
  return { does: 'write', fields: byName(fields), isTypedInto: false };
}

export function toolTable(
  acting: Readonly<Record<string, KnownTool>>,
  looking: string,
  servers: RegExp = /^mcp__/,
  serverTool = 'mcp__server__tool',
): ToolTable {
  const names = looking.split(/\s+/).filter(Boolean);
  return { acting: new Map(Object.entries(acting)), looking: new Set(names), servers, serverTool };
}

function byName(fields: ToolFields): Map<string, FieldUse> {
  const uses = Object.entries(fields) as [FieldUse, string][];
  return new Map(uses.flatMap(([use, names]) => names.split(' ').map((name) => [name, use] as const)));
}
