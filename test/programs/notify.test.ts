// Notifications as they happen: the bundled hook tells, and the bundled sender sends, each in a process of
// its own.
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { deadUrl, isSignedWith, receiver, until } from '../engine/notices/receiver.ts';
import { HOOK, beginHook, makeProgram, type Program } from './program.ts';

const WAKE = join(dirname(HOOK), 'wake.cjs');
const SECRET = 'a secret that both sides know';
const opened: Program[] = [];
afterEach(() => {
  // This also ends a sender that still tries to reach a dead receiver.
  for (const hook of opened.splice(0)) hook.close();
});

function program(config: unknown): Program {
  const hook = makeProgram();
  opened.push(hook);
  writeFileSync(join(hook.home, 'config.json'), JSON.stringify(config));
  return hook;
}

const logOf = (hook: Program) => readFileSync(join(hook.home, 'hook.log'), 'utf8');
const outbox = (hook: Program) => readdirSync(join(hook.home, 'outbox'));

describe('notifications from a session', () => {
  test('a webhook hears of the ending, signed, and the log says that it was sent', async () => {
    const { url, got } = await receiver();
    const hook = program({ notify: [`${url}/private/token`], notifySecret: SECRET });
    await hook.start('Do it.');
    await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    await until(() => got.length === 1);
    const [first] = got;
    if (first === undefined) throw new Error('nothing came');
    expect(isSignedWith(SECRET, first)).toBe(true);
    expect(JSON.parse(first.body)).toMatchObject({
      event: 'completed',
      loop: hook.loop().id,
      project: hook.project,
      status: 'completed',
      title: 'project: done',
    });
    await until(() => outbox(hook).length === 0);
    expect(logOf(hook)).toContain(`target=webhook ${url}: sent (HTTP 204)`);
    expect(logOf(hook)).not.toContain('private');
    expect(logOf(hook)).not.toContain(SECRET);
  });

  test('a dead receiver delays no hook, and changes no answer', async () => {
    const hook = program({ notify: [await deadUrl()] });
    await hook.start('Do it.');
    const ended = await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    // It has not waited for the attempts, which go on for half a minute.
    expect(logOf(hook)).not.toContain('failed');
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
    expect(hook.loop().status.is).toBe('completed');
    await until(() => outbox(hook).length === 2);
  });

  test('a broken config disturbs nothing, and the log names the field', async () => {
    const hook = program({ notify: ['desktop'], notifySecre: 'x' });
    await hook.start('Do it.');
    await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    expect(hook.loop().status.is).toBe('completed');
    expect(logOf(hook)).toContain(
      'config.json: notifySecre is not a field of config.json. Did you mean notifySecret?',
    );
  });

  test('a question of the agent is told, with what a callback needs', async () => {
    const { url, got } = await receiver();
    const hook = program({ notify: [url], notifySecret: SECRET, callbackUrl: 'https://dacapo.example.com' });
    await hook.start('Do it.');
    await hook.run(hook.stopped('<promise>ASK: Which colour?</promise>'));
    await until(() => got.length === 1);
    const [request] = hook.loop().people.requests;
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      event: 'question',
      status: 'waiting',
      request: {
        id: request?.id,
        kind: 'question',
        what: 'Which colour?',
        callback_url: 'https://dacapo.example.com/callback',
      },
    });
  });

  test('a question that nobody answers in time is told as an escalation', async () => {
    const { url, got } = await receiver();
    const hook = program({ notify: [{ type: 'webhook', url, events: ['escalated'] }] });
    await hook.start('Do it. --approval-timeout 1s');
    const asked = hook.stopped('<promise>ASK: Which colour?</promise>');
    // The host starts both hooks for a stop.
    const waking = beginHook(process.execPath, [WAKE], asked, { cwd: hook.project, env: hook.env });
    await hook.run(asked);
    await waking.ended;
    await until(() => got.length === 1);
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ event: 'escalated', status: 'escalated' });
  });

  test('without a target there is no outbox and no process', async () => {
    const hook = makeProgram();
    opened.push(hook);
    await hook.start('Do it.');
    await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    expect(existsSync(join(hook.home, 'outbox'))).toBe(false);
  });

  test('a command of the user runs outside of the project, and is not a command of an agent', async () => {
    const hook = makeProgram();
    const script = join(hook.root, 'told.sh');
    const out = join(hook.root, 'told');
    writeFileSync(
      script,
      `#!/bin/sh\necho "$DACAPO_EVENT|$(pwd)|$CLAUDECODE" > '${out}.new'; mv '${out}.new' '${out}'\n`,
    );
    chmodSync(script, 0o755);
    opened.push(hook);
    writeFileSync(
      join(hook.home, 'config.json'),
      JSON.stringify({ notify: [{ type: 'command', command: script }] }),
    );
    await hook.start('Do it.');
    await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    await until(() => existsSync(out));
    expect(readFileSync(out, 'utf8').trim()).toBe(`completed|${hook.root}|`);
  });

  test('a loop has targets of its own, and one sender sends them all', async () => {
    const { url, got } = await receiver((response) => setTimeout(() => response.writeHead(200).end(), 200));
    const hook = makeProgram();
    opened.push(hook);
    await hook.start(`Do it. --notify ${url}/a --notify ${url}/b`);
    await hook.run(hook.stopped('<promise>COMPLETE</promise>'));
    await until(() => got.length === 2);
    expect(got.map(({ path }) => path).sort()).toEqual(['/a', '/b']);
    await until(() => outbox(hook).length === 0);
  });

  test('an agent can not make a loop run a command', async () => {
    const hook = makeProgram();
    opened.push(hook);
    const ran = await hook.run(hook.command('dacapo:ralph', 'Do it. --notify "command:touch owned"'));
    expect(ran.stdout).toContain('takes no command');
    expect(existsSync(join(hook.home, 'loops'))).toBe(false);
  });
});
