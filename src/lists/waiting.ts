/** `waiting-<frame>.json` of a loop: which items of a list wait for their turn. Where it is lost, the look begins anew. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitingList, type WaitingList } from './items.ts';

/** Null: nobody has looked yet. */
export function readWaiting(dir: string, frame: number): WaitingList | null {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(dir, frame), 'utf8'));
    return waitingList(value) ? value : null;
  } catch {
    return null;
  }
}

export function keepWaiting(dir: string, frame: number, waiting: WaitingList): void {
  const path = pathOf(dir, frame);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(waiting), { mode: 0o600 });
  renameSync(temporary, path);
}

function pathOf(dir: string, frame: number): string {
  return join(dir, `waiting-${frame}.json`);
}
