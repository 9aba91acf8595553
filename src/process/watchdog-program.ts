/**
 * The watchdog of a driver, a process of its own: whatever becomes of the driver (killed with -9, its terminal gone), the
 * pipe from it ends, and so do the host of the pass under way and everything that the host has started. It hears what
 * the driver does (`WatchdogMessage`, a line of JSON each), does nothing while the driver lives, and never outlives it for long.
 */
import { writeSync } from 'node:fs';
import { isGone } from './descendants.ts';
import { familyOf, lookUntil, type Family, type Manners } from './family.ts';
import { cutLines } from './lines.ts';

export type WatchdogMessage =
  /** Said before the host is started, so that none is missed. */
  | (Manners & { readonly is: 'begins' })
  | { readonly is: 'started'; readonly pid: number }
  | { readonly is: 'ended' };

interface UnderWay {
  readonly manners: Manners;
  /** Null: the driver was about to start it. */
  readonly pid: number | null;
  readonly family: Family;
}

/** In graces, one more than it takes to make a host end: it hangs in the kernel, where nothing reaches it. */
const PATIENCE = 3;

let pass: UnderWay | null = null;

// It goes when its driver goes, and the driver hears these itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// A line that the driver had no time to finish is dropped.
const lines = cutLines((line) => (pass = hear(JSON.parse(line) as WatchdogMessage)));
process.stdin.on('data', lines.push);
process.stdin.on('end', () => (pass === null ? leave() : endIt(pass)));
writeSync(1, 'ready\n');

function hear(word: WatchdogMessage): UnderWay | null {
  switch (word.is) {
    case 'begins':
      return underWay(word, null);
    case 'started':
      return pass && underWay(pass.manners, word.pid);
    case 'ended':
      return null;
  }
}

function underWay(manners: Manners, pid: number | null): UnderWay {
  const family = familyOf({ pid: pid ?? undefined, exitCode: null, signalCode: null }, manners);
  return { manners, pid, family };
}

function endIt({ manners, pid, family }: UnderWay): void {
  family.end();
  const hostIsGone = () => pid === null || isGone(pid);
  lookUntil(hostIsGone, PATIENCE * manners.graceMs, () => family.endLeftovers(leave));
}

function leave(): void {
  process.exit(0);
}
