// @module-tag slow
/** The plugin as it is shipped: nothing but Node, nothing to make executable, and alone or beside others. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isRecord } from '#base/shape.ts';
import { CLAUDE, runClaude, type Sandbox } from '../host.ts';
import { DONE, PLUGIN, context, makeWorld, newContext, notices } from '../world.ts';

const exec = promisify(execFile);

/** A folder that holds `node` and nothing else, to be all of a PATH. */
function onlyNode(sandbox: Sandbox): string {
  const bin = join(sandbox.root, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  return bin;
}

test('nothing but Node on the PATH: the loop starts, checks, goes on and completes', async () => {
  const world = await makeWorld(['Not yet.', DONE]);
  const env = { PATH: onlyNode(world.sandbox) };
  const prompt = '/dacapo:ralph Write a poem --completion-promise COMPLETE --check "node -e 0"';
  const run = await world.run(prompt, [], { env });
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
});

test('a hook that is not called is noticed: the model is told that no loop was started', async () => {
  const world = await makeWorld(['No loop was started.']);
  const commands = ['ralph Write a poem', 'resume-ralph', 'cancel-ralph', 'ralph-status'];
  // One process of the host takes them one after the other.
  const settings = ['--settings', JSON.stringify({ disableAllHooks: true }), '--input-format', 'stream-json'];
  const input = commands.map((command) =>
    JSON.stringify({ type: 'user', message: { role: 'user', content: `/dacapo:${command}` } }),
  );
  await runClaude(world.sandbox, ['--plugin-dir', PLUGIN, ...settings], { input: `${input.join('\n')}\n` });
  expect(world.model.requests).toHaveLength(commands.length);
  for (const [n] of commands.entries()) {
    const asked = newContext(world.model, n);
    expect(asked).toMatch(/hook was not called/);
    expect(asked).toContain('dacapo doctor');
  }
  expect(context(world.model.requests[0])).toMatch(/no loop\s+was started/);
  expect(world.loops()).toEqual([]);
});

test('the agent changes its directory and the loop goes on', async () => {
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: 'mkdir -p sub/deep && cd sub/deep && git init -q && pwd' } }],
    'Not yet.',
    [{ tool: 'Bash', input: { command: 'pwd' } }],
    DONE,
  ]);
  await world.run('/dacapo:ralph Write a poem');
  expect(newContext(world.model, 3)).toContain('sub/deep');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2, project: world.sandbox.project });
  expect(world.sandbox.has('sub/deep/.claude')).toBe(false);
});

test('claude plugin validate --strict finds nothing, and the manifest brings the hooks', async () => {
  const world = await makeWorld(['never asked for']);
  const { stdout } = await exec(CLAUDE, ['plugin', 'validate', '--strict', PLUGIN], {
    env: world.sandbox.env,
  });
  expect(stdout).toMatch(/Validation passed/);
  const { hooks } = JSON.parse(readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8'));
  expect(isRecord(hooks) && Object.keys(hooks).sort()).toEqual([
    'PreToolUse',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'StopFailure',
    'UserPromptExpansion',
    'UserPromptSubmit',
  ]);
});

test('no file has CRLF, and a copy in a path with spaces, without an execute bit, works', async () => {
  const world = await makeWorld(['Not yet.', DONE]);
  const copy = join(world.sandbox.root, "a folder's (copy)", 'dacapo');
  cpSync(PLUGIN, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (readFileSync(path).includes('\r\n')) throw new Error(`${path} has CRLF`);
    chmodSync(path, 0o444);
  }
  const run = await runClaude(world.sandbox, ['--plugin-dir', copy, '/dacapo:ralph Write a poem']);
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
});

test('one stop that is delivered twice, beside another hook that blocks, is judged once', async () => {
  const world = await makeWorld(['Not yet.', 'Still not.', 'Almost.', DONE]);
  const other = world.sandbox.write(
    'other-hook.cjs',
    `const { stop_hook_active } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
     if (!stop_hook_active) console.log(JSON.stringify({ decision: 'block', reason: 'The other hook says no.' }));`,
  );
  const again = {
    type: 'command',
    command: 'node',
    args: [join(PLUGIN, 'dist/hook.cjs'), 'a second registration'],
  };
  const blocking = { type: 'command', command: 'node', args: [other] };
  const expansion = { matcher: 'dacapo:ralph', hooks: [again] };
  world.sandbox.settings({
    hooks: { Stop: [{ hooks: [blocking, again] }], UserPromptExpansion: [expansion] },
  });
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(newContext(world.model, 1)).toContain('The other hook says no.');
  expect(newContext(world.model, 1).match(/iteration 2 of 50/g)).toHaveLength(1);
  expect(world.loops()).toHaveLength(1);
  expect(world.loops()[0]).toMatchObject({ stops: 4, status: { is: 'completed' } });
  expect(world.status()).toMatchObject({ iteration: 4 });
  expect(notices(run).filter((notice) => /started|completed/.test(notice))).toHaveLength(2);
});
