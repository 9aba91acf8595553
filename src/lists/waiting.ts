/** Stores which items of a list wait for their turn. If the record is lost, it is built again from the list. */
import type { Blobs } from '../store/blobs.ts';
import { waitingList, type WaitingList } from './items.ts';

/** Null: nothing is recorded yet, or the record is lost. */
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
