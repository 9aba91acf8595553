/** Where the person is, kept in the fragment: reload, back and bookmarks work, and the server sees none of it. */
import { signal } from '@preact/signals';

export type Tab = 'timeline' | 'agent' | 'features' | 'charts' | 'task';
export const TABS: readonly Tab[] = ['timeline', 'agent', 'features', 'charts', 'task'];

export type Route =
  | { readonly is: 'overview' | 'stats' | 'start' }
  | { readonly is: 'loop'; readonly id: string; readonly tab: Tab };

export const route = signal<Route>({ is: 'overview' });

const PLACES = { overview: '', stats: 'stats', start: 'new' } as const;

export function hrefOf(to: Route): string {
  if (to.is !== 'loop') return `#/${PLACES[to.is]}`;
  return `#/loop/${to.id}${to.tab === 'timeline' ? '' : `/${to.tab}`}`;
}

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

function readRoute(fragment: string): Route {
  const [, place, id, tab] = fragment.replace(/^#/, '').split('/');
  if (place === 'stats') return { is: 'stats' };
  if (place === 'new') return { is: 'start' };
  if (place === 'loop' && id !== undefined && id !== '')
    return { is: 'loop', id, tab: TABS.find((known) => known === tab) ?? 'timeline' };
  return { is: 'overview' };
}

export function followRoute(): void {
  const read = () => {
    const before = route.value;
    route.value = readRoute(location.hash);
    const isSamePlace = before.is === 'loop' && route.value.is === 'loop' && before.id === route.value.id;
    if (!isSamePlace) scrollTo(0, 0);
  };
  addEventListener('hashchange', read);
  read();
}
