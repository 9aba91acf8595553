/** When the host started this process. Two deliveries of one stop are started together, however late they run. */
import { readFileSync } from 'node:fs';
import { instantOf } from '../store/runtime.ts';

/** Linux counts the start of a process in hundredths of a second, rounded down. */
const TICK_MS = 10;
/** A start that is further back belongs to another clock, as in some containers. */
const LONGEST_START_MS = 10_000;

/**
 * On a busy machine a process can wait so long before Node.js runs that the other delivery has been answered by then.
 * `process.uptime` begins only with Node.js.
 */
export function startOfProcess(): string {
  const running = process.uptime() * 1_000;
  const age = ageOfProcess();
  return instantOf(Date.now() - (age - running < LONGEST_START_MS ? Math.max(age, running) : running));
}

/** In milliseconds, rarely too few and never too many. 0 without `/proc`. */
function ageOfProcess(): number {
  try {
    const [uptime] = readFileSync('/proc/uptime', 'latin1').split(' ');
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The name of the program, in brackets, may contain spaces. The start is the 20th field after it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return Number(uptime) * 1_000 - (Number(ticks) + 1) * TICK_MS || 0;
  } catch {
    return 0;
  }
}
