/** What every room above is given of the world around it: tests give another one. */
import { codeOf } from '../core/error-code.ts';
import type { Store } from './store.ts';

export interface Runtime {
  readonly store: Store;
  readonly now: () => string;
  readonly process: number;
  /** When this process began: two deliveries of one stop are told from two stops by it. */
  readonly started: string;
  /** The bundled supervisor of checks. */
  readonly runner: string;
  /** Of a process on this machine. Ask `liveness.ts` about one that the record names. */
  readonly isAlive: (process: number) => boolean;
  readonly log: (line: string) => void;
  /** Told which view, or file beside one, could not be written, where somebody watches: the loop goes on without it. */
  readonly unshown?: (what: string, why: unknown) => void;
  /** Aborted: what is being proven is broken off. Without it the signals to this process, and its parent's end, tell. */
  readonly stopped?: AbortSignal;
  /** Told what is being proven, where somebody watches; `how`: what came of it, null when it begins; `tail`: what it printed last. */
  readonly proving?: (what: string, how: string | null, tail: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return codeOf(error) === 'EPERM';
  }
}

/** Rule 1, asked before anything is read. */
export function isDisabled(env: Runtime['env']): boolean {
  return env['DACAPO_DISABLE'] === '1' || env['IDLE_LOOP_DISABLE'] === '1';
}

/** The driver of this pass judges its stops. */
export function isDriven(env: Runtime['env']): boolean {
  return env['DACAPO_DRIVEN'] === '1';
}
