/** Claude Code's settings files: changed key by key, with everything else kept, and a copy of what was there before. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../../core/shape.ts';

export type Settings = Record<string, unknown>;

/** Null: the file is there and is no JSON object, so it must not be touched. */
export function readSettings(path: string): Settings | null {
  if (!existsSync(path)) return {};
  const content = readFileSync(path, 'utf8');
  if (content.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first backup is the person's own file: later ones never replace it. */
export function writeSettings(path: string, settings: Settings): void {
  mkdirSync(dirname(path), { recursive: true });
  const backup = `${path}.before-dacapo`;
  if (existsSync(path) && !existsSync(backup)) copyFileSync(path, backup);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`);
  renameSync(temporary, path);
}
