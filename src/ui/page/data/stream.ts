/** Follows the server's stream of changes, and comes back by itself after a gap. */
import { get, Refused } from './api.ts';
import { connection, now, putCards, putOverview } from './state.ts';
import type { LoopsChanged, Overview } from '../../wire.ts';

const AGAIN_MS = 1_500;
const TICK_MS = 1_000;

/** A stream can't say why it was refused, so the first question is an ordinary one. */
export async function connect(): Promise<void> {
  try {
    putOverview(await get<Overview>('/api/loops'));
  } catch (error) {
    const shut = error instanceof Refused && (error.status === 401 || error.status === 403);
    connection.value = shut ? 'shut' : 'off';
    if (!shut) setTimeout(() => void connect(), AGAIN_MS);
    return;
  }
  const source = new EventSource('/api/events');
  source.addEventListener('open', () => {
    connection.value = 'live';
  });
  source.addEventListener('all', ({ data }: MessageEvent<string>) => putOverview(JSON.parse(data)));
  source.addEventListener('loops', ({ data }: MessageEvent<string>) => {
    const { changed, removed }: LoopsChanged = JSON.parse(data);
    putCards(changed, removed);
  });
  source.addEventListener('error', () => {
    connection.value = 'off';
    // The browser tries again by itself, unless the server refused.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => void connect(), AGAIN_MS);
  });
}

export function tick(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, TICK_MS);
}
