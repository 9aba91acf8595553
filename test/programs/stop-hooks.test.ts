// User code ends with whoever asked it: the bundled hook program is ended while a stop hook hangs.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { eventsOf, makeProgram, said, until, type Program } from './program.ts';

const CONFIG = 'dacapo.config.mjs';
/** Ten seconds under load: a group gets two to end by itself before it is made to. */
const GRACE = 15_000;

const opened: Program[] = [];
afterEach(() => {
  for (const hook of opened.splice(0)) hook.close();
});

/** Its stop hook starts something, and then never yields. */
async function withHangingHook(): Promise<Program> {
  const hook = makeProgram();
  opened.push(hook);
  writeFileSync(
    join(hook.project, CONFIG),
    `import { spawn } from 'node:child_process';
     import { writeFileSync } from 'node:fs';
     export default { hooks: [function hang() { spawn('sleep', ['60']); writeFileSync('asked', ''); for (;;); }] };`,
  );
  const pinned = pinConfig(hook.project, CONFIG);
  if (!pinned.ok) throw new Error(pinned.message);
  fileStore(homeAt(hook.home)).trust.keep({
    ...pinned,
    project: hook.project,
    file: CONFIG,
    at: new Date().toISOString(),
  });
  await hook.start('Build it');
  return hook;
}

describe('while a stop hook hangs', () => {
  test('SIGTERM (Esc): the stop is lost and spends nothing, and all that the hook started ends', async () => {
    const hook = await withHangingHook();
    const { child, ended } = hook.begin(hook.stopped('Words.'));
    await until('the hook is asked', () => existsSync(join(hook.project, 'asked')), GRACE);
    child.kill('SIGTERM');
    expect(said(await ended)).toBeNull();
    await until('nothing is left running', () => hook.processes().length === 0, GRACE);
    expect(eventsOf(hook.events(), 'lost')).toMatchObject([{ n: 1, why: 'terminated' }]);
    expect(hook.passes()).toBe(0);
  });

  test('kill -9: all that the hook started ends', async () => {
    const hook = await withHangingHook();
    const { child, ended } = hook.begin(hook.stopped('Words.'));
    await until('the hook is asked', () => existsSync(join(hook.project, 'asked')), GRACE);
    child.kill('SIGKILL');
    await ended;
    await until('nothing is left running', () => hook.processes().length === 0, GRACE);
  });
});
