/** The entry of the page: exchanges the key of the link for a cookie, then draws and follows the loops. */
import './page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import type { LoopsChanged, Overview } from '../wire.ts';
import { get, keepPass, postToServer, RefusedCall } from './data/api.ts';
import { followKeys } from './views/help.tsx';
import { followRoute, PLACES, route } from './data/route.ts';
import { cards, connection, needing, now, putCards, putOverview } from './data/state.ts';
import { effect } from '@preact/signals';

const MAX_TASK_CHARS = 60;
const AGAIN_MS = 1_500;
const TICK_MS = 1_000;
const KEY = /^#key=([\w-]+)$/;

const key = KEY.exec(location.hash)?.[1];
// Out of the address at once, so that the key gets into no bookmark and no screenshot.
if (key !== undefined) history.replaceState(null, '', '#/');
followRoute();
followKeys();
effect(() => {
  document.title = `${needing.value === 0 ? '' : `(${needing.value}) `}${placeName()}Da Capo`;
});
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, TICK_MS);
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
if (key === undefined || (await unlock(key))) await connect();

async function unlock(given: string): Promise<boolean> {
  try {
    const { pass } = await postToServer<{ readonly pass: string }>('/session', { key: given });
    keepPass(pass);
    return true;
  } catch {
    connection.value = 'shut';
    return false;
  }
}

function placeName(): string {
  const here = route.value;
  if (here.is === 'overview') return '';
  if (here.is !== 'loop') return `${PLACES.find(({ is }) => is === here.is)?.name} · `;
  const task = cards.value.get(here.id)?.task ?? here.id;
  return `${task.length > MAX_TASK_CHARS ? `${task.slice(0, MAX_TASK_CHARS)}…` : task} · `;
}

/** A stream can't say why it was refused, so the first question is an ordinary one. */
async function connect(): Promise<void> {
  try {
    putOverview(await get<Overview>('/api/loops'));
  } catch (error) {
    const shut = error instanceof RefusedCall && (error.status === 401 || error.status === 403);
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
    if (source.readyState === EventSource.CLOSED) setTimeout(() => void connect(), AGAIN_MS);
  });
}
