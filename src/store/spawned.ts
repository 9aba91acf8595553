/** When a caller started this process: on a busy machine that can be long before Node.js runs. */
import { readFileSync } from 'node:fs';
import { instantOf } from './runtime.ts';

/** Linux counts the start of a process in hundredths of a second, rounded down. */
const TICK_MS = 10;
/** A start that is further back belongs to another clock, as in some containers. */
const LONGEST_START_MS = 10_000;

export function spawnedAt(): string {
  const running = process.uptime() * 1_000;
  const age = ageOfProcess();
  return instantOf(Date.now() - (age - running < LONGEST_START_MS ? Math.max(age, running) : running));
}

/** In milliseconds, never too many. 0 without `/proc`. */
function ageOfProcess(): number {
  try {
    const [uptime] = readFileSync('/proc/uptime', 'utf8').split(' ');
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in brackets, may contain spaces. The start is the 20th field after it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return Number(uptime) * 1_000 - (Number(ticks) + 1) * TICK_MS || 0;
  } catch {
    return 0;
  }
}
