/**
 * A host and all that it starts, and how they are ended: by the driver, or by its watchdog where the driver is gone.
 * Gently first, as a host that is asked still tells what its pass has cost; then firmly.
 */
import { endGroup, type Leader } from './group.ts';
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
  const timers =
    process.platform === 'linux' ? [] : [setInterval(() => descendants.remember(), REMEMBER_MS).unref()];
  let ending = false;
  return {
    end: () => {
      if (ending) return;
      ending = true;
      descendants.remember();
      if (process.platform === 'win32') return endGroup(host, 'SIGKILL');
      ask(host, manners.gentle);
      timers.push(
        setTimeout(() => {
          endGroup(host, 'SIGTERM');
          descendants.signal('SIGTERM');
        }, manners.graceMs),
        setTimeout(() => endGroup(host, 'SIGKILL'), 2 * manners.graceMs),
      );
    },
    endLeftovers: (nothingLeft) => {
      for (const timer of timers) clearTimeout(timer);
      endGroup(host, 'SIGKILL');
      const began = Date.now();
      let left = descendants.signal('SIGTERM');
      const look = () => {
        if (left > 0 && Date.now() - began < LEFTOVER_MS) {
          left = descendants.signal(0);
          setTimeout(look, LOOK_MS);
          return;
        }
        if (left > 0) descendants.signal('SIGKILL');
        nothingLeft();
      };
      look();
    },
  };
}

function ask({ pid, exitCode, signalCode }: Leader, signal: Manners['gentle']): void {
  // Once it is gone, its number may be another's.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(pid, signal);
  } catch {
    // Gone this moment.
  }
}
