// @module-tag postgres
/** The README's way into a fleet, with the real Claude Code and a real Postgres: two workers, three loops. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FleetLoop, FleetStatus } from '#fleet/record.ts';
import { makeDatabase } from '../../fleet/postgres.ts';
import { CLAUDE } from '../host.ts';
import { makeWorld, until } from '../world.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const PARTS = ['parser', 'lexer', 'printer'];

/** The three commands, but for the first: the test has a database of its own. */
function commands(url: string): string {
  const [, block = ''] = /## On many machines[^`]*```sh\n([^`]*)```/.exec(README) ?? [];
  const [docker, ...rest] = block.trim().split('\n');
  expect(docker).toContain('docker compose -f ../dacapo/examples/fleet/compose.yaml');
  expect(rest).toHaveLength(2);
  return rest.join('\n').replace('postgres://dacapo:dacapo@127.0.0.1/dacapo', url);
}

test('two workers and three loops with the commands of the README', { timeout: 120_000 }, async () => {
  // The first attempt of each loop does too little.
  const attempts = new Map<string, number>();
  const world = await makeWorld(({ text }) => {
    if (text.includes('written')) return 'Done.';
    const part = /Make the tests of the (\w+) pass/.exec(text)?.[1] ?? 'none';
    const nth = (attempts.get(part) ?? 0) + 1;
    attempts.set(part, nth);
    // Nothing that another loop has left in its home is here.
    const look = `test ! -e ~/.toolrc || test -e ~/${part} || echo ${part} >> "$POISONED"`;
    const leave = `echo ${part} | tee ~/.toolrc > ~/${part}; echo x > "$TMPDIR/x"`;
    const command = `${look}; ${leave} && echo line >> ${part}.txt; echo written ${nth}`;
    return [{ tool: 'Bash', input: { command } }];
  });
  const { sandbox } = world;
  const rule = (part: string) => `test-${part}:\n\ttest "$$(wc -l < ${part}.txt)" = 2\n`;
  sandbox.write('Makefile', PARTS.map(rule).join('\n'));
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: sandbox.project, env: sandbox.env, encoding: 'utf8' }).trim();
  git('add', '.');
  git('commit', '-qm', 'first');
  const bin = join(sandbox.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'dacapo'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/dist/cli.cjs' "$@"\n`, {
    mode: 0o755,
  });
  const poisoned = join(sandbox.root, 'poisoned');
  const env = {
    ...sandbox.env,
    POISONED: poisoned,
    PATH: `${bin}:${sandbox.env['PATH']}`,
    DACAPO_CLAUDE: CLAUDE,
  };
  // As with the compose file: its user may make roles, so the workers get a login of their own.
  const url = (await makeDatabase()).url.replace(/\/\/[^@]+@/, '//root:root@');
  const sh = (script: string) =>
    new Promise<string>((done) => {
      const shell = spawn('sh', ['-c', script], {
        cwd: sandbox.project,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
      // The workers hold the pipe for as long as they live.
      shell.on('exit', () => done(said));
    });
  expect(await sh(commands(url))).toContain('made the tables');
  await until(() => PARTS.every((part) => attempts.get(part) === 2), 'the second attempts', 90_000);
  const list = async () => JSON.parse(await sh('dacapo fleet list --json')) as FleetLoop[];
  while ((await list()).some(({ status }) => status !== 'completed')) await sleep(200);
  const loops = await list();
  expect(loops).toHaveLength(3);
  for (const { id, iteration, branch } of loops) {
    expect({ id, iteration, branch }).toEqual({ id, iteration: 2, branch: `dacapo/${id}` });
    expect(git('log', '--format=%(trailers:key=Da-Capo-Iteration,valueonly)', `main..dacapo/${id}`)).toMatch(
      /^2\s+1$/,
    );
  }
  expect(Object.fromEntries(attempts)).toEqual({ parser: 2, lexer: 2, printer: 2 });
  expect(existsSync(poisoned)).toBe(false);
  expect(existsSync(join(sandbox.env['HOME'] ?? '', '.toolrc'))).toBe(false);
  // What the person has checked out is untouched.
  expect(git('status', '--short')).toBe('');
  const { workers } = JSON.parse(await sh('dacapo fleet status --json')) as FleetStatus;
  expect(workers).toHaveLength(2);
  for (const { name } of workers) await sh(`dacapo fleet drain ${name}`);
  await until(() => sandbox.processes().length === 0, 'the workers to end', 20_000);
});
