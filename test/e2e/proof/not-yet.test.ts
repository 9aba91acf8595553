// @module-tag slow
/** A check that exits with 75, and a task that no gate can show: on the real host, in both drivers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAwaitingAnswer } from '#law/loop.ts';
import { UNATTENDED, dacapo, ofKind, startDacapo, untilSaid } from '../dacapo.ts';
import { DONE, makeWorld, until, type World } from '../world.ts';

const CHECK = ['--check', 'sh ci.sh', '--completion-promise', 'COMPLETE', '--recheck', '1s'];
const UNVERIFIABLE = 'It looks right.\n\n<promise>UNVERIFIABLE: no browser here</promise>';

/**
 * What the check says lies outside of the project, as with a real CI: the script itself is what the check
 * stands on.
 */
function ci({ sandbox }: World, exit: number): void {
  const says = join(sandbox.home, 'ci.txt');
  writeFileSync(says, `${exit}\n`);
  writeFileSync(join(sandbox.project, 'ci.sh'), `exit "$(cat '${says}')"\n`);
}

async function explained(world: World, ...words: string[]): Promise<void> {
  const { stdout } = await dacapo(world, 'explain');
  for (const word of words) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(word);
}

test('dacapo run waits for the check without an agent, tells so everywhere, and then completes', async () => {
  const world = await makeWorld([DONE]);
  ci(world, 75);
  const run = startDacapo(world, ['run', 'Ship it.', ...CHECK, '--json', ...UNATTENDED]);
  await untilSaid(run, '"waits"');
  expect(ofKind({ stdout: run.stdout() }, 'waits')[0]).toMatchObject({
    for: 'check',
    why: '`sh ci.sh`',
  });
  expect(world.status()).toMatchObject({ status: 'waiting', iteration: 1, waits_for: 'check' });
  expect(world.status().reason).toMatch(/^is waiting for `sh ci.sh`, next look \d\d:\d\d,/);
  await explained(world, 'not yet: All that is missing is a check', '(rule 12 of 15)');
  ci(world, 0);
  const ended = await run.ended;
  expect(ended.code).toBe(0);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1, waits_for: null });
  expect(world.model.requests).toHaveLength(1);
});

test(
  'a session is let go, woken when the check fails, and told when the loop is complete',
  { tags: ['tmux'] },
  async () => {
    const world = await makeWorld(({ text }) =>
      text.includes('completed after') ? 'It is complete.' : DONE,
    );
    ci(world, 75);
    const screen = await world.open();
    await screen.submit(
      `/dacapo:ralph Ship it --max-iterations 5 --check "sh ci.sh" --completion-promise COMPLETE --recheck 1s`,
    );
    await screen.waitFor(/waiting for `sh ci.sh`, which says "not yet"/);
    expect(world.model.requests).toHaveLength(1);
    ci(world, 1);
    await until(() => world.model.requests.length === 2, 'the wake-up', 30_000);
    expect(JSON.stringify(world.model.requests[1])).toContain('failed with exit code 1');
    ci(world, 75);
    await until(() => world.status().waits_for === 'check', 'the second wait', 30_000);
    await explained(world, '(rule 12 of 15)');
    ci(world, 0);
    await until(() => world.status().status === 'completed', 'the end', 30_000);
    await screen.waitFor(/It is complete\./, 30_000);
  },
);

test('dacapo run asks a person to accept what no gate can show', async () => {
  const world = await makeWorld(() => UNVERIFIABLE);
  ci(world, 1);
  const run = startDacapo(world, ['run', 'Make it pretty.', ...CHECK, '--json', ...UNATTENDED]);
  const asked = async (past: number) => {
    await until(
      () =>
        ofKind({ stdout: run.stdout() }, 'waits').filter((one) => one['for'] === 'approval').length > past,
      'the request',
      30_000,
    );
    const listed: { id: string; kind: string; what: string }[] = JSON.parse(
      (await dacapo(world, 'approvals', '--json')).stdout,
    );
    expect(listed).toMatchObject([{ kind: 'acceptance' }]);
    expect(listed[0]?.what).toContain('no browser here');
    return listed[0]?.id ?? '';
  };
  const first = await asked(0);
  expect((await dacapo(world, 'reject', first, '--note', 'Try it in Firefox.')).code).toBe(0);
  const second = await asked(1);
  expect(JSON.stringify(world.model.requests)).toContain('Try it in Firefox.');
  await explained(world, 'a person was asked', '(rule 9 of 15)');
  expect((await dacapo(world, 'approve', second)).code).toBe(0);
  expect((await run.ended).code).toBe(0);
  expect(world.status().reason).toMatch(/accepted from a terminal, because the gates could not show it/);
});

