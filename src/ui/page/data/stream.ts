/** Follows the server's stream of changes, and comes back by itself after a gap. */
import { get, Refused } from './api.ts';
import { connection, now, putCards, putOverview } from './state.ts';
import type { LoopsChanged, Overview } from '../../wire.ts';

const AGAIN_MS = 1_500;
const TICK_MS = 1_000;

export async function connect(): Promise<void> {
  let at = '';
  try {
    const all = await get<Overview>('/api/loops');
    putOverview(all);
    at = all.at;
  } catch (error) {
    const shut = error instanceof Refused && (error.status === 401 || error.status === 403);
    connection.value = shut ? 'shut' : 'off';
    if (!shut) setTimeout(() => void connect(), AGAIN_MS);
    return;
  }
  follow(at);
}

function follow(at: string): void {
  const source = new EventSource(`/api/events?after=${encodeURIComponent(at)}`);
  source.addEventListener('open', () => {
    connection.value = 'live';
  });
  source.addEventListener('loops', ({ data }: MessageEvent<string>) => {
    const { changed, removed }: LoopsChanged = JSON.parse(data);
    putCards(changed, removed);
  });
  // Something was missed: the server keeps only the last changes.
  source.addEventListener('reset', () => void refresh());
  source.addEventListener('error', () => {
    connection.value = 'off';
    // The browser tries again by itself, unless the server refused.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => void connect(), AGAIN_MS);
  });
}

async function refresh(): Promise<void> {
  try {
    putOverview(await get<Overview>('/api/loops'));
  } catch {
    // The stream breaks as well, and then connects again.
  }
}

export function tick(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, TICK_MS);
}
