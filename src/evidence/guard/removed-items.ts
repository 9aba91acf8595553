/**
 * Finds changes that slipped past the guard of a list of items (`--items FILE`): an item that waited for its
 * turn and is now missing from the list, or ticked. It is recorded as an amendment by an unknown author, and
 * the list is not done while the item is missing. A person who removed it on purpose accepts that. The items
 * that a command lists may come and go.
 */
import { framesOf } from '#law/loop.ts';
import { waitingIn, type WaitingList, waitingList } from '../lists/items.ts';
import type { OpenLoop, Blobs } from '#store/open-loop.ts';
import { readItemFile } from '../lists/file.ts';
import type { Runtime } from '#store/runtime.ts';
import { readAs } from '#base/shape.ts';

const MAX_ITEMS_LISTED = 20;

/** A list that can't be read tells nothing about its items. It is reported when it is needed. */
export function lookAtLists(open: OpenLoop, runtime: Runtime): void {
  for (const { frame, file, waiting, gone, known } of listsSeen(open)) {
    if (JSON.stringify(known) !== JSON.stringify(waiting)) keepWaiting(open.blobs, frame.id, waiting);
    const items = gone.slice(0, MAX_ITEMS_LISTED).map(({ title }) => title);
    const isNews = gone.length !== frame.gone.count || items.join('\n') !== frame.gone.items.join('\n');
    const at = runtime.now();
    if (isNews)
      open.write({ type: 'shortened', at, by: 'unknown', frame: frame.id, file, count: gone.length, items });
  }
}

/** A person accepts the lists as they are now. Returns how many items no longer count as missing. */
export function acceptLists(open: OpenLoop, runtime: Runtime): number {
  let accepted = 0;
  for (const { frame, file, waiting, gone } of listsSeen(open)) {
    accepted += gone.length;
    const left = waiting.filter((item) => !gone.includes(item));
    keepWaiting(open.blobs, frame.id, left);
    const at = runtime.now();
    if (frame.gone.count + gone.length > 0)
      open.write({ type: 'shortened', at, by: 'terminal', frame: frame.id, file, count: 0, items: [] });
  }
  return accepted;
}

function listsSeen(open: OpenLoop) {
  const loop = open.loop();
  return framesOf(loop).flatMap((frame, k, frames) => {
    if (frame.items?.from.is !== 'file') return [];
    const { file } = frame.items.from;
    const list = readItemFile(file, loop.project);
    if (!list.ok) return [];
    // Null: nothing is recorded yet, or the record is lost; it is built again from the list.
    const known = readAs(waitingList, () => open.blobs.read(nameOf(frame.id)));
    const item = frames[k + 1]?.item ?? null;
    const hadTurn = item === null ? frame.handled : [...frame.handled, item.id];
    return [{ frame, file, known, ...waitingIn(known ?? [], list.items, hadTurn) }];
  });
}

function keepWaiting(blobs: Blobs, frame: number, waiting: WaitingList): void {
  blobs.write(nameOf(frame), JSON.stringify(waiting));
}

function nameOf(frame: number): string {
  return `waiting-${frame}.json`;
}
