/** A plan as a list of edits, each a file before and after. `--dry-run` shows exactly the edits that would be made. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Edit } from '../../command-line.ts';
import { backUp, backupOf, replaceSettings } from './settings.ts';

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
