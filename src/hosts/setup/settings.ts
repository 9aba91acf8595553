/**
 * The JSON files in which hosts keep their settings. We change single keys, keep everything else, and back up
 * the former file.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseAs, isRecord, codeOf } from '#base/shape.ts';
import { readText } from '#base/files/read.ts';
import { renameOver } from '#base/files/rename.ts';
import type { Edit } from '../port/command-line.ts';
import { BACKUP_ENDING } from '../project/project-files.ts';

export type Settings = Record<string, unknown>;

const BYTE_ORDER_MARK = '\uFEFF';

/** Null: the file exists and is not a JSON object, or can't be read. */
export function settingsIn(path: string): Settings | null {
  try {
    return parseSettings(readText(path) ?? '');
  } catch {
    return null;
  }
}

/** Why this is not a settings file, as text to follow the file's name. */
export function saySettingsFault(content: string): string {
  try {
    JSON.parse(content.replace(BYTE_ORDER_MARK, ''));
    return 'is JSON, but no object';
  } catch {
    return 'is not valid JSON';
  }
}

export function parseSettings(content: string): Settings | null {
  const json = content.replace(BYTE_ORDER_MARK, '');
  return json.trim() === '' ? {} : parseAs(isRecord, json);
}

/** Keeps indentation, line ends and final newline, so that the diff in a team's file is small. */
export function settingsText(settings: Settings, like: string): string {
  const indent = /^\uFEFF?\{\r?\n([ \t]+)/.exec(like)?.[1] ?? '  ';
  const eol = like.includes('\r\n') ? '\r\n' : '\n';
  const end = like.trim() === '' || like.endsWith('\n') ? eol : '';
  const mark = like.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + JSON.stringify(settings, null, indent).replaceAll('\n', eol) + end;
}

export function backupOf(path: string): string {
  return path + BACKUP_ENDING;
}

/**
 * The first backup is the person's own file. We never replace it, nor anything else of that name, including a
 * link.
 */
export function backUp(path: string): void {
  if (!existsSync(path)) return;
  try {
    copyFileSync(path, backupOf(path), constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** `usual`: the mode of a new file. */
export function replaceSettings(path: string, text: string, usual = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  // Many people keep this file in another repository and link to it. The link stays.
  const file = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${file}.${process.pid}.tmp`;
  // A process that was killed here may have had our pid: in a container, pids come again.
  rmSync(temporary, { force: true });
  // It may hold keys, so we keep its mode. `wx`: a project may ship a link under this name.
  writeFileSync(temporary, text, {
    flag: 'wx',
    mode: (statSync(file, { throwIfNoEntry: false })?.mode ?? usual) & 0o777,
  });
  renameOver(temporary, file);
}

export function editOf(
  kind: Edit['kind'],
  path: string,
  before: string | null,
  after: string | null,
): Edit[] {
  const backup = kind === 'settings' ? backupOf(path) : null;
  return before === after ? [] : [{ path, kind, before, after, backup }];
}

export function applyEdit({ path, kind, after }: Edit, how: 'with-backup' | 'without-backup'): void {
  if (after === null) return rmSync(path, { force: true });
  if (kind === 'settings') {
    if (how === 'with-backup') backUp(path);
    return replaceSettings(path, after);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, after);
}

/** The folders that these edits will create, the outermost first. */
export function missingFolders(edits: readonly Edit[]): string[] {
  const missing = new Set<string>();
  for (const { path, after } of edits) {
    if (after === null) continue;
    for (let dir = dirname(path); !existsSync(dir) && dirname(dir) !== dir; dir = dirname(dir))
      missing.add(dir);
  }
  return [...missing].sort();
}
