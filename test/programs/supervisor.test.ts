import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/folder.ts';
import { gone, kill, parentOf } from '../processes.ts';
import { supervise } from '#base/process/supervise.ts';

const RUNNER = resolve(import.meta.dirname, '../../plugin/dist/runner.cjs');

/** What the supervisor says of a command; its output goes to a file where nothing can be written. */
function supervised(command: string, cwd: string): Promise<string> {
  const supervisor = spawn(process.execPath, [RUNNER], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  supervisor.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  supervisor.stdin.write(
    `${JSON.stringify({ command, cwd, timeoutMs: 10_000, output: '/dev/full', mark: `test-${process.pid}` })}\n`,
  );
  return new Promise((done) => supervisor.on('close', () => done(said)));
}

test.runIf(process.platform === 'linux')(
  'on a full disk a check is judged by its exit code all the same, and leaves nothing behind',
  async () => {
    const cwd = temporaryFolder();
    const said = await supervised('sleep 60 & echo $! > left; echo much; sleep 0.3; exit 3', cwd);
    expect(JSON.parse(said)).toMatchObject({ is: 'ended', exit: 3 });
    const left = Number(readFileSync(join(cwd, 'left'), 'utf8'));
    expect(await gone(left)).toBe(true);
  },
);

test.runIf(process.platform === 'linux')(
  'a check does not outlive a supervisor that somebody kills',
  async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'check');
    const order = {
      command: 'echo $$ > new; mv new check; sleep 60',
      cwd,
      timeoutMs: 60_000,
      output: join(cwd, 'out'),
    };
    const account = supervise(order, RUNNER, new AbortController().signal);
    await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
    const check = Number(readFileSync(file, 'utf8'));
    kill(parentOf(check));
    expect(await account).toEqual({ is: 'ended', exit: null, signal: 'its supervisor', ms: 0 });
    expect(await gone(check)).toBe(true);
  },
);
