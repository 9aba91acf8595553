import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckGate } from '#law/gates.ts';
import { proveChecks, type CheckRun } from '#evidence/proofs/checks.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { gone } from '../../processes.ts';

const RUNNER = resolve(import.meta.dirname, '../../../plugin/dist/runner.cjs');

function check(command: string, name: string | null = null, timeoutMs = 30_000): CheckGate {
  return { kind: 'check', name, command, timeoutMs };
}

function bench(cwd: string, over: Partial<CheckRun> = {}): CheckRun {
  let outputs = 0;
  return {
    cwd,
    runner: RUNNER,
    parallel: 1,
    budgetMs: 60_000,
    signal: new AbortController().signal,
    begun: () => undefined,
    ended: () => undefined,
    evidence: () => {
      const path = join(cwd, `output-${++outputs}`);
      writeFileSync(path, '');
      return path;
    },
    ...over,
  };
}

describe('checks', () => {
  test('keep their names, and their order whichever ends first', async () => {
    const cwd = temporaryFolder();
    const proofs = await proveChecks(
      [check('sleep 1; exit 2', 'slow'), check('true', 'fast')],
      bench(cwd, { parallel: 2 }),
    );
    expect(proofs).toMatchObject([
      { name: 'slow', outcome: { is: 'failed', exit: 2 } },
      { name: 'fast', outcome: { is: 'passed' } },
    ]);
  });

  test('name a file of a clean room by its path in the project', async () => {
    const cwd = temporaryFolder();
    const fails = [check('echo "not ok: $PWD/lib/a.test.js:5"; exit 1')];
    const room = { env: { PATH: process.env['PATH'] ?? '' }, command: (command: string) => command };
    const here = bench(cwd);
    const tails = await Promise.all(
      [here, { ...here, room }].map(async (run) => (await proveChecks(fails, run))[0]?.outcome),
    );
    expect(tails).toMatchObject([
      { tail: `not ok: ${cwd}/lib/a.test.js:5` },
      { tail: 'not ok: lib/a.test.js:5' },
    ]);
    expect(readFileSync(join(cwd, 'output-2'), 'utf8')).toContain(`${cwd}/lib`);
  });

  test('run at once only where asked', async () => {
    const meet =
      'touch $ME; n=0; until [ -f $OTHER ]; do n=$((n+1)); [ $n -gt 100 ] && exit 1; sleep 0.1; done';
    const two = [`ME=a; OTHER=b; ${meet}`, `ME=b; OTHER=a; ${meet}`].map((command) => check(command));
    expect(
      (await proveChecks(two, bench(temporaryFolder(), { parallel: 2 }))).map(({ outcome }) => outcome.is),
    ).toEqual(['passed', 'passed']);
    const cwd = temporaryFolder();
    const alone = [check('touch first; sleep 0.5; rm first'), check('test ! -f first')];
    expect((await proveChecks(alone, bench(cwd))).map(({ outcome }) => outcome.is)).toEqual([
      'passed',
      'passed',
    ]);
  });

  test('end with their whole group when their own time is over', async () => {
    const cwd = temporaryFolder();
    const [proof] = await proveChecks(
      [check('sleep 60 & echo $! > left; sleep 60', null, 1_000)],
      bench(cwd),
    );
    expect(proof?.outcome.is).toBe('timed-out');
    const left = Number(readFileSync(join(cwd, 'left'), 'utf8'));
    expect(await gone(left)).toBe(true);
  });

  test('share the time of all: what it does not reach is not started, and says so', async () => {
    const cwd = temporaryFolder();
    const proofs = await proveChecks(
      [check('sleep 60'), check('touch reached')],
      bench(cwd, { budgetMs: 1_500 }),
    );
    expect(proofs.map(({ outcome }) => outcome.is)).toEqual(['timed-out', 'timed-out']);
    expect(proofs[1]?.outcome).toMatchObject({ tail: expect.stringContaining('Not started') });
    expect(existsSync(join(cwd, 'reached'))).toBe(false);
  });

  test('tell when they begin and end', async () => {
    const seen: string[] = [];
    await proveChecks(
      [check('true', 'a'), check('exit 1', 'b')],
      bench(temporaryFolder(), {
        begun: ({ name }) => seen.push(`${name} begins`),
        ended: ({ name, outcome }) => seen.push(`${name} ${outcome.is}`),
      }),
    );
    expect(seen).toEqual(['a begins', 'a passed', 'b begins', 'b failed']);
  });
});
