/** Claude Code's settings files: changed key by key, with everything else kept, and a copy of what was there before. */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../../core/error-code.ts';
import { isRecord } from '../../../core/shape.ts';

export type Settings = Record<string, unknown>;

const BYTE_ORDER_MARK = '\uFEFF';

/** Null: the file is there and is no JSON object, so it must not be touched. */
export function readSettings(path: string): Settings | null {
  return parseSettings(existsSync(path) ? readFileSync(path, 'utf8') : '');
}

/** In words, after the file's name: why these are no settings. */
export function sayFault(content: string): string {
  try {
    JSON.parse(content.replace(BYTE_ORDER_MARK, ''));
    return 'is JSON, but no object';
  } catch {
    return 'is not valid JSON';
  }
}

export function parseSettings(content: string): Settings | null {
  const json = content.replace(BYTE_ORDER_MARK, '');
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** In the style of what stood there: indentation, line ends, final newline. A team's file should show a small change. */
export function settingsText(settings: Settings, like: string): string {
  const indent = /^\uFEFF?\{\r?\n([ \t]+)/.exec(like)?.[1] ?? '  ';
  const eol = like.includes('\r\n') ? '\r\n' : '\n';
  const end = like.trim() === '' || like.endsWith('\n') ? eol : '';
  const mark = like.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + JSON.stringify(settings, null, indent).replaceAll('\n', eol) + end;
}

export function backupOf(path: string): string {
  return `${path}.before-dacapo`;
}

/** The first backup is the person's own file: later ones never replace it, nor what else stands under that name, a link included. */
export function backUp(path: string): void {
  if (!existsSync(path)) return;
  try {
    copyFileSync(path, backupOf(path), constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

export function replaceSettings(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Many keep this file in a repository of their own and link to it: the link stays.
  const file = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${file}.${process.pid}.tmp`;
  // It may hold keys: closed to others before, closed to others after. `wx`: a project may bring a link under this name.
  writeFileSync(temporary, text, {
    flag: 'wx',
    mode: (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777,
  });
  renameSync(temporary, file);
}
