/**
 * A host and all that it starts, and how they are ended: by the driver, or by its watchdog where the driver is gone.
 * Gently first, as a host that is asked still tells what its pass has cost; then firmly.
 */
import { ask, endGently, endGroup, type Leader } from './group.ts';
import { descendantsOf } from './descendants.ts';

export interface Manners {
  /** The mark of the pass in the environment of all that it starts. */
  readonly pass: string;
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** From the gentle signal to SIGTERM, and from there to SIGKILL. */
  readonly graceMs: number;
}

export interface Family {
  /** Asks the host to end, and makes sure that it does. */
  end(): void;
  /** Once the host is gone: ends what it has left behind, and tells when nothing of it is there. */
  endLeftovers(nothingLeft: () => void): void;
}

/** What was left behind may end by itself when asked. */
const LEFTOVER_MS = 1_000;
const LOOK_MS = 50;
/** Where processes can't be marked, how often the tree is looked at. */
const REMEMBER_MS = 5_000;

/** Without a number of the host, only the mark tells who is of its family. */
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
