/**
 * The stream of changes. Each open page gets every changed card. A page that was away for a moment gets what it missed,
 * by the id of the last change it saw; after a longer absence it is told to load everything again.
 */
import type { ServerResponse } from 'node:http';
import type { Listing, LoopIndex } from '../../live/loop-index.ts';
import { watchLoops } from '../../live/watch.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { LoopCard, LoopsChanged, Overview } from '../wire.ts';
import { beginStream } from './reply.ts';

/** Pages that may be open at once. Each holds a connection. */
const MOST_CLIENTS = 32;
const KEPT = 200;
/** Last words, running checks and the end of a process leave no line in a journal. */
const LOOK_MS = 1_500;
/** Proxies and sleeping laptops end a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A reader that is so far behind is gone. */
const MOST_BEHIND = 4 * 1024 * 1024;

export interface Changes {
  /** `lastId`: what the page has seen. False: too many pages are open. */
  readonly follow: (response: ServerResponse, lastId: string | null) => boolean;
  /** All loops now, and the id of the last change that is in there. */
  readonly all: () => Pick<Overview, 'loops' | 'unread' | 'at'>;
  /** Ends the stream of each open page. Those that are still admitted come back by themselves. */
  readonly endStreams: () => void;
  readonly close: () => void;
}

interface KeptChange {
  readonly n: number;
  readonly text: string;
}

/** `epoch`: ids of an earlier server must not be taken for ours. */
export function openChanges(index: LoopIndex, epoch: string, runtime: Runtime): Changes {
  const clients = new Set<ServerResponse>();
  const aborter = new AbortController();
  const kept: KeptChange[] = [];
  let n = 0;
  let known = stampsOf(index);

  const send = (client: ServerResponse, text: string): void => {
    if (client.writableLength > MOST_BEHIND) client.destroy();
    else client.write(text);
  };
  const tell = (change: LoopsChanged): void => {
    n++;
    const text = `id: ${epoch}.${n}\nevent: loops\ndata: ${JSON.stringify(change)}\n\n`;
    kept.push({ n, text });
    if (kept.length > KEPT) kept.shift();
    for (const client of clients) send(client, text);
  };
  const look = (): Listing => {
    const listing = index.look();
    const { cards } = listing;
    const now = new Map(cards.map((card) => [card.id, stampOf(card)]));
    const changed = cards.filter((card) => known.get(card.id) !== now.get(card.id));
    const removed = [...known.keys()].filter((id) => !now.has(id));
    known = now;
    if (changed.length + removed.length > 0) tell({ changed, removed });
    return listing;
  };
  const missed = (lastId: string): string => {
    const [from, seen] = lastId.split('.');
    const first = kept[0]?.n ?? n + 1;
    if (from !== epoch || Number(seen) < first - 1) return `id: ${epoch}.${n}\nevent: reset\ndata: {}\n\n`;
    return kept
      .filter((one) => one.n > Number(seen))
      .map(({ text }) => text)
      .join('');
  };

  const endStreams = (): void => {
    for (const client of clients) client.end();
    clients.clear();
  };

  watchLoops(aborter.signal, runtime, look);
  const looks = setInterval(() => {
    if (clients.size > 0) look();
  }, LOOK_MS);
  const beats = setInterval(() => {
    for (const client of clients) send(client, ': still here\n\n');
  }, HEARTBEAT_MS);

  return {
    follow: (response, lastId) => {
      if (clients.size >= MOST_CLIENTS) return false;
      // Catch up first: a page that reconnects needs the changes made while no page was open.
      if (clients.size === 0) look();
      beginStream(response);
      response.write('retry: 1000\nevent: hello\ndata: {}\n\n');
      if (lastId !== null) response.write(missed(lastId));
      clients.add(response);
      response.on('close', () => clients.delete(response));
      return true;
    },
    all: () => {
      const { cards, unread } = look();
      return { loops: cards, unread, at: `${epoch}.${n}` };
    },
    endStreams,
    close: () => {
      aborter.abort();
      clearInterval(looks);
      clearInterval(beats);
      endStreams();
    },
  };
}

function stampsOf(index: LoopIndex): Map<string, string> {
  return new Map(index.look().cards.map((card) => [card.id, stampOf(card)]));
}

/** Times that grow by themselves are not a change: the page counts on from what it has. */
function stampOf({ workedMs: _worked, waitedMs: _waited, ...rest }: LoopCard): string {
  return JSON.stringify(rest);
}
