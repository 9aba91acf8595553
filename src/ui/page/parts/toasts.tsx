/** Short messages in the corner: what was done, or why it was refused. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Refused } from '../data/api.ts';
import { Icon } from './icons.tsx';
import { Rich } from './parts.tsx';

interface Toast {
  readonly key: number;
  readonly text: string;
  readonly next: string;
  readonly isBad: boolean;
}

/** An error stays until it is read. */
const GOOD_MS = 4_000;
const BAD_MS = 15_000;
const MOST = 3;

const toasts = signal<readonly Toast[]>([]);
let keys = 0;

export function tell(text: string): void {
  add(text, '', false);
}

export function tellError(error: unknown): void {
  if (error instanceof Refused) add(error.message, error.next, true);
  else add(error instanceof Error ? error.message : String(error), '', true);
}

function add(text: string, next: string, isBad: boolean): void {
  const key = ++keys;
  toasts.value = [...toasts.value, { key, text, next, isBad }].slice(-MOST);
  setTimeout(() => drop(key), isBad ? BAD_MS : GOOD_MS);
}

function drop(key: number): void {
  toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

export function Toasts(): JSX.Element {
  return (
    <div class="stack tight toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text, next, isBad }) => (
        <div key={key} class={`card pad line toast ${isBad ? 'bad' : ''}`}>
          <div>
            <p>
              <Rich words={text} />
            </p>
            <p class="soft">
              <Rich words={next} />
            </p>
          </div>
          <button class="button quiet icon" aria-label="Close this message" onClick={() => drop(key)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
