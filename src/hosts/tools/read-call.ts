/**
 * Reads the input of a call by the table of its tool. Null: the table does not say what this call would do.
 */
import { isRecord } from '#base/shape.ts';
import type { HookPayload, TextEdit } from '../port/arrival.ts';
import type { FieldUse, KnownTool } from './tool-fields.ts';

export type KnownCall = { readonly folder: string } & (
  | { readonly does: 'shell'; readonly line: string; readonly isTypedInto: boolean }
  | {
      readonly does: 'write';
      readonly paths: readonly string[];
      readonly content: string | null;
      readonly edits: readonly TextEdit[];
    }
);

/** The fields of one edit in a list, as hosts call them. */
const EDIT_FIELDS: ReadonlyMap<string, FieldUse> = new Map([
  ['old_string', 'from'],
  ['oldText', 'from'],
  ['new_string', 'to'],
  ['newText', 'to'],
  ['replace_all', 'all'],
]);

/** A shell, or the host itself, would put something else in the place of such a name. */
const NO_FOLDER = /^~|[$`*?]/;

export function readCall(input: HookPayload, { does, fields, isTypedInto }: KnownTool): KnownCall | null {
  const values = byUse(input, fields);
  if (values === null) return null;
  const texts = (use: FieldUse) => values.get(use) ?? [];
  const [folder = '', ...folders] = texts('folder');
  if (!isText(folder) || folders.length > 0 || NO_FOLDER.test(folder)) return null;
  if (does === 'shell') {
    const [line, ...more] = texts('command');
    return isText(line) && more.length === 0 ? { does, folder, line, isTypedInto } : null;
  }
  const paths = pathsOf(texts('path'), texts('patch'));
  const [content = null] = texts('content');
  const edits = editsOf(values);
  if (paths === null || edits === null || !(content === null || isText(content))) return null;
  return { does, folder, paths, content, edits };
}

type Values = ReadonlyMap<FieldUse, readonly unknown[]>;

/** Null: a field is not in the table. A field without a value is as good as absent. */
function byUse(input: HookPayload, fields: ReadonlyMap<string, FieldUse>): Values | null {
  const values = new Map<FieldUse, unknown[]>();
  for (const [name, value] of Object.entries(input)) {
    const use = fields.get(name);
    if (use === undefined) return null;
    if (value !== null && value !== undefined) values.set(use, [...(values.get(use) ?? []), value]);
  }
  return values;
}

/** One path, or the files of one patch. */
function pathsOf(paths: readonly unknown[], patches: readonly unknown[]): string[] | null {
  const [given, ...more] = [...paths, ...patches];
  if (!isText(given) || given === '' || more.length > 0) return null;
  if (paths.length > 0) return [given];
  const files = filesIn(given);
  return files.length === 0 ? null : files;
}

function editsOf(values: Values): TextEdit[] | null {
  const [list] = values.get('edits') ?? [];
  const own = editOf(values);
  if (own === null || (list !== undefined && !Array.isArray(list))) return null;
  const edits = [own];
  for (const one of list ?? []) {
    const read = isRecord(one) ? byUse(one, EDIT_FIELDS) : null;
    const edit = read && editOf(read);
    if (edit === null) return null;
    edits.push(edit);
  }
  return edits.filter(({ from }) => from !== '');
}

function editOf(values: Values): TextEdit | null {
  const [from = '', to = '', all = false] = (['from', 'to', 'all'] as const).map(
    (use) => values.get(use)?.[0],
  );
  return isText(from) && isText(to) ? { from, to, all: all === true } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The files that a patch in the format of OpenAI's models changes. */
function filesIn(patch: string): string[] {
  const named = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return Array.from(named, ([, path = '']) => path.trim());
}
