/** The keys, and the dialog that lists them. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/parts.tsx';
import { go, route } from '../data/route.ts';
import { groups } from '../data/state.ts';

const isOpen = signal(false);

const KEYS: readonly (readonly [string, string])[] = [
  ['j / k', 'the next or the previous loop'],
  ['o', 'the overview'],
  ['s', 'stats'],
  ['n', 'a new loop'],
  ['a', 'to the first request: Enter then approves it'],
  ['/', 'filter the loops'],
  ['?', 'these keys'],
];

export function Help(): JSX.Element | null {
  if (!isOpen.value) return null;
  return (
    <Dialog title="Keys" close={() => (isOpen.value = false)}>
      <Facts rows={KEYS.map(([key, words]) => [<kbd>{key}</kbd>, words])} />
    </Dialog>
  );
}

export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const act = ACTS[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

const ACTS: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  k: () => step(-1),
  o: () => go({ is: 'overview' }),
  s: () => go({ is: 'stats' }),
  n: () => go({ is: 'start' }),
  a: () => document.querySelector<HTMLElement>('.request .primary')?.focus(),
  '/': () => document.querySelector<HTMLElement>('.filter input')?.focus(),
  '?': () => (isOpen.value = true),
};

function step(by: number): void {
  const ids = groups.value.flatMap(({ cards }) => cards.map(({ id }) => id));
  const here = route.value;
  const at = here.is === 'loop' ? ids.indexOf(here.id) : -1;
  const id = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
  if (id === undefined) return;
  go({ is: 'loop', id, tab: here.is === 'loop' ? here.tab : 'timeline' });
  document.querySelector(`[data-loop="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
}
