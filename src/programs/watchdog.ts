/**
 * The watchdog of a driver, a separate process. However the driver ends (killed with -9, its terminal gone),
 * the pipe from it closes; then the watchdog ends the host of the current pass and everything that the host
 * has started. The driver reports what it does, one line of JSON (`WatchdogMessage`) each. The watchdog never
 * outlives it for long.
 */
import { writeSync } from 'node:fs';
import { isGone } from '#base/process/descendants.ts';
import { familyOf, lookUntil, type Family, type Manners } from '#base/process/family.ts';
import { cutLines } from '#base/process/output.ts';
import type { WatchdogMessage } from '#base/process/watchdog.ts';

interface UnderWay {
  readonly manners: Manners;
  /** Null: the driver was about to start the host. */
  readonly pid: number | null;
  readonly family: Family;
}

/**
 * In grace periods; ending a host takes one less. A host that still lives hangs in the kernel, where no
 * signal reaches it.
 */
const GRACES_TO_WAIT = 3;

let pass: UnderWay | null = null;

// The driver handles these signals; the watchdog ends when the driver does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// An unfinished last line, from a driver that was killed, is dropped.
const lines = cutLines((line) => (pass = followDriver(JSON.parse(line) as WatchdogMessage)));
process.stdin.on('data', lines.push);
process.stdin.on('end', () => (pass === null ? leave() : endIt(pass)));
writeSync(1, 'ready\n');

function followDriver(word: WatchdogMessage): UnderWay | null {
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
  lookUntil(hostIsGone, GRACES_TO_WAIT * manners.graceMs, () => family.endLeftovers(leave));
}

function leave(): void {
  process.exit(0);
}
