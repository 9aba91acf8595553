// @module-tag agents
// The real Codex in all of Da Capo, and what only Codex has: trust in hooks.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustHash, trustKey } from '#hosts/codex/session-hooks.ts';
import { recognisedIn } from '#hosts/setup/registration.ts';
import { settingsIn } from '#hosts/setup/settings.ts';
import { dacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import type { Script } from './script.ts';
import { hostStage, type HostStage } from './stage.ts';
import {
  CHECK,
  hostSuite,
  journal,
  putOnPath,
  readySession,
  runOf,
  shown,
  THREE,
  type HostCase,
} from './suite.ts';

/** What a person does in the screen of Codex: the hash of each hook is kept in its config. */
function trustHooks(stage: HostStage): void {
  const file = join(stage.home, '.codex', 'hooks.json');
  const hooks = recognisedIn(settingsIn(file) ?? {}).map(({ event, group, at, handler }) => {
    const hash = trustHash(event, { command: handler['command'], timeout: handler['timeout'] });
    return `[hooks.state.${JSON.stringify(trustKey(file, event, group, at))}]\ntrusted_hash = "${hash}"\n`;
  });
  appendFileSync(join(stage.home, '.codex', 'config.toml'), hooks.join(''));
}

const CODEX: HostCase = {
  name: 'codex',
  // The sandbox of Codex needs more of a machine than every CI has.
  unattended: ['--', '--dangerously-bypass-approvals-and-sandbox'],
  login: 'codex login',
  faults: ['transient'],
  refused: 'blocked by PreToolUse hook',
  mcp: { add: ['mcp', 'add', 'dacapo', '--', 'dacapo', 'mcp'] },
  guardByInit: false,
  asks: true,
  settings: '.codex/hooks.json',
  trust: trustHooks,
  session: (stage, prompt, id) => {
    const exec = id === undefined ? ['exec'] : ['exec', 'resume', id];
    const args = [...exec, '--json', '--dangerously-bypass-approvals-and-sandbox', prompt];
    return startHeadless(join(stage.root, 'bin', 'codex'), args, stage).done;
  },
};

describe('the real Codex', () => {
  const staged = (script: Script) => hostStage('codex', script);

  hostSuite(CODEX);

  test('a reserve of the week ends the run, by what Codex records in its session', async () => {
    const headers = {
      'x-codex-primary-used-percent': '10',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': String(Math.ceil(Date.now() / 1000) + 3_600),
      'x-codex-secondary-used-percent': '83.5',
      'x-codex-secondary-window-minutes': '10080',
      'x-codex-secondary-reset-at': String(Math.ceil(Date.now() / 1000) + 360_000),
    };
    const stage = await staged([{ text: 'Nothing yet.', headers }]);
    const flags = [...CHECK, '--reserve', '20%', '--pause', '0', '--json', ...CODEX.unattended];
    const run = await dacapo({ sandbox: stage }, 'run', '--host', 'codex', 'Do it.', ...flags);
    expect(run.stdout).toContain('83 % of the weekly window is used, and 20 % is reserved; it resets at');
    expect(stage.model.requests).toHaveLength(1);
    expect(run.code).toBe(7);
  });

  test('an agent that weakens its check does not complete, and is told', async () => {
    const stage = await hostStage('codex', [{ run: 'echo true > tests/check.sh' }, 'Done.', 'Done.']);
    mkdirSync(join(stage.project, 'tests'));
    writeFileSync(join(stage.project, 'tests/check.sh'), 'test -f done.txt\n');
    const flags = ['--check', 'sh tests/check.sh', '--max-iterations', '2', '--pause', '0'];
    const { unattended } = CODEX;
    const run = await dacapo({ sandbox: stage }, 'run', '--host', 'codex', 'Do it', ...flags, ...unattended);
    const named = 'Changed since: tests/check.sh';
    expect(run.stdout + run.stderr).toContain(named);
    expect(stage.model.requests.at(-1)?.text).toContain(named);
    expect(await shown(stage)).toMatchObject({ status: 'exhausted', doneBy: null });
  });

  test('an unknown host is a usage error that names the known ones', async () => {
    const stage = await staged(['Never.']);
    const run = await dacapo({ sandbox: stage }, 'run', '--host', 'kodex', 'Do it.');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('claude-code, codex');
  });

  test('a hook that nobody trusted is skipped, and the loop still waits', async () => {
    const stage = await staged(['Nothing yet.']);
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', 'codex', '--scope', 'user');
    await dacapo(world, 'ready', '--host', 'codex', 'Make done.txt', ...CHECK);
    expect((await dacapo(world, 'doctor', '--host', 'codex')).stdout).toMatch(/have not trusted/);
    await CODEX.session(stage, 'Make done.txt');
    expect(stage.model.requests).toHaveLength(1);
    expect(await shown(stage)).toMatchObject({ status: 'pending' });
  });

  test('three iterations with our plugin, by its own command, with the tools for agents', async () => {
    const stage = await staged(THREE);
    const config = join(stage.home, '.codex', 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('plugins = false', 'plugins = true'));
    const codex = (...args: string[]) => startHeadless(join(stage.root, 'bin', 'codex'), args, stage).done;
    // Without a network, looking for more plugins takes five seconds.
    const local = ['--disable', 'remote_plugin', '--disable', 'plugin_discovery_prefetch'];
    putOnPath(stage);
    await codex('plugin', 'marketplace', 'add', join(import.meta.dirname, '../../..'));
    await codex('plugin', 'add', 'dacapo@dacapo');
    await readySession(stage, {
      ...CODEX,
      session: () => stage.start('Make done.txt', local).done,
    });
    expect(stage.model.requests[0]?.tools.map(({ name }) => name)).toContain('loop_claim');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
  });

  test('what its agent says by a tool reaches its loop in a pass of dacapo run, too', async () => {
    const text = 'The file has to be empty.';
    const stage = await staged([{ call: { tool: 'loop_note', input: { text } } }, ...THREE]);
    putOnPath(stage);
    await startHeadless(join(stage.root, 'bin', 'codex'), CODEX.mcp?.add ?? [], stage).done;
    await dacapo({ sandbox: stage }, ...runOf(CODEX));
    expect(journal(stage)).toContainEqual(expect.objectContaining({ type: 'noted', words: text }));
    expect(stage.model.requests[2]?.text).toContain(text);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
  });

  test('hooks of the command line leave the trust of the person as it is; the journal keeps the id of each thread', async () => {
    const stage = await staged(THREE);
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', 'codex', '--scope', 'user');
    trustHooks(stage);
    const before = readFileSync(join(stage.home, '.codex', 'config.toml'), 'utf8');
    await dacapo(world, ...runOf(CODEX));
    const after = readFileSync(join(stage.home, '.codex', 'config.toml'), 'utf8');
    // Codex itself adds that it was run in this folder.
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).not.toContain('hooks');
    const threads = journal(stage).filter(({ type }) => type === 'identified');
    expect(new Set(threads.map(({ session }) => session)).size).toBe(3);
  });
});
