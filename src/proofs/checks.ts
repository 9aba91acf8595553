/** Runs the checks: commands that Da Capo runs itself, each under its own supervisor, one by one or in parallel. */
import { readFileSync } from 'node:fs';
import type { CheckOutcome, CheckProof } from '../core/record/verdict.ts';
import { failingPart } from '../text/failing.ts';
import type { CheckGate } from '../core/gates.ts';
import { supervise, type Account } from '../process/supervise.ts';
import type { CleanRoom } from './ground/room.ts';

/** How much of an output the journal keeps; the rest is in the evidence. */
const KEPT = 2_000;
/** The shell's exit codes for "not executable" and "not found". */
const UNSTARTABLE: readonly number[] = [126, 127];
/** `EX_TEMPFAIL` of sysexits.h: try again later. */
const NOT_YET = 75;

export interface CheckBench {
  readonly cwd: string;
  /** In a clean room: the environment there, and the command for that place. */
  readonly room?: Pick<CleanRoom, 'env' | 'command'>;
  readonly runner: string;
  readonly parallel: number;
  /** How long all of them may take together, from now on. */
  readonly budgetMs: number;
  /** A fresh file for the output of a check. */
  readonly evidence: (command: string) => string;
  /** A file of its own for what goes to stderr, if stdout is read as data. */
  readonly errors?: (command: string) => string;
  /** Aborted when the hook is told to end: the checks then end too. */
  readonly signal: AbortSignal;
  readonly begun: (check: CheckGate) => void;
  readonly ended: (proof: CheckProof) => void;
}

/** In the order of the checks. Those that an abort kept from starting are missing. */
export async function proveChecks(checks: readonly CheckGate[], bench: CheckBench): Promise<CheckProof[]> {
  const proofs: (CheckProof | undefined)[] = Array.from({ length: checks.length });
  const deadline = performance.now() + bench.budgetMs;
  const waiting = checks.entries();
  const work = async () => {
    // All workers share one iterator: the first free one takes the next check.
    for (const [index, check] of waiting) {
      if (bench.signal.aborted) return;
      const proof = await prove(check, deadline - performance.now(), bench);
      bench.ended(proof);
      proofs[index] = proof;
    }
  };
  await Promise.all(Array.from({ length: Math.min(bench.parallel, checks.length) }, work));
  return proofs.filter((proof) => proof !== undefined);
}

async function prove(check: CheckGate, leftMs: number, bench: CheckBench): Promise<CheckProof> {
  const { name, command, timeoutMs } = check;
  if (leftMs <= 0) {
    const tail =
      'Not started: what came before it took all the time that there is for the checks of one stop.';
    return { name, command, outcome: { is: 'timed-out', afterMs: 0, tail }, ms: 0, evidence: null };
  }
  const evidence = bench.evidence(command);
  const errors = bench.errors?.(command);
  bench.begun(check);
  const limit = Math.max(1, Math.min(timeoutMs, Math.floor(leftMs)));
  const order = {
    command: bench.room?.command(command) ?? command,
    cwd: bench.cwd,
    timeoutMs: limit,
    output: evidence,
    ...(errors !== undefined && { errors }),
    ...(bench.room !== undefined && { env: bench.room.env }),
  };
  const account = await supervise(order, bench.runner, bench.signal);
  return { name, command, outcome: outcomeOf(account, errors ?? evidence), ms: account.ms, evidence };
}

export function outcomeOf(account: Account, evidence: string): CheckOutcome {
  if (account.is === 'ended' && account.exit === 0) return { is: 'passed' };
  const tail = failingPart(readFileSync(evidence, 'utf8'), KEPT);
  switch (account.is) {
    case 'timed-out':
      return { is: 'timed-out', afterMs: account.ms, tail };
    case 'unstartable':
      return { is: 'unstartable', error: account.error, tail };
    case 'ended':
      if (account.exit === null) return { is: 'killed', signal: account.signal ?? 'a signal', tail };
      if (UNSTARTABLE.includes(account.exit))
        return { is: 'unstartable', error: `exit code ${account.exit}: ${tail}`.trim(), tail };
      return account.exit === NOT_YET ? { is: 'not-yet', tail } : { is: 'failed', exit: account.exit, tail };
  }
}
