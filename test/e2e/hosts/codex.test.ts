// The real Codex in all of Da Capo: driven by `dacapo run`, and in its own session after `dacapo init --host codex`.
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustHash, trustKey } from '../../../src/hosts/codex/session-hooks.ts';
import { handlersIn } from '../../../src/hosts/setup/registration.ts';
import { readSettings } from '../../../src/hosts/setup/settings.ts';
import { dacapo, ofKind, startDacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { until } from '../world.ts';
import type { Script, Turn } from './script.ts';
import { hostStage, isMissing, type HostStage } from './stage.ts';

const CHECK = ['--check', 'test -f done.txt'];
/** The sandbox of Codex needs more of a machine than every CI has. */
const UNBOUND = ['--', '--dangerously-bypass-approvals-and-sandbox'];
const RUN = ['run', '--host', 'codex', 'Make done.txt', ...CHECK, '--pause', '0', '--json'];
const usage = { input: 100, output: 20 };
const THREE: readonly [Turn, ...Turn[]] = [
  { text: 'Nothing yet.', usage },
  { text: 'Still nothing.', usage },
  { run: 'touch done.txt', usage },
  { text: 'There it is.', usage },
];

interface Shown {
  readonly status: string;
  readonly iteration: number;
  readonly tokens: number;
}

async function shown(stage: HostStage): Promise<Shown> {
  const { stdout } = await dacapo({ sandbox: stage }, 'status', '--json');
  const all: unknown = JSON.parse(stdout);
  return (Array.isArray(all) ? all[0] : (all as { loops: unknown[] }).loops[0]) as Shown;
}

interface JournalEvent {
  readonly type: string;
  readonly session?: string;
}

function journal(stage: HostStage): JournalEvent[] {
  const loops = join(stage.dacapoHome, 'loops');
  const [id = ''] = readdirSync(loops);
  return readFileSync(join(loops, id, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEvent);
}

/** What a person does in the screen of Codex: the hash of each hook is kept in its config. */
function trustHooks(stage: HostStage): void {
  const file = join(stage.home, '.codex', 'hooks.json');
  const hooks = handlersIn(readSettings(file) ?? {}).map(({ event, group, at, handler }) => {
    const hash = trustHash(event, { command: handler['command'], timeout: handler['timeout'] });
    return `[hooks.state.${JSON.stringify(trustKey(file, event, group, at))}]\ntrusted_hash = "${hash}"\n`;
  });
  appendFileSync(join(stage.home, '.codex', 'config.toml'), hooks.join(''));
}

describe.skipIf(isMissing('codex'))('the real Codex', () => {
  const staged = (script: Script) => hostStage('codex', script);

  test('three iterations by dacapo run, with a check that fails twice', async () => {
    const stage = await staged(THREE);
    const run = await dacapo({ sandbox: stage }, ...RUN, ...UNBOUND);
    expect(run.code).toBe(0);
    expect(stage.model.requests).toHaveLength(4);
    expect(stage.model.requests[1]?.text).toContain('check `test -f done.txt` failed with exit code 1');
    expect(await shown(stage)).toMatchObject({
      status: 'completed',
      iteration: 3,
      tokens: 480,
    });
    const events = journal(stage);
    expect(events.filter(({ type }) => type === 'taken')).toMatchObject(Array(3).fill({ host: 'codex' }));
    const threads = events.filter(({ type }) => type === 'identified').map(({ session }) => session);
    expect(new Set(threads).size).toBe(3);
    expect(stage.processes()).toEqual([]);
  });

  test('one thread for all iterations, with exact counts: Codex tells the total of a thread', async () => {
    const stage = await staged(THREE);
    const run = await dacapo({ sandbox: stage }, ...RUN, '--continue', ...UNBOUND);
    expect(run.code).toBe(0);
    expect(stage.model.requests[3]?.messages.map(({ text }) => text).join('\n')).toContain('Nothing yet.');
    expect(await shown(stage)).toMatchObject({ iteration: 3, tokens: 480 });
  });

  test('an unknown host is a usage error that names the known ones', async () => {
    const stage = await staged(['Never.']);
    const run = await dacapo({ sandbox: stage }, 'run', '--host', 'kodex', 'Do it.');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('claude-code, codex');
  });

  test('a key that is not accepted ends the run at once', async () => {
    const stage = await staged([{ status: 401 }]);
    const run = await dacapo({ sandbox: stage }, ...RUN, ...UNBOUND);
    expect(run.code).toBe(8);
    expect(stage.model.requests.length).toBeLessThan(6);
    expect(ofKind(run, 'ends')).toMatchObject([{ status: 'escalated' }]);
    expect(ofKind(run, 'ends')[0]?.next).toContain('codex login');
  });

  test('429 is waited out, and is no iteration', async () => {
    const stage = await staged([{ status: 429 }, { run: 'touch done.txt' }, 'There it is.']);
    const run = await dacapo({ sandbox: stage }, ...RUN, ...UNBOUND);
    expect(run.code).toBe(0);
    expect(ofKind(run, 'fault').map((one) => one.class)).toEqual(['transient']);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
  });

  const hangs = (): Script => {
    let hung = false;
    return ({ n }) => {
      if (n === 0) return 'Nothing yet.';
      const first = !hung;
      hung = true;
      if (first) return { text: 'late', delay: 120_000 };
      return n % 2 === 0 ? { run: 'touch done.txt' } : 'There it is.';
    };
  };

  test('cancel from another terminal ends the pass, and leaves nothing running', async () => {
    const stage = await staged(hangs());
    const run = startDacapo({ sandbox: stage }, [...RUN, ...UNBOUND]);
    await until(() => stage.model.requests.length >= 2, 'the second pass', 30_000);
    expect((await dacapo({ sandbox: stage }, 'cancel')).code).toBe(0);
    await run.ended;
    expect(await shown(stage)).toMatchObject({ status: 'cancelled' });
    expect(stage.processes()).toEqual([]);
  });

  test('kill -9 in the middle of an iteration, then resume completes', async () => {
    const stage = await staged(hangs());
    const run = startDacapo({ sandbox: stage }, [...RUN, ...UNBOUND]);
    await until(() => stage.model.requests.length >= 2, 'the second pass', 30_000);
    run.signal('SIGKILL');
    await run.ended;
    await until(() => stage.processes().length === 0, 'Codex to be gone with its driver');
    expect((await dacapo({ sandbox: stage }, 'resume', '--json')).code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test('a protected file is guarded in its passes', async () => {
    const stage = await staged([{ run: 'echo weak > spec.txt' }, { run: 'touch done.txt' }, 'There it is.']);
    stage.write('spec.txt', 'strict\n');
    const run = await dacapo({ sandbox: stage }, ...RUN, '--protect', 'spec.txt', ...UNBOUND);
    expect(run.code).toBe(0);
    expect(stage.model.requests[1]?.text).toContain('blocked by PreToolUse hook');
    expect(stage.read('spec.txt')).toBe('strict\n');
  });

  test('--max-cost is refused: Codex does not tell what a pass costs', async () => {
    const stage = await staged(['Never.']);
    const run = await dacapo({ sandbox: stage }, ...RUN, '--max-cost', '1', ...UNBOUND);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('--max-tokens');
    expect(stage.model.requests).toEqual([]);
  });

  test('three iterations in its own session, after init, with trust, and bound by its prompt', async () => {
    const stage = await staged(THREE);
    const world = { sandbox: stage };
    const init = await dacapo(world, 'init', '--host', 'codex', '--scope', 'user');
    expect(init.stdout).toMatch(/only after you trust it/);
    expect((await dacapo(world, 'doctor', '--host', 'codex')).stdout).toMatch(/have not trusted/);
    trustHooks(stage);
    expect((await dacapo(world, 'doctor', '--host', 'codex')).stdout).toMatch(/trusts the hooks/);
    const ready = await dacapo(world, 'ready', '--host', 'codex', 'Make done.txt', ...CHECK);
    expect(ready.stdout).toContain('codex "Make done.txt"');
    const args = ['exec', '--json', UNBOUND[1] ?? '', 'Make done.txt'];
    const session = await startHeadless(join(stage.root, 'bin', 'codex'), args, stage).done;
    expect(session.code).toBe(0);
    expect(stage.model.requests).toHaveLength(4);
    expect(stage.model.requests[1]?.text).toContain('hook_prompt');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
    expect((await dacapo(world, 'doctor', '--host', 'codex')).stdout).toMatch(
      /A stop of Codex was last judged/,
    );
    expect((await dacapo(world, 'uninstall', '--host', 'codex', '--scope', 'user')).code).toBe(0);
    expect(stage.has('.codex/hooks.json')).toBe(false);
  });

  test('a hook that nobody trusted is skipped, and the loop still waits', async () => {
    const stage = await staged(['Nothing yet.']);
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', 'codex', '--scope', 'user');
    await dacapo(world, 'ready', '--host', 'codex', 'Make done.txt', ...CHECK);
    const args = ['exec', '--json', UNBOUND[1] ?? '', 'Make done.txt'];
    await startHeadless(join(stage.root, 'bin', 'codex'), args, stage).done;
    expect(stage.model.requests).toHaveLength(1);
    expect(await shown(stage)).toMatchObject({ status: 'pending' });
  });

  test('hooks of the command line leave the trust of the person as it is', async () => {
    const stage = await staged(THREE);
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', 'codex', '--scope', 'user');
    trustHooks(stage);
    const before = readFileSync(join(stage.home, '.codex', 'config.toml'), 'utf8');
    await dacapo(world, ...RUN, ...UNBOUND);
    const after = readFileSync(join(stage.home, '.codex', 'config.toml'), 'utf8');
    // Codex itself adds that it was run in this folder.
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).not.toContain('hooks');
  });
});
