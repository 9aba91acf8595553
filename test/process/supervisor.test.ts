import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/folder.ts';
import { gone } from '../processes.ts';

const RUNNER = resolve(import.meta.dirname, '../../plugin/dist/runner.cjs');

/** What the supervisor says of a command; its output goes to a file where nothing can be written. */
function supervised(command: string, cwd: string): Promise<string> {
  const supervisor = spawn(process.execPath, [RUNNER], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  supervisor.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  supervisor.stdin.write(`${JSON.stringify({ command, cwd, timeoutMs: 10_000, output: '/dev/full' })}\n`);
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
