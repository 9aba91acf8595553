// @module-tag slow
/**
 * Measures and confirmations, with the real Claude Code in both drivers, and what `dacapo explain` says about
 * them.
 */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { context, makeWorld, newContext, notices } from '../world.ts';

const bash = (command: string): Reply => [{ tool: 'Bash', input: { command } }];

const SUITE = 'for t in tests/*.sh; do sh "$t" || exit 1; done\n';
const FAILING_TEST = 'test -f work.txt\n';
const SHRINKS: [Reply, ...Reply[]] = [
  bash('rm tests/b.sh'),
  'All green.',
  bash(`touch work.txt; printf '${FAILING_TEST.trim()}\\n' > tests/b.sh`),
  'Fixed.',
];

test('in a session, a suite that is green because it tests less does not complete', async () => {
  const world = await makeWorld(SHRINKS);
  world.sandbox.write('suite.sh', SUITE);
  world.sandbox.write('tests/a.sh', 'true\n');
  world.sandbox.write('tests/b.sh', FAILING_TEST);
  const run = await world.run(
    '/dacapo:ralph Fix it --check "sh suite.sh" --measure "tests=ls tests | wc -l" --keep tests',
  );
  expect(newContext(world.model, 2)).toContain('tests is 1 (2 at the start, goal >= 2)');
  expect(notices(run).at(-1)).toMatch(/completed after 2 iterations: .* and tests >= 2 \(proven\)\./);
  const explained = await dacapo(world, 'explain');
  expect(explained.stdout).toContain('✓ tests is 2 (2 at the start, goal >= 2)');
});

test('in a run as well, and rollback --best returns to the point that was nearest to the goals', async () => {
  const world = await makeWorld([
    bash('echo 2 > n.txt'),
    'Better.',
    bash('echo 9 > n.txt'),
    'Hm.',
    bash('echo 10 > n.txt'),
    'Hm.',
  ]);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.sandbox.project, env: world.sandbox.env });
  world.sandbox.write('n.txt', '5\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  const args = ['--measure', 'failures=cat n.txt', '--target', 'failures<=0', '--max-stalls', '5'];
  const run = await dacapo(world, 'run', 'Fix it.', ...args, '--pause', '0', '--json', ...UNATTENDED);
  expect(ofKind(run, 'judged').map(({ missing }) => missing)).toEqual([
    ['failures is 2 (5 at the start, goal <= 0)'],
    ['failures is 9 (5 at the start, goal <= 0)'],
    ['failures is 10 (5 at the start, goal <= 0)'],
  ]);
  // Its command ended well, which says nothing about its number.
  expect(ofKind(run, 'check-ended')[0]).toMatchObject({ passed: null, measured: true, tail: '2' });
  expect(context(world.model.requests[4])).toContain('The best so far was iteration 1.');
  expect(ofKind(run, 'ends')[0]?.reason).toMatch(
    /further from their goals .*best after iteration 1 \(dacapo rollback --best/,
  );
  const explained = await dacapo(world, 'explain');
  expect(explained.stdout).toContain('no progress: the measures are further from their goals');
  const back = await dacapo(world, 'rollback', '--best');
  expect(back.stdout).toContain('after iteration 1');
  expect(world.sandbox.read('n.txt')).toBe('2\n');
});

test('--confirm in a session: the same agent looks for what is missing until a pass changes nothing', async () => {
  const world = await makeWorld([
    bash('echo x > done.txt'),
    'There.',
    bash('echo y > more.txt'),
    'More.',
    'Nothing.',
  ]);
  const run = await world.run('/dacapo:ralph Write done.txt --check "test -f done.txt" --confirm 1');
  expect(newContext(world.model, 2)).toContain('confirmed 0 of 1. Now look for what is missing');
  expect(newContext(world.model, 4)).toContain('(the last pass changed something)');
  expect(notices(run).at(-1)).toContain(
    'completed after 3 iterations: `test -f done.txt` passes and 1 iteration confirmed it',
  );
  expect((await dacapo(world, 'status')).stdout).toContain('confirmed 1 of 1');
});

test('--confirm in a run: new agents confirm, also with --continue, and a limit says how far it came', async () => {
  const world = await makeWorld([bash('echo x > done.txt'), 'There.', 'Nothing.', 'Nothing.']);
  const args = ['--check', 'test -f done.txt', '--confirm', '2', '--continue', '--pause', '0', '--json'];
  const run = await dacapo(world, 'run', 'Write done.txt.', ...args, ...UNATTENDED);
  expect(run.code).toBe(0);
  const sessions = ofKind(run, 'iteration-begins').map(({ session }) => session);
  expect(new Set(sessions).size).toBe(3);
  expect(context(world.model.requests[2])).toContain(
    'Your pass confirms the work of others: the gates hold; confirmed 0 of 2',
  );
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 3 });

  const short = await makeWorld([bash('echo x > done.txt'), 'There.', 'Nothing.']);
  const limited = await dacapo(short, 'run', 'Write.', ...args, '--max-iterations', '2', ...UNATTENDED);
  expect(ofKind(limited, 'judged').at(-1)?.missing[0]).toContain('confirmed 1 of 2');
  const explained = await dacapo(short, 'explain');
  expect(explained.stdout).toContain('confirmed 1 of 2');
});
