/**
 * Ends a host and everything that it started. The driver does this, or its watchdog where the driver is gone.
 * It asks first, because a host that is asked to end still reports what its pass has cost; then it kills.
 */
import { ask, endGently, endGroup, type Leader } from './group.ts';
import { descendantsOf } from './descendants.ts';

export interface Manners {
  /** The mark of the pass, in the environment of every process that it starts. */
  readonly pass: string;
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** From the gentle signal to SIGTERM, and from there to SIGKILL. */
  readonly graceMs: number;
}

export interface Family {
  /** Asks the host to end, and makes sure that it does. */
  end(): void;
  /** To call once the host is gone: ends the processes that it left behind, and calls back when none is left. */
  endLeftovers(nothingLeft: () => void): void;
}

/** How long the processes that were left behind get to end by themselves when asked. */
const LEFTOVER_MS = 1_000;
const LOOK_MS = 50;
/** How often we read the process tree, where processes can't be marked. */
const REMEMBER_MS = 5_000;

/** Without the pid of the host, only the mark identifies its family. */
export function familyOf(host: Leader, manners: Manners): Family {
  const descendants = descendantsOf(host.pid ?? null, manners.pass, process.platform);
  const remembering =
    process.platform === 'linux' ? undefined : setInterval(() => descendants.remember(), REMEMBER_MS).unref();
  let cancelKill: (() => void) | null = null;
  return {
    end: () => {
      if (cancelKill !== null) return;
      descendants.remember();
      const kill = () => endGroup(host, 'SIGKILL');
      const terminate = () => {
        endGroup(host, 'SIGTERM');
        descendants.signal('SIGTERM');
      };
      const steps = [() => ask(host, manners.gentle), terminate, kill];
      cancelKill = endGently(process.platform === 'win32' ? [kill] : steps, manners.graceMs);
    },
    endLeftovers: (nothingLeft) => {
      clearInterval(remembering);
      cancelKill?.();
      endGroup(host, 'SIGKILL');
      let left = descendants.signal('SIGTERM');
      const isEmpty = () => left === 0 || (left = descendants.signal(0)) === 0;
      lookUntil(isEmpty, LEFTOVER_MS, () => {
        if (left > 0) descendants.signal('SIGKILL');
        nothingLeft();
      });
    },
  };
}

/** Calls `then` as soon as `done` holds, and in any case after this time. */
export function lookUntil(done: () => boolean, mostMs: number, then: () => void): void {
  const began = performance.now();
  const look = () => {
    if (done() || performance.now() - began > mostMs) then();
    else setTimeout(look, LOOK_MS);
  };
  look();
}
