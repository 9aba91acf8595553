/**
 * `--worktree-setup CMD`: prepares a new work tree before the first pass, because uncommitted files (installed
 * packages, generated code) are missing there. Its output is shown live. If it fails, there is no run and no work
 * tree.
 */
import { closeSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { harmless, oneLine } from '../../core/words/sanitize.ts';
import { makeScratch } from '../../files/scratch.ts';
import type { Account } from '../../process/supervise.ts';
import { supervise } from '../../process/supervise.ts';

/** A first install on a slow line takes minutes. A command that runs for half an hour hangs. */
const MOST_MS = 30 * 60_000;
const LOOK_MS = 200;
const COMMAND = 120;

export interface SetUp {
  readonly ok: true;
  /** The whole output. */
  readonly output: Buffer;
}

export async function setUpWorktree(
  command: string,
  project: string,
  /** The bundled supervisor. */
  runner: string,
  show: (text: string) => void,
  stopped: AbortSignal,
): Promise<SetUp | Refusal> {
  const folder = makeScratch('setup');
  const output = join(folder, 'output');
  closeSync(openSync(output, 'w', 0o600));
  const shown = showFile(output, show);
  try {
    const order = { command, cwd: project, timeoutMs: MOST_MS, output };
    const account = await supervise(order, runner, stopped);
    shown.end();
    const why = stopped.aborted ? 'was stopped' : sayFailure(account);
    if (why === null) return { ok: true, output: readFileSync(output) };
    return refuse(
      'worktree-setup',
      `The set-up of the work tree ${why}: ${oneLine(command, COMMAND)}. The work tree was removed again.`,
      'Its output is above. Fix the command, or leave out --worktree-setup.',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sayFailure(account: Account): string | null {
  switch (account.is) {
    case 'timed-out':
      return 'took too long';
    case 'unstartable':
      return `could not be started (${oneLine(account.error, COMMAND)})`;
    case 'ended':
      if (account.exit === 0) return null;
      return account.exit === null ? 'was killed' : `failed with exit code ${account.exit}`;
  }
}

function showFile(path: string, show: (text: string) => void): { readonly end: () => void } {
  const file = openSync(path, 'r');
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(64 * 1024);
  const look = () => {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      show(harmless(decoder.decode(buffer.subarray(0, read), { stream: true })));
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      closeSync(file);
    },
  };
}
