/**
 * Where the person is, kept in the fragment: reload, back and bookmarks work, and the server sees none of it.
 */
import { signal } from '@preact/signals';

export type Tab = 'timeline' | 'agent' | 'features' | 'charts' | 'task';
export const TABS: readonly Tab[] = ['timeline', 'agent', 'features', 'charts', 'task'];

/** The views beside those of one loop: their path, name and icon. */
export const PLACES = [
  { is: 'overview', path: '', icon: 'home', name: 'Overview' },
  { is: 'stats', path: 'stats', icon: 'chart', name: 'Stats' },
  { is: 'start', path: 'new', icon: 'plus', name: 'New loop' },
] as const;

export type Route =
  | { readonly is: (typeof PLACES)[number]['is'] }
  | { readonly is: 'loop'; readonly id: string; readonly tab: Tab };

export const route = signal<Route>({ is: 'overview' });

export function hrefOf(to: Route): string {
  if (to.is !== 'loop') return `#/${PLACES.find(({ is }) => is === to.is)?.path}`;
  return `#/loop/${to.id}${to.tab === 'timeline' ? '' : `/${to.tab}`}`;
}

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

function readRoute(fragment: string): Route {
  const [, place, id = '', tab] = fragment.split('/');
  if (place === 'loop' && id !== '')
    return { is: 'loop', id, tab: TABS.find((known) => known === tab) ?? 'timeline' };
  return { is: PLACES.find(({ path }) => path === place)?.is ?? 'overview' };
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
