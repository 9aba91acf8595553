/** A loop can be stopped from any terminal, without a model. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeWorld, notices, until, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** `dacapo cancel`, in the project's folder. */
function cancelFromTerminal({ sandbox }: World): string {
  return execFileSync(process.execPath, [CLI, 'cancel'], {
    cwd: sandbox.project,
    env: sandbox.env,
    encoding: 'utf8',
  });
}

async function cancelledBy(cancel: (world: World) => unknown) {
  const world: World = await makeWorld(({ n }) => {
    if (n === 1) cancel(world);
    return 'Not yet.';
  });
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(world.model.requests).toHaveLength(2);
  expect(world.sandbox.has('.claude/ralph-loop.local.md')).toBe(false);
  const said = notices(run).filter((notice) => notice.includes('cancelled'));
  expect(said).toHaveLength(1);
  expect(run.result).toMatchObject({ is_error: false, result: 'Not yet.' });
  return said[0];
}

test('cancelled from a terminal mid-loop, it ends at the next stop, with one message', async () => {
  expect(await cancelledBy(cancelFromTerminal)).toContain('cancelled after 1 iteration (from a terminal)');
});

test('deleting the state file cancels too', async () => {
  const remove = (world: World): void => rmSync(join(world.sandbox.project, '.claude/ralph-loop.local.md'));
  expect(await cancelledBy(remove)).toContain('cancelled after 1 iteration (its state file was deleted)');
});

test('a loop that is cancelled while a check runs ends with that stop', async () => {
  const world = await makeWorld(['<promise>COMPLETE</promise>']);
  const host = world.start(
    '/dacapo:ralph Write a poem --completion-promise COMPLETE --check "test -f .claude/ralph-loop.local.md || exit 1; touch began; while ! test -f end; do sleep 0.1; done; false"',
  );
  await until(() => world.sandbox.has('began'), 'the check');
  expect(cancelFromTerminal(world)).toMatch(/cancelled after 0 iterations/);
  world.sandbox.write('end', '');
  const run = await host.done;
  expect(world.model.requests).toHaveLength(1);
  expect(notices(run).filter((notice) => notice.includes('cancelled'))).toHaveLength(1);
});
