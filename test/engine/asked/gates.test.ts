/** What a line of a check tells before it is run: a program that is nowhere. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseMissing } from '#engine/asked/gates.ts';
import { temporaryFolder } from '../../store/folder.ts';

function folderWith(...files: string[]): string {
  const dir = temporaryFolder();
  for (const file of files) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    writeFileSync(join(dir, file), '');
    chmodSync(join(dir, file), 0o755);
  }
  return dir;
}

describe.skipIf(process.platform === 'win32')('a program that is nowhere', () => {
  const look = (check: string) => refuseMissing([check], { PATH: folderWith('npm', 'make', 'go') });
  const refused = (check: string) => look(check)?.message ?? null;

  it.each(['nmp test', 'CI=1 nmp test', 'cd web && nmp test', '"nmp" test', 'nmp test && npm test'])(
    '%s is refused',
    (check) => expect(refused(check)).toContain('there is no program nmp in PATH'),
  );

  it.each([
    'npm test',
    'cd web && npm test',
    './check.sh',
    'test -f done || nmp test',
    'exit 1',
    '[ -f done ]',
    '$RUNNER test',
    'f() { true; }; f',
    'PATH=$PWD/bin:$PATH nmp test',
    ': # nothing',
  ])('%s is not', (check) => expect(refused(check)).toBeNull());

  it('offers what was meant, where that is there', () => {
    expect(look('nmp test')?.next).toBe(
      'Did you mean npm? Correct the check, or install nmp. Nothing was changed.',
    );
    expect(look('pytst')?.next).toBe('Correct the check, or install pytst. Nothing was changed.');
  });

  it('is not looked for where nobody says where', () => {
    expect(refuseMissing(['nmp test'], {})).toBeNull();
  });
});