test(
  'a session waits for the person, who changes the gates or accepts the work',
  { tags: ['tmux'] },
  async () => {
    const world = await makeWorld(({ text }) =>
      text.includes('The gates have changed') ? DONE : UNVERIFIABLE,
    );
    ci(world, 1);
    const screen = await world.open();
    await screen.submit(`/dacapo:ralph Make it pretty --max-iterations 5 --check "sh ci.sh"`);
    await screen.waitFor(/waiting for your answer: The agent says that the gates can't show/);
    ci(world, 0);
    expect((await dacapo(world, 'amend', '--promise', 'COMPLETE')).code).toBe(0);
    await screen.waitFor(/completed after 1 iteration/, 30_000);

    ci(world, 1);
    await screen.submit(`/dacapo:ralph Make it round --max-iterations 5 --check "sh ci.sh"`);
    await until(() => world.loops().some(isAwaitingAnswer), 'the second request', 30_000);
    expect((await dacapo(world, 'approve')).code).toBe(0);
    await explained(world, 'accepted from a terminal, because the gates could not show it');
    expect(world.loops().map(({ status }) => status.is)).toEqual(['completed', 'completed']);
  },
);

test('dacapo run waits within its time, looks once more when that is up, and says what it waited for', async () => {
  const world = await makeWorld([DONE]);
  ci(world, 75);
  const ended = await dacapo(world, 'run', 'Ship it.', ...CHECK, '--timeout', '8s', ...UNATTENDED);
  expect(ended.code).toBe(3);
  expect(ended.stdout).toMatch(/time limit of 8 s reached/);
  expect(world.model.requests).toHaveLength(1);
  await explained(world, 'time limit', 'says "not yet"');
});

test('a run that is killed while it waits goes on with a look, and dacapo cancel ends one that waits', async () => {
  const world = await makeWorld([DONE]);
  ci(world, 75);
  const flags = ['--check', 'sh ci.sh', '--completion-promise', 'COMPLETE', '--recheck', '1m', '--json'];
  const run = startDacapo(world, ['run', 'Ship it.', ...flags, ...UNATTENDED]);
  await untilSaid(run, '"waits"');
  run.signal('SIGKILL');
  await run.ended;
  const { id } = world.status();
  const again = startDacapo(world, ['run', '--loop', id, '--json']);
  await untilSaid(again, '"waits"');
  expect((await dacapo(world, 'status')).stdout).toMatch(/waiting for `sh ci.sh`, next look \d\d:\d\d/);
  expect((await dacapo(world, 'cancel')).code).toBe(0);
  await again.ended;
  expect(world.status()).toMatchObject({ status: 'cancelled', iteration: 0 });
  expect(world.model.requests).toHaveLength(1);
});

test('beside a check that fails, the agent is called: there is something that it can do', async () => {
  const world = await makeWorld([DONE, [{ tool: 'Bash', input: { command: 'touch fixed' } }], DONE]);
  ci(world, 75);
  const checks = [...CHECK, '--check', 'test -f fixed'];
  const run = startDacapo(world, ['run', 'Ship it.', ...checks, '--pause', '0', '--json', ...UNATTENDED]);
  await untilSaid(run, '"waits"');
  expect(JSON.stringify(world.model.requests[1])).toContain('check `test -f fixed` failed');
  expect(world.status()).toMatchObject({ status: 'waiting', iteration: 2 });
  ci(world, 0);
  expect((await run.ended).code).toBe(0);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});
