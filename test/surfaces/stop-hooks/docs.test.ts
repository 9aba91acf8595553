// Every example of docs/stop-hooks.md is run, and has to print what its comments say. Its types are checked
// as well.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format, promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { fromSpec } from '#surfaces/library/index.ts';

const root = resolve(import.meta.dirname, '../../..');
const MODULES = {
  'dacapo/stop-hooks': resolve(root, 'src/surfaces/stop-hooks/index.ts'),
  dacapo: resolve(root, 'src/surfaces/library/index.ts'),
};
const page = readFileSync(resolve(root, 'docs/stop-hooks.md'), 'utf8').replaceAll('\r\n', '\n');

const examples = [...page.matchAll(/^## (.+)$|^```ts\n([\s\S]*?)^```$/gm)].reduce<
  { title: string; code: string }[]
>((found, [, title, code]) => {
  if (title !== undefined) return [...found, { title, code: '' }];
  const last = found.at(-1);
  return last === undefined ? found : [...found.slice(0, -1), { ...last, code: last.code + (code ?? '') }];
}, []);

describe('docs/stop-hooks.md', () => {
  test.each(examples.filter(({ code }) => code !== ''))('$title', async ({ code }) => {
    const expected = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, line]) => line);
    expect(expected).not.toEqual([]);
    expect(await run(code)).toEqual(expected);
  });

  test('has the types right', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dacapo-docs-'));
    try {
      const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
      const paths = Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, [file]]));
      const typeRoots = [join(root, 'node_modules/@types')];
      const config = { compilerOptions: { ...compilerOptions, paths, typeRoots }, include: ['*.mts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      for (const [n, { code }] of examples.entries()) {
        writeFileSync(join(folder, `${n}.mts`), `${code}\nexport {};\n`);
      }
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder], {
        cwd: folder,
      }).catch((error: unknown) => error as { stdout: string });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('names every type of a hook', () => {
    const known =
      /Known types: (.*)\.$/.exec(messageOf(() => fromSpec({ type: '?' })))?.[1]?.split(', ') ?? [];
    expect(known.length).toBeGreaterThan(10);
    for (const type of known) expect(page).toContain(`\`${type}\``);
  });
});

/** What the example prints, line by line. */
async function run(code: string): Promise<string[]> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: 'ts', resolveDir: root },
    alias: MODULES,
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    define: { console: '__docsConsole' },
  });
  const printed: string[] = [];
  const key = '__docsConsole';
  Object.assign(globalThis, { [key]: { log: (...words: unknown[]) => printed.push(format(...words)) } });
  try {
    await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  } finally {
    Reflect.deleteProperty(globalThis, key);
  }
  return printed;
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return '';
}
