/** The keys, and the dialog that lists them. */
import { signal } from '@preact/signals';
import { Dialog } from '../parts/dialog.tsx';
import { Facts, focusOn } from '../parts/parts.tsx';
import { go, route } from '../data/route.ts';
import { groups } from '../data/state.ts';

const isOpen = signal(false);

const KEYS: readonly (readonly [key: string, words: string, act: () => void])[] = [
  ['j', 'the next loop', () => step(1)],
  ['k', 'the previous loop', () => step(-1)],
  ['o', 'the overview', () => go({ is: 'overview' })],
  ['s', 'stats', () => go({ is: 'stats' })],
  ['n', 'a new loop', () => go({ is: 'start' })],
  ['a', 'to the first request: Enter then approves it', () => focusOn('.request .primary')],
  ['/', 'filter the loops', () => focusOn('.filter input')],
  ['?', 'these keys', () => (isOpen.value = true)],
];

export function Help() {
  if (!isOpen.value) return null;
  return (
    <Dialog title="Keys" close={() => (isOpen.value = false)}>
      <Facts rows={KEYS.map(([key, words]) => [<kbd>{key}</kbd>, words])} />
    </Dialog>
  );
}

export function followKeys(): void {
  addEventListener('keydown', (event) => {
    const { target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.matches('input, textarea, select');
    if (ctrlKey || metaKey || altKey || isTyping || document.querySelector('dialog[open]') !== null) return;
    const act = KEYS.find(([key]) => key === event.key)?.[2];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function step(by: number): void {
  const ids = groups.value.flatMap(({ cards }) => cards.map(({ id }) => id));
  const here = route.value;
  const at = here.is === 'loop' ? ids.indexOf(here.id) : -1;
  const id = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
  if (id === undefined) return;
  go({ is: 'loop', id, tab: here.is === 'loop' ? here.tab : 'timeline' });
  document.querySelector(`[data-loop="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
}
