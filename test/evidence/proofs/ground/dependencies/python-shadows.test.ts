/** Which names of modules a project may not take: those that its tests import from elsewhere. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { pythonShadows } from '#evidence/proofs/ground/dependencies/python-shadows.ts';
import { temporaryFolder } from '../../../../store/folder.ts';

function put(folder: string, ...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), '', { mode: 0o755 });
  }
}

it('installed ones, of the project, the person and Python, and none that is work', () => {
  const folder = temporaryFolder();
  const [project, python, home] = ['project', 'python', 'home'].map((name) => join(folder, name));
  put(project ?? '', '.venv/lib/python3.12/site-packages/numpy/__init__.py', 'own/__init__.py');
  put(python ?? '', 'bin/python3.12', 'lib/python3.12/colorsys.py', 'lib/python3/dist-packages/six.py');
  put(python ?? '', 'lib/python3.12/own.py');
  put(home ?? '', '.local/lib/python3.12/site-packages/fast.cpython-312.so');
  mkdirSync(join(folder, 'bin'));
  symlinkSync('../python/bin/python3.12', join(folder, 'bin/python3'));
  const test = `import colorsys, os
from numpy.testing import assert_equal
import own
import half
def test():
    from six import moves
    import fast
`;
  const files = [{ path: 'test_half.py', content: Buffer.from(test) }];
  const env = { PATH: join(folder, 'bin'), ...(home !== undefined && { HOME: home }) };
  const found = pythonShadows(project ?? '', files, env);
  const names = ['colorsys', 'numpy', 'six', 'fast'];
  expect(found).toEqual(names.flatMap((name) => [`./${name}.py`, `./${name}`]));
  expect(pythonShadows(project ?? '', [], env)).toEqual([]);
});
