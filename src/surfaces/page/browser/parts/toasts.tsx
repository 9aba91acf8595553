/**
 * What the person does to a loop, and short messages in the corner: what came of it, or why it was refused.
 */
import { signal } from '@preact/signals';
import type { ActionDone } from '#surfaces/page/wire.ts';
import { postToServer, RefusedCall } from '../data/api.ts';
import { putCards } from '../data/state.ts';
import { Icon } from './icons.tsx';
import { Rich } from './parts.tsx';

interface Toast {
  readonly key: number;
  readonly text: string;
  readonly next: string;
  readonly isBad: boolean;
}

const GOOD_MS = 4_000;
const BAD_MS = 15_000;
const MAX_TOASTS = 3;

const toasts = signal<readonly Toast[]>([]);
let keys = 0;

export function tellError(error: unknown): void {
  if (error instanceof RefusedCall) addToast(error.message, error.next, true);
  else addToast(error instanceof Error ? error.message : String(error), '', true);
}

function addToast(text: string, next: string, isBad: boolean): void {
  const key = ++keys;
  toasts.value = [...toasts.value, { key, text, next, isBad }].slice(-MAX_TOASTS);
  setTimeout(() => dropToast(key), isBad ? BAD_MS : GOOD_MS);
}

function dropToast(key: number): void {
  toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

const busy = signal<ReadonlySet<string>>(new Set());

export function isBusy(path: string): boolean {
  return busy.value.has(path);
}

/** Says what came of it, and refuses a second click meanwhile. */
export async function postAction(path: string, body: object = {}): Promise<ActionDone | null> {
  if (isBusy(path)) return null;
  busy.value = new Set([...busy.value, path]);
  try {
    const done = await postToServer<ActionDone>(path, body);
    if (done.card !== null) putCards([done.card], []);
    addToast(done.says, '', false);
    return done;
  } catch (error) {
    tellError(error);
    return null;
  } finally {
    busy.value = new Set([...busy.value].filter((one) => one !== path));
  }
}

export function Toasts() {
  return (
    <div class="stack tight toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text, next, isBad }) => (
        <div key={key} class={`card pad line toast ${isBad ? 'bad' : ''}`}>
          <div>
            <Rich as="p" words={text} />
            <Rich as="p" look="soft" words={next} />
          </div>
          <button class="button quiet icon" aria-label="Close this message" onClick={() => dropToast(key)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
