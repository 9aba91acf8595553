import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deadUrl, isSignedWith, receiver, until } from '../../../engine/notices/receiver.ts';
import { CLI, makeBox, type Box } from '../box.ts';

const SECRET = 'a secret that both sides know';

function boxWith(config: unknown): Box {
  const box = makeBox();
  writeFileSync(join(box.dacapoHome, 'config.json'), JSON.stringify(config));
  return box;
}

/** Unlike `box.run`, lets the receiver in this process answer. */
function run(box: Box, args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: box.project,
      env: { ...box.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('dacapo notify --test', () => {
  test('tries each target, and says how that went', async () => {
    const { url, got } = await receiver();
    const dead = await deadUrl();
    const box = boxWith({ notify: [`${url}/token`, dead], notifySecret: SECRET });
    const { code, stdout } = await run(box, ['notify', '--test']);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^✓ webhook http:\/\/127\.0\.0\.1:\d+: sent \(HTTP 204, \d+ ms\)$/);
    expect(lines[1]).toMatch(
      /^✗ webhook \S+: failed \(nothing is listening there \(ECONNREFUSED\), \d+ ms\)$/,
    );
    expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ event: 'test' });
  });

  test('takes an address that is in no config, and the secret of the environment', async () => {
    const { url, got } = await receiver();
    const env = { DACAPO_NOTIFY_SECRET: SECRET };
    const { code, stdout } = await run(makeBox(), ['notify', '--test', url, '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      signed: true,
      targets: [{ ok: true, detail: 'HTTP 204' }],
    });
    expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
  });

  test('shows it on the desktop with the program of the PATH', async () => {
    const box = makeBox();
    const out = join(box.root, 'shown');
    const bin = join(box.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\necho "$@" > '${out}'\n`);
    chmodSync(join(bin, 'notify-send'), 0o755);
    const { code, stdout } = await run(box, ['notify', '--test', 'desktop'], {
      PATH: `${bin}:${box.env['PATH']}`,
    });
    expect([code, stdout.slice(0, 15)]).toEqual([0, '✓ desktop: sent']);
    expect(readFileSync(out, 'utf8')).toContain('Da Capo: a test');
  });
});

describe('notifications of the command line', () => {
  test('a cancel in a terminal is told', async () => {
    const { url, got } = await receiver();
    const box = boxWith({ notify: [url], notifySecret: SECRET });
    await run(box, ['ready', 'Do it.', '--name', 'login']);
    await run(box, ['cancel']);
    await until(() => got.length === 1);
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      event: 'ended',
      name: 'login',
      status: 'cancelled',
    });
    expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
    await until(() => !existsSync(join(box.dacapoHome, 'outbox', 'sender.lock')));
  });

  test('doctor names a mistake in the config', () => {
    const { stdout } = boxWith({ notify: ['mail'] }).run(['doctor']);
    expect(stdout).toContain('notify[0] takes desktop or an address');
  });
});
