/**
 * Every program of docs/library.md is run with the built package, and prints what its comments say. Its types
 * are right.
 */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as entry from '#surfaces/library/index.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/library.md'), 'utf8').replaceAll('\r\n', '\n');
const programs = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-docs-')));
  mkdirSync(join(folder, 'project/node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'project/node_modules/dacapo'), 'junction');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('docs/library.md', () => {
  test.each(programs.map((code, n) => [n + 1, code] as const))('program %i', async (_, code) => {
    const project = join(folder, 'project');
    writeFileSync(join(project, 'program.mjs'), code);
    const env = { ...process.env, DACAPO_HOME: join(folder, 'home') };
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: project, env });
    const expected = [...code.matchAll(/^\s*\/\/ prints: (.*)$/gm)].map(([, line]) => line);
    expect(expected).not.toEqual([]);
    expect(stdout.trimEnd().split('\n')).toEqual(expected);
  });

  test('has the types right', async () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    const paths = { dacapo: [join(root, 'src/surfaces/library/index.ts')] };
    const typeRoots = [join(root, 'node_modules/@types')];
    const config = { compilerOptions: { ...compilerOptions, paths, typeRoots }, include: ['*.mts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [n, code] of programs.entries())
      writeFileSync(join(folder, `${n}.mts`), `${code}\nexport {};\n`);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });

  test('names every function of loops', () => {
    const isOfHooks =
      /^(HookSpecError|abstain|allOf|anyOf|checkpoint\w+|createRegistry|\w*[hH]ook|defineConfig|fromSpec|fromStopJs|max\w+|realWork|security|tdd|toSpec|when)$/;
    const names = Object.keys(entry).filter((name) => !isOfHooks.test(name));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(page).toMatch(new RegExp(`\`${name}\\(`));
  });
});
