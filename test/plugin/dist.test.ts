// A marketplace install is a plain clone, so plugin/dist is committed. It must be what the sources give.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const committed = join(root, 'plugin/dist');

describe('plugin/dist', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'dacapo-dist-'));
  beforeAll(() => {
    execFileSync(
      process.execPath,
      ['scripts/build.mjs', '--strict', '--only', 'plugin', '--plugin-out', fresh],
      {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
  });
  afterAll(() => rmSync(fresh, { recursive: true, force: true }));

  test('is what a fresh build gives, byte for byte (else: npm run build)', () => {
    expect(readdirSync(committed).toSorted()).toEqual(readdirSync(fresh).toSorted());
    const different = readdirSync(fresh).filter((name) => !bytes(committed, name).equals(bytes(fresh, name)));
    expect(different).toEqual([]);
  });

  test('is committed, not only built', () => {
    if (!existsSync(join(root, '.git'))) return;
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
    const tracked = git('ls-files', 'plugin/dist').split('\n').filter(Boolean);
    expect(tracked.toSorted()).toEqual(
      readdirSync(fresh)
        .map((name) => `plugin/dist/${name}`)
        .toSorted(),
    );
    expect(git('check-attr', 'eol', 'plugin/dist/hook.cjs')).toContain('eol: lf');
  });

  test('the hook fits in 40 KB', () => {
    expect(bytes(fresh, 'hook.cjs').length).toBeLessThanOrEqual(40 * 1024);
  });

  test('every program needs nothing but Node and the files beside it, and those only on demand', () => {
    const siblings = readdirSync(fresh).map((name) => `./${name}`);
    for (const name of readdirSync(fresh).filter((file) => file.endsWith('.cjs'))) {
      const code = bytes(fresh, name).toString();
      const required = [...code.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map((match) => match[1] ?? '');
      expect(required.filter((id) => !id.startsWith('node:') && !siblings.includes(id))).toEqual([]);
      // The one that loads other people's modules, which may be of either kind.
      expect(/\bimport\(/.test(code)).toBe(name === 'hooks-runner.cjs');
      const eager = code
        .replaceAll(/\.then\(\(\)=>\w*\(?require\("[^"]+"\)/g, '')
        .replaceAll(/\(\.\.\.\w+\)=>require\("[^"]+"\)/g, '');
      expect(eager).not.toMatch(/require\("\.\//);
    }
  });

  test('the Markdown parser loads by itself', () => {
    expect(Object.keys(createRequire(import.meta.url)(join(fresh, 'markdown.cjs')) as object)).not.toEqual(
      [],
    );
  });

  test('the licences of what is bundled are beside it', () => {
    const text = bytes(fresh, 'THIRD_PARTY.txt').toString();
    for (const name of ['entities', 'linkify-it', 'markdown-it', 'mdurl', 'uc.micro'])
      expect(text).toContain(`\n${name} `);
  });
});

function bytes(folder: string, name: string): Buffer {
  return readFileSync(join(folder, name));
}
