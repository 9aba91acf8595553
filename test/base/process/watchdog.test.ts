/** Whatever becomes of a driver, its pass ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MARK_VARIABLE } from '#base/process/descendants.ts';
import type { Manners } from '#base/process/family.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { commandLineOf, gone, lives, parentOf, processes } from '../../processes.ts';

const WATCHDOG = resolve(import.meta.dirname, '../../../dist/watchdog.cjs');
const onLinux = process.platform === 'linux';

/**
 * A host as a driver starts it: it writes down the signals that it gets, and goes when `deaf` is not said.
 */
function startHost(pass: string, deaf = ''): { child: ChildProcess; pid: number; log: string } {
  const log = join(temporaryFolder(), 'signals');
  const program = `
    const fs = require('node:fs');
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, () => { fs.appendFileSync(${JSON.stringify(log)}, signal + ' '); ${deaf ? '' : 'process.exit(0);'} });
    fs.writeFileSync(${JSON.stringify(log)}, '');
    setInterval(() => undefined, 1000);`;
  const env = { ...process.env, [MARK_VARIABLE]: pass };
  const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore', env });
  return { child, pid: child.pid ?? 0, log };
}

async function listening({ log }: { log: string }): Promise<void> {
  while (!existsSync(log)) await sleep(10);
}

function manners(pass: string): Manners & { readonly is: 'begins' } {
  return { is: 'begins', pass, gentle: 'SIGINT', graceMs: 200 };
}

function dogsOf(parent: number): number[] {
  return processes().filter(
    (pid) => parentOf(pid) === parent && commandLineOf(pid).includes(WATCHDOG) && lives(pid),
  );
}

describe('when the pipe from the driver ends', () => {
  test('the host is asked to end', async () => {
    const host = startHost('asked');
    await listening(host);
    const dog = openWatchdog(process.env, WATCHDOG);
    expect(await dog.ready()).toBeNull();
    dog.tell(manners('asked'));
    dog.tell({ is: 'started', pid: host.pid });
    dog.close();
    expect(await gone(host.pid)).toBe(true);
    expect(readFileSync(host.log, 'utf8')).toBe('SIGINT ');
  });

  test('and made to, if it is deaf', async () => {
    const host = startHost('deaf', 'yes');
    await listening(host);
    const dog = openWatchdog(process.env, WATCHDOG);
    dog.tell(manners('deaf'));
    dog.tell({ is: 'started', pid: host.pid });
    dog.close();
    expect(await gone(host.pid)).toBe(true);
    expect(readFileSync(host.log, 'utf8')).toMatch(/^SIGINT SIGTERM /);
  });

  test.runIf(onLinux)('also a host that the driver had no time to tell of: its mark tells', async () => {
    const host = startHost('untold');
    await listening(host);
    const dog = openWatchdog(process.env, WATCHDOG);
    dog.tell(manners('untold'));
    dog.close();
    expect(await gone(host.pid)).toBe(true);
  });

  test.runIf(onLinux)('and what it started, in whatever session', async () => {
    const host = startHost('family');
    const other = startHost('family');
    const stranger = startHost('stranger');
    await Promise.all([host, other, stranger].map(listening));
    const dog = openWatchdog(process.env, WATCHDOG);
    dog.tell(manners('family'));
    dog.tell({ is: 'started', pid: host.pid });
    dog.close();
    expect(await gone(other.pid)).toBe(true);
    expect(lives(stranger.pid)).toBe(true);
    stranger.child.kill('SIGKILL');
  });
});

describe('nothing happens', () => {
  test.runIf(onLinux)('to what is left of a pass that has ended', async () => {
    const host = startHost('over');
    await listening(host);
    const before = dogsOf(process.pid).length;
    const dog = openWatchdog(process.env, WATCHDOG);
    await dog.ready();
    dog.tell(manners('over'));
    dog.tell({ is: 'started', pid: host.pid });
    dog.tell({ is: 'ended' });
    dog.close();
    while (dogsOf(process.pid).length > before) await sleep(20);
    expect(lives(host.pid)).toBe(true);
    host.child.kill('SIGKILL');
  });

  test.runIf(onLinux)('to a watchdog that is asked to go while its driver lives', async () => {
    const before = new Set(dogsOf(process.pid));
    const dog = openWatchdog(process.env, WATCHDOG);
    await dog.ready();
    const [pid = 0] = dogsOf(process.pid).filter((one) => !before.has(one));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    await sleep(100);
    expect(lives(pid)).toBe(true);
    dog.close();
    expect(await gone(pid)).toBe(true);
  });
});

test.runIf(onLinux)('a watchdog that is killed is followed by one that knows as much', async () => {
  const host = startHost('again');
  await listening(host);
  const before = new Set(dogsOf(process.pid));
  const dog = openWatchdog(process.env, WATCHDOG);
  await dog.ready();
  dog.tell(manners('again'));
  dog.tell({ is: 'started', pid: host.pid });
  const [first = 0] = dogsOf(process.pid).filter((one) => !before.has(one));
  process.kill(first, 'SIGKILL');
  const second = () => dogsOf(process.pid).filter((one) => one !== first && !before.has(one));
  while (second().length === 0) await sleep(20);
  await dog.ready();
  expect(lives(host.pid)).toBe(true);
  dog.close();
  expect(await gone(host.pid)).toBe(true);
});

test('one that can not stand by says why', async () => {
  const nowhere = openWatchdog(process.env, join(temporaryFolder(), 'nothing.js'));
  expect(await nowhere.ready()).toContain('nothing.js');
  const program = join(temporaryFolder(), 'ends.mjs');
  writeFileSync(program, '');
  expect(await openWatchdog(process.env, program).ready()).toBe('it ended at once');
});
