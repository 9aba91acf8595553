/** Commands that Da Capo runs itself, one after another, each under a supervisor of its own. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CheckOutcome, CheckProof } from '../core/events.ts';
import { tailOf } from '../core/harmless.ts';
import type { CheckGate } from '../core/loop.ts';
import { either, oneOf, orNull, record, text, whole } from '../core/shape.ts';
import type { Account, Order } from './runner.ts';

/** All checks of one stop together: a minute under the hook's own time-out of 600 s. */
const ALL_CHECKS_MS = 540_000;
/** What of an output the journal keeps; the rest is in the evidence. */
const TAIL = 2_000;
const TAIL_READ = 16_384;
/** The shell's own words for "not executable" and "not found". */
const UNSTARTABLE: readonly number[] = [126, 127];

export interface CheckBench {
  readonly cwd: string;
  /** The bundled supervisor. */
  readonly runner: string;
  /** A fresh file for the output of a check. */
  readonly evidence: (command: string) => string;
  /** Aborted when the hook is asked to end: the checks end with it. */
  readonly signal: AbortSignal;
  readonly begun: (command: string) => void;
}

export async function proveChecks(checks: readonly CheckGate[], bench: CheckBench): Promise<CheckProof[]> {
  const proofs: CheckProof[] = [];
  let left = ALL_CHECKS_MS;
  for (const { command, timeoutMs } of checks) {
    if (bench.signal.aborted) break;
    const evidence = bench.evidence(command);
    bench.begun(command);
    const account = await run(
      { command, cwd: bench.cwd, timeoutMs: Math.max(1, Math.min(timeoutMs, left)), output: evidence },
      bench,
    );
    left -= account.ms;
    proofs.push({ command, outcome: outcomeOf(account, tailOfFile(evidence)), ms: account.ms, evidence });
  }
  return proofs;
}

export function outcomeOf(account: Account, tail: string): CheckOutcome {
  switch (account.is) {
    case 'timed-out':
      return { is: 'timed-out', afterMs: account.ms, tail };
    case 'unstartable':
      return { is: 'unstartable', error: account.error, tail };
    case 'ended':
      if (account.exit === null) return { is: 'killed', signal: account.signal ?? 'a signal', tail };
      if (account.exit === 0) return { is: 'passed' };
      if (UNSTARTABLE.includes(account.exit))
        return { is: 'unstartable', error: `exit code ${account.exit}: ${tail}`.trim(), tail };
      return { is: 'failed', exit: account.exit, tail };
  }
}

const account = either(
  record({ is: oneOf('ended'), exit: orNull(whole), signal: orNull(text), ms: whole }),
  record({ is: oneOf('timed-out'), ms: whole }),
  record({ is: oneOf('unstartable'), error: text, ms: whole }),
);

/** One command under its supervisor. */
export function run(
  order: Order,
  { runner, signal }: Pick<CheckBench, 'runner' | 'signal'>,
): Promise<Account> {
  return new Promise((resolve) => {
    const supervisor = spawn(process.execPath, [runner], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    let said = '';
    const give = (value: Account) => {
      signal.removeEventListener('abort', end);
      resolve(value);
    };
    const end = () => supervisor.stdin.end();
    signal.addEventListener('abort', end);
    supervisor.stdout.setEncoding('utf8');
    supervisor.stdout.on('data', (chunk: string) => (said += chunk));
    supervisor.stdin.on('error', () => undefined);
    supervisor.on('error', (error) => give({ is: 'unstartable', error: error.message, ms: 0 }));
    supervisor.on('close', () => give(readAccount(said)));
    supervisor.stdin.write(`${JSON.stringify(order)}\n`);
  });
}

function readAccount(said: string): Account {
  try {
    const value: unknown = JSON.parse(said);
    if (account(value)) return value;
  } catch {
    // Falls through: a supervisor that says nothing was ended from outside.
  }
  return { is: 'ended', exit: null, signal: 'its supervisor', ms: 0 };
}

export function tailOfFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_READ));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return tailOf(bytes.toString('utf8'), TAIL);
  } finally {
    closeSync(file);
  }
}
