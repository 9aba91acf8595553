/**
 * The stream of changes. Each open page gets all loops when it comes, also when it comes back after a gap,
 * and then every card that has changed.
 */
import type { ServerResponse } from 'node:http';
import type { LoopIndex } from '#engine/look/loop-index.ts';
import { watchLoops } from '#engine/look/watch.ts';
import type { Runtime } from '#store/runtime.ts';
import type { LoopCard, LoopsChanged, Overview } from '../wire.ts';
import { beginStream } from './reply.ts';

/** Pages that may be open at once. Each holds a connection. */
const MAX_CLIENTS = 32;
/** Last words, running checks and the end of a process leave no line in a journal. */
const CHANGES_POLL_MS = 1_500;
/** Proxies and sleeping laptops end a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A reader that is so far behind is gone. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export type Changes = ReturnType<typeof openChanges>;

export function openChanges(index: LoopIndex, all: () => Overview, runtime: Runtime) {
  const clients = new Set<ServerResponse>();
  const aborter = new AbortController();
  let known = new Map<string, string>();

  const send = (client: ServerResponse, text: string): void => {
    if (client.writableLength > MAX_UNREAD_BYTES) client.destroy();
    else client.write(text);
  };
  const tell = (client: ServerResponse, event: 'all' | 'loops', data: Overview | LoopsChanged): void =>
    send(client, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const look = () => {
    const listing = index.look();
    const { cards } = listing;
    const now = new Map(cards.map((card) => [card.id, stampOf(card)]));
    const changed = cards.filter((card) => known.get(card.id) !== now.get(card.id));
    const removed = [...known.keys()].filter((id) => !now.has(id));
    known = now;
    if (changed.length + removed.length > 0)
      for (const client of clients) tell(client, 'loops', { changed, removed });
    return listing;
  };

  const endStreams = (): void => {
    for (const client of clients) client.end();
    clients.clear();
  };

  const isHeard = () => clients.size > 0;
  watchLoops(aborter.signal, runtime, look, isHeard);
  const looks = setInterval(() => {
    if (isHeard()) look();
  }, CHANGES_POLL_MS);
  const beats = setInterval(() => {
    for (const client of clients) send(client, ': still here\n\n');
  }, HEARTBEAT_MS);

  return {
    follow: (response: ServerResponse): boolean => {
      if (clients.size >= MAX_CLIENTS) return false;
      beginStream(response);
      response.write('retry: 1000\n\n');
      tell(response, 'all', all());
      clients.add(response);
      response.on('close', () => clients.delete(response));
      return true;
    },
    look,
    /** Those that are still admitted come back by themselves. */
    endStreams,
    close: (): void => {
      aborter.abort();
      clearInterval(looks);
      clearInterval(beats);
      endStreams();
    },
  };
}

/** Times that grow by themselves are not a change: the page counts on from what it has. */
function stampOf({ workedMs: _worked, waitedMs: _waited, ...rest }: LoopCard): string {
  return JSON.stringify(rest);
}
