/** The title of the tab: how many loops need the person, and where they are. */
import { effect } from '@preact/signals';
import { route } from './data/route.ts';
import { cards, needsYou } from './data/state.ts';

const TASK = 60;

export function followTitle(): void {
  effect(() => {
    const needing = [...cards.value.values()].filter(needsYou).length;
    document.title = `${needing === 0 ? '' : `(${needing}) `}${placeName()}Da Capo`;
  });
}

function placeName(): string {
  const here = route.value;
  switch (here.is) {
    case 'overview':
      return '';
    case 'stats':
      return 'Stats · ';
    case 'start':
      return 'New loop · ';
    case 'loop': {
      const task = cards.value.get(here.id)?.task ?? here.id;
      return `${task.length > TASK ? `${task.slice(0, TASK)}…` : task} · `;
    }
  }
}
