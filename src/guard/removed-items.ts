/**
 * What slipped past the guard of a list of items (`--items FILE`): an item that waited for its turn, and is no longer in the
 * list, or ticked there. It is written down as an amendment by an unknown hand, and the list is not done while it is
 * missing; a person who took it out on purpose accepts that. What a command lists may come and go.
 */
import type { EventOf } from '../core/record/events.ts';
import { readItemList, waitingIn, type WaitingList } from '../lists/items.ts';
import type { Frame, Loop } from '../core/loop.ts';
import { keepWaiting, readWaiting } from '../lists/waiting.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { readListFile } from '../lists/file.ts';
import type { Runtime } from '../store/runtime.ts';

/** The most that one line of the journal names. */
const NAMED = 20;

/** A list that can't be read says nothing of its items; it is told when it is needed. */
export function lookAtLists(open: OpenLoop, world: Runtime): void {
  for (const { frame, file, waiting, gone, known } of listsSeen(open)) {
    if (JSON.stringify(known) !== JSON.stringify(waiting)) keepWaiting(open.blobs, frame.id, waiting);
    const items = gone.slice(0, NAMED).map(({ title }) => title);
    const isNews = gone.length !== frame.gone.count || items.join('\n') !== frame.gone.items.join('\n');
    if (isNews) shorten(open, 'unknown', frame, file, { count: gone.length, items }, world);
  }
}

/** A person takes the lists as they are now for what they are to be. Returns how many items are missed no longer. */
export function acceptLists(open: OpenLoop, world: Runtime): number {
  let accepted = 0;
  for (const { frame, file, waiting, gone } of listsSeen(open)) {
    accepted += gone.length;
    keepWaiting(
      open.blobs,
      frame.id,
      waiting.filter((item) => !gone.includes(item)),
    );
    if (frame.gone.count + gone.length > 0)
      shorten(open, 'terminal', frame, file, { count: 0, items: [] }, world);
  }
  return accepted;
}

interface ListSeen {
  readonly frame: Frame;
  readonly file: string;
  readonly known: WaitingList | null;
  readonly waiting: WaitingList;
  readonly gone: WaitingList;
}

function listsSeen(open: OpenLoop): ListSeen[] {
  const loop = open.loop();
  return loop.frames.flatMap((frame, k) => {
    if (frame.items?.from.is !== 'file') return [];
    const { file } = frame.items.from;
    const read = readListFile(file, loop.project);
    const list = read.ok ? readItemList(read.content, file, false) : read;
    if (!list.ok) return [];
    const known = readWaiting(open.blobs, frame.id);
    return [{ frame, file, known, ...waitingIn(known ?? [], list.items, hadTurn(loop, k)) }];
  });
}

function hadTurn({ frames }: Loop, k: number): string[] {
  const item = frames[k + 1]?.item ?? null;
  return [...(frames[k]?.handled ?? []), ...(item === null ? [] : [item.id])];
}

function shorten(
  open: OpenLoop,
  by: EventOf<'shortened'>['by'],
  { id }: Frame,
  file: string,
  gone: Frame['gone'],
  world: Runtime,
): void {
  open.write({ type: 'shortened', at: world.now(), by, frame: id, file, ...gone });
}
