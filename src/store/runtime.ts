/**
 * The dependencies that are passed to every room above: store, clock, process, environment. Tests pass their
 * own.
 */
import { MARK_VARIABLE } from '#base/process/descendants.ts';
import { codeOf } from '#base/shape.ts';
import type { HookEvaluation, LoopContext } from '#law/proof/stop-hooks.ts';
import type { ProofOutcome } from '#law/proof/outcome.ts';
import type { Store } from './store.ts';
import { isLive, type Loop, type Owner, type StopClaim } from '#law/loop.ts';

/** `what`: the name of the proof. `outcome`: null when it begins. */
export type ProofListener = (what: string, outcome: ProofOutcome | null) => void;

export interface Runtime {
  readonly store: Store;
  readonly now: () => string;
  readonly process: number;
  /** When this process began. It distinguishes two deliveries of one stop from two stops. */
  readonly started: string;
  /** Tells two registrations of the hook apart. A host delivers each stop to both. */
  readonly registration?: string;
  readonly runner: string;
  /** For a process on this machine. Use `ownerLives` and `claimLives` for one that the record names. */
  readonly isAlive: (process: number) => boolean;
  readonly log: (line: string) => void;
  /**
   * Set where a person watches: called with the view, or file beside one, that could not be written. The loop
   * goes on.
   */
  readonly onViewError?: (what: string, why: unknown) => void;
  /**
   * Aborted: proofs stop at once. Without it, signals to this process and the end of its parent stop them.
   */
  readonly stopped?: AbortSignal;
  /** Set where a person watches: called for each proof. */
  readonly proving?: ProofListener;
  /**
   * Set in a server: asks stop hooks that are data there. Others ask them in a process, as they do hooks with
   * user code.
   */
  readonly askData?: (
    hooks: readonly object[],
    context: LoopContext,
    timeoutMs: number,
  ) => Promise<HookEvaluation>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

/** Rule 1. It is checked before anything is read. */
export function isDisabled(env: Runtime['env']): boolean {
  return env['DACAPO_DISABLE'] === '1' || env['IDLE_LOOP_DISABLE'] === '1';
}

/** The driver of this pass judges its stops. */
export function isDriven(env: Runtime['env']): boolean {
  return env['DACAPO_DRIVEN'] === '1';
}

/** The pass that a driver judges and this process belongs to, the innermost one; null: there is none. */
export function passOf(env: Runtime['env']): string | null {
  return isDriven(env) ? (env[MARK_VARIABLE]?.split('/').at(-1) ?? null) : null;
}

export function isOwnedByThisProcess(
  owner: Owner | null,
  runtime: Pick<Runtime, 'store' | 'process'>,
): boolean {
  return isOwnedByProcess(owner, runtime.process, runtime);
}

/**
 * Whether the loop belongs to that process of this machine. A pid alone says nothing: in two containers the
 * drivers often have the same one.
 */
export function isOwnedByProcess(
  owner: Owner | null,
  process: number | null,
  runtime: Pick<Runtime, 'store'>,
): boolean {
  return owner !== null && owner.process === process && isHere(owner, runtime);
}

/** While this process was suspended, a person may have paused the loop and resumed it in another terminal. */
export function isOwnedElsewhere({ session: { owner } }: Loop, runtime: Runtime): boolean {
  return owner !== null && owner.process !== null && !isOwnedByThisProcess(owner, runtime);
}

/** Whether this process may go on with a loop, which others may pause, end or take meanwhile. */
export function mayDrive(loop: Loop, runtime: Runtime): boolean {
  return isLive(loop) && !isOwnedElsewhere(loop, runtime);
}

export function isHere(
  { machine }: { readonly machine?: string },
  { store }: Pick<Runtime, 'store'>,
): boolean {
  return machine === undefined || machine === store.machine();
}

/**
 * No host lets a hook run longer than 600 s, so an older claim has no living owner, whatever its pid says.
 */
const LONGEST_HEARING_MS = 660_000;

/**
 * Whether the process that the loop belongs to is alive. A pid of another machine says nothing here: its
 * process counts as alive until its last sign of life is too old. A loop that moves to this machine for good
 * has a `moved` event, which frees it.
 */
export function ownerLives(loop: Loop, runtime: Runtime): boolean {
  const { owner } = loop.session;
  if (owner === null || owner.process === null) return false;
  if (isHere(owner, runtime)) return runtime.isAlive(owner.process);
  return age(loop.updatedAt, runtime) <= loop.limits.staleMs;
}

/** The same of the process that hears a stop. */
export function claimLives(claim: StopClaim, runtime: Runtime): boolean {
  if (age(claim.started, runtime) > LONGEST_HEARING_MS) return false;
  if (!isHere(claim, runtime)) return true;
  // Our own pid with another start time: the system has reused the pid.
  const isAnother = claim.process === runtime.process && claim.started !== runtime.started;
  return !isAnother && runtime.isAlive(claim.process);
}

function age(since: string, { now }: Runtime): number {
  return Date.parse(now()) - Date.parse(since);
}
