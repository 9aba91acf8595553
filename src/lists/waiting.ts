/** Which items of a list wait for their turn. Where that is lost, the look begins anew. */
import type { Blobs } from '../store/blobs.ts';
import { waitingList, type WaitingList } from './items.ts';

/** Null: nobody has looked yet. */
export function readWaiting(blobs: Blobs, frame: number): WaitingList | null {
  try {
    const value: unknown = JSON.parse(blobs.read(nameOf(frame)) ?? 'null');
    return waitingList(value) ? value : null;
  } catch {
    return null;
  }
}

export function keepWaiting(blobs: Blobs, frame: number, waiting: WaitingList): void {
  blobs.write(nameOf(frame), JSON.stringify(waiting));
}

function nameOf(frame: number): string {
  return `waiting-${frame}.json`;
}
