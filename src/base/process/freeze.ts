/**
 * Stops the passes and checks of this process where they stand, and lets them go on later. Their watchdogs
 * and supervisors stay awake: they end everything if this process dies. Only Linux shows which process is
 * which; elsewhere nothing stops.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../shape.ts';
import { isMarked, signalProcess } from './descendants.ts';

export const CAN_FREEZE = process.platform === 'linux';

export function openFreezer() {
  const stopped = new Set<number>();
  return {
    /** Call it again and again: a process may have started another one meanwhile. */
    freeze: (): void => {
      for (const pid of markedBelow(process.pid)) {
        if (stopped.has(pid)) continue;
        stopped.add(pid);
        signalProcess(pid, 'SIGSTOP');
      }
    },
    thaw: (): void => {
      for (const pid of stopped) signalProcess(pid, 'SIGCONT');
      stopped.clear();
    },
  };
}

function markedBelow(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readParent(name)]),
  );
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== root && isBelow(pid) && isMarked(String(pid)));
}

function readParent(pid: string): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  return Number(/\) \S (\d+)/.exec(stat)?.[1] ?? 0);
}
