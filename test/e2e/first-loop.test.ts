/** docs/first-loop.md, command by command, with the real Claude Code and a scripted model. */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CLAUDE, type Reply } from './host.ts';
import { makeWorld } from './world.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/first-loop.md'), 'utf8');
const COMMANDS = [...PAGE.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block ?? '');

const TESTS = `import assert from 'node:assert';
import { test } from 'node:test';
import { slug } from './slug.mjs';
test('joins words', () => assert.equal(slug('Da Capo'), 'da-capo'));
test('leaves out signs', () => assert.equal(slug('Al fine!'), 'al-fine'));
`;

const writes = (content: string): Reply => [
  { tool: 'Write', input: { file_path: 'slug.mjs', content: `export const slug = (text) => ${content};\n` } },
];

test('every command of docs/first-loop.md works, and the branch is merged at the end', async () => {
  const { sandbox } = await makeWorld([
    writes(`text.toLowerCase().replaceAll(' ', '-')`),
    'slug() joins words with hyphens.',
    writes(`text.toLowerCase().match(/[a-z]+/g).join('-')`),
    'It leaves out signs, too.',
  ]);
  sandbox.write('slug.test.mjs', TESTS);
  const dacapo = join(sandbox.root, 'dacapo');
  const bin = sandbox.write(
    '../bin/dacapo',
    `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/dist/cli.cjs" "$@"\n`,
  );
  chmodSync(bin, 0o755);
  const env = {
    ...sandbox.env,
    DACAPO_HOME: dacapo,
    DACAPO_CLAUDE: CLAUDE,
    PATH: `${sandbox.root}/bin:${sandbox.env['PATH']}`,
  };
  const type = async (command: string): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', command], {
      cwd: sandbox.project,
      env,
    });
    return stdout + stderr;
  };
  await type('git add -A && git commit -qm Begin');

  const [look, run, see, take, ...others] = COMMANDS;
  expect(others).toEqual([]);
  expect(await type(look ?? '')).toContain('node --test');
  expect(await type(run ?? '')).toContain('completed after 2 iterations');
  expect(await type(see ?? '')).toContain('slug.mjs | 1 +');
  expect(await type(take ?? '')).toContain('Removed 1 ended loop');
  expect(sandbox.read('slug.mjs')).toContain('match');
  expect(sandbox.read('slug.test.mjs')).toBe(TESTS);
  expect(await type('git worktree list')).toBe(await type('git worktree list | head -1'));
});
