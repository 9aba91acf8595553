/**
 * Runs the checks: commands that Da Capo runs itself, each under its own supervisor, one by one or in
 * parallel.
 */
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { CheckOutcome, CheckProof } from '#law/record/verdict.ts';
import { failingPart } from '#telling/failing.ts';
import type { CheckGate } from '#law/gates.ts';
import { supervise, type Account, type Order } from '#base/process/supervise.ts';
import { filesIn, withScratch } from '#base/files/scratch.ts';
import type { CleanRoom } from './ground/room.ts';
import type { HeldOut } from './held-out.ts';

/** How much of an output the journal keeps; the rest is in the evidence. */
const MAX_TAIL_CHARS = 2_000;
/** The shell's exit codes for "not executable" and "not found". */
const UNSTARTABLE: readonly number[] = [126, 127];
/** `EX_TEMPFAIL` of sysexits.h: try again later. */
const NOT_YET_EXIT = 75;

export interface CheckRun {
  readonly cwd: string;
  /** In a clean room: the environment there, and the command for that place. */
  readonly room?: Pick<CleanRoom, 'env' | 'command'>;
  /** Resolves the labels of checks that the agent may not know. Absent: there are none. */
  readonly heldOut?: HeldOut;
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
  /** `value`: of a measure. */
  readonly ended: (proof: CheckProof, value?: number | null) => void;
}

/** In the order of the checks. Those that an abort kept from starting are missing. */
export async function proveChecks(checks: readonly CheckGate[], checkRun: CheckRun): Promise<CheckProof[]> {
  const proofs: (CheckProof | undefined)[] = Array.from({ length: checks.length });
  const deadline = performance.now() + checkRun.budgetMs;
  const waiting = checks.entries();
  const work = async () => {
    // All workers share one iterator: the first free one takes the next check.
    for (const [index, check] of waiting) {
      if (checkRun.signal.aborted) return;
      const proof = await prove(check, deadline - performance.now(), checkRun);
      checkRun.ended(proof);
      proofs[index] = proof;
    }
  };
  await Promise.all(Array.from({ length: Math.min(checkRun.parallel, checks.length) }, work));
  return proofs.filter((proof) => proof !== undefined);
}

async function prove(check: CheckGate, leftMs: number, checkRun: CheckRun): Promise<CheckProof> {
  const { name, command, timeoutMs } = check;
  if (leftMs <= 0) {
    const tail =
      'Not started: what came before it took all the time that there is for the checks of one stop.';
    return { name, command, outcome: { is: 'timed-out', afterMs: 0, tail }, ms: 0, evidence: null };
  }
  checkRun.begun(check);
  const limit = Math.max(1, Math.min(timeoutMs, Math.floor(leftMs)));
  if (check.heldOut) return proveHeldOut(check, limit, checkRun);
  const evidence = checkRun.evidence(command);
  const errors = checkRun.errors?.(command);
  const files = { output: evidence, ...(errors !== undefined && { errors }) };
  const account = await runCheck(command, limit, files, checkRun);
  const outcome = withProjectPaths(readOutcome(account, errors ?? evidence), checkRun);
  return { name, command, outcome, ms: account.ms, evidence };
}

/**
 * A clean room is gone after the look, so a path there helps nobody. Relative to it, it is the path in the
 * project. The evidence keeps the output as it was.
 */
function withProjectPaths(outcome: CheckOutcome, { room, cwd }: CheckRun): CheckOutcome {
  if (room === undefined || !('tail' in outcome)) return outcome;
  return { ...outcome, tail: outcome.tail.replaceAll(`${cwd}${sep}`, '') };
}

function runCheck(
  command: string,
  timeoutMs: number,
  files: Pick<Order, 'output' | 'errors'>,
  { room, cwd, runner, signal }: CheckRun,
): Promise<Account> {
  const env = room === undefined ? {} : { env: room.env };
  return supervise(
    { command: room?.command(command) ?? command, cwd, timeoutMs, ...files, ...env },
    runner,
    signal,
  );
}

/**
 * The proof, which is rendered for agents too, has the label and how it ended. All else is kept apart, for
 * people.
 */
function proveHeldOut(check: CheckGate, limit: number, checkRun: CheckRun): Promise<CheckProof> {
  const { name, command: label } = check;
  return withScratch('held-out', async (folder) => {
    const command = checkRun.heldOut?.commandOf(label) ?? null;
    if (command === null) {
      const outcome = { is: 'unstartable', error: 'its command can no longer be read', tail: '' } as const;
      return { name, command: label, outcome, ms: 0, evidence: null };
    }
    const output = filesIn(folder)();
    const account = await runCheck(command, limit, { output }, checkRun);
    const outcome = readOutcome(account, output);
    checkRun.heldOut?.keepOutput(label, 'tail' in outcome ? outcome.tail : '');
    return { name, command: label, outcome: withoutWords(outcome), ms: account.ms, evidence: null };
  });
}

function withoutWords(outcome: CheckOutcome): CheckOutcome {
  if (outcome.is === 'passed') return outcome;
  return outcome.is === 'unstartable'
    ? { ...outcome, error: 'it can not be started', tail: '' }
    : { ...outcome, tail: '' };
}

export function readOutcome(account: Account, evidence: string): CheckOutcome {
  if (account.is === 'ended' && account.exit === 0) return { is: 'passed' };
  const tail = failingPart(readFileSync(evidence, 'utf8'), MAX_TAIL_CHARS);
  switch (account.is) {
    case 'timed-out':
      return { is: 'timed-out', afterMs: account.ms, tail };
    case 'unstartable':
      return { is: 'unstartable', error: account.error, tail };
    case 'ended':
      if (account.exit === null) return { is: 'killed', signal: account.signal ?? 'a signal', tail };
      if (UNSTARTABLE.includes(account.exit))
        return { is: 'unstartable', error: `exit code ${account.exit}: ${tail}`.trim(), tail };
      return account.exit === NOT_YET_EXIT
        ? { is: 'not-yet', tail }
        : { is: 'failed', exit: account.exit, tail };
  }
}
