/** Settings are replaced whole, and what a killed process left beside them is not an obstacle. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceSettings } from '#hosts/setup/settings.ts';
import { temporaryFolder } from '../../store/folder.ts';

it('a half-written copy of a process with this pid is replaced: in a container, pids come again', () => {
  const path = join(temporaryFolder(), 'settings.json');
  const left = `${path}.${process.pid}.tmp`;
  writeFileSync(left, '{"half":');
  replaceSettings(path, '{}');
  expect(readFileSync(path, 'utf8')).toBe('{}');
  expect(existsSync(left)).toBe(false);
});

it.skipIf(process.platform === 'win32')('a link under the name of that copy is not followed', () => {
  const folder = temporaryFolder();
  const [path, theirs] = [join(folder, 'settings.json'), join(folder, 'theirs')];
  writeFileSync(theirs, 'untouched');
  symlinkSync(theirs, `${path}.${process.pid}.tmp`);
  replaceSettings(path, '{}');
  expect(readFileSync(theirs, 'utf8')).toBe('untouched');
  expect(readFileSync(path, 'utf8')).toBe('{}');
});
