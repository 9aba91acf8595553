/** A file that another process has open can't be replaced on Windows, for as long as it is open. */
import { expect, test } from 'vitest';
import { renameOver } from '#base/files/rename.ts';

/** `fails`: so often, with this code. */
function renaming(platform: string, code: string, fails: number): string {
  let calls = 0;
  const rename = () => {
    if (++calls <= fails) throw Object.assign(new Error(code), { code });
  };
  try {
    renameOver('a', 'b', platform, rename);
    return `done at call ${calls}`;
  } catch (error) {
    return `${error instanceof Error ? error.message : ''} at call ${calls}`;
  }
}

test.each(['EPERM', 'EACCES', 'EBUSY'])('%s passes on Windows, and is final elsewhere', (code) => {
  expect(renaming('win32', code, 3)).toBe('done at call 4');
  expect(renaming('linux', code, 1)).toBe(`${code} at call 1`);
});

test('any other error is final at once, and nobody waits for ever', () => {
  expect(renaming('win32', 'ENOSPC', 1)).toBe('ENOSPC at call 1');
  expect(renaming('win32', 'EPERM', 99)).toBe('EPERM at call 9');
});
