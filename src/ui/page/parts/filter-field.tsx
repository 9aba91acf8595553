/** The field that filters the list of loops. */
import type { JSX } from 'preact';
import { Icon } from './icons.tsx';
import { filter } from '../data/state.ts';

export function Filter(): JSX.Element {
  return (
    <div class="filter">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Filter the loops"
        placeholder="Filter loops"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      {filter.value === '' && <kbd aria-hidden="true">/</kbd>}
    </div>
  );
}
