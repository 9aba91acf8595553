/** The line in which a person types words: for the agent, for an answer, or to find a loop. */
import { forScreen } from '../clean-text.ts';
import { clusters } from '../width.ts';
import type { Key } from './keys.ts';
import { withCards, type Act, type Asking, type Pressed, type TextAbout, type WatchState } from './state.ts';

type TextAsking = Extract<Asking, { is: 'text' }>;

/** Longer words belong in a file that the agent can read. */
const LONGEST = 4_000;

export function textAsked(state: WatchState, about: TextAbout, text = ''): WatchState {
  return { ...state, asking: { is: 'text', about, text, cursor: text.length } };
}

export function edited(state: WatchState, asking: TextAsking, key: Key): Pressed {
  const { text, cursor } = asking;
  if (key.is === 'text') {
    // A paste may hold several lines; the line here is one.
    const more = forScreen(key.text).replace(/\s+/g, ' ');
    const next = `${text.slice(0, cursor)}${more}${text.slice(cursor)}`.slice(0, LONGEST);
    return changed(state, asking, next, Math.min(next.length, cursor + more.length));
  }
  switch (key.name) {
    case 'enter':
      return submitted(state, asking);
    case 'escape':
      return { state: { ...state, asking: null }, acts: [] };
    case 'left':
      return changed(state, asking, text, before(text, cursor));
    case 'right':
      return changed(state, asking, text, after(text, cursor));
    case 'home':
    case 'ctrl-a':
      return changed(state, asking, text, 0);
    case 'end':
    case 'ctrl-e':
      return changed(state, asking, text, text.length);
    case 'backspace': {
      const to = before(text, cursor);
      return changed(state, asking, text.slice(0, to) + text.slice(cursor), to);
    }
    case 'delete':
      return changed(state, asking, text.slice(0, cursor) + text.slice(after(text, cursor)), cursor);
    case 'ctrl-k':
      return changed(state, asking, text.slice(0, cursor), cursor);
    case 'ctrl-u':
      return changed(state, asking, text.slice(cursor), 0);
    case 'ctrl-w': {
      const kept = text.slice(0, cursor).replace(/\S*\s*$/, '');
      return changed(state, asking, kept + text.slice(cursor), kept.length);
    }
    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'tab':
    case 'back-tab':
    case 'ctrl-c':
    case 'ctrl-l':
    case 'ctrl-z':
    case 'unknown':
      return { state, acts: [] };
  }
}

/** The list is searched while a person types. */
function changed(state: WatchState, asking: TextAsking, text: string, cursor: number): Pressed {
  const next = { ...state, asking: { ...asking, text, cursor } };
  return { state: asking.about.is === 'find' ? found(next, text) : next, acts: [] };
}

function found(state: WatchState, find: string): WatchState {
  const next = { ...state, find };
  return next.cards === null ? next : withCards(next, next.cards, next.unread);
}

function submitted(state: WatchState, { about, text }: TextAsking): Pressed {
  const act = actOf(about, text.trim());
  return { state: { ...state, asking: null }, acts: act === null ? [] : [act] };
}

/** Null: nothing was said that could be sent. A rejection needs no words. */
function actOf(about: TextAbout, words: string): Act | null {
  switch (about.is) {
    case 'steer':
      return words === '' ? null : { is: 'steer', id: about.id, words };
    case 'answer':
      return words === '' ? null : { is: 'answer', request: about.request.id, words };
    case 'reject':
      return { is: 'reject', request: about.request.id, words };
    case 'find':
      return null;
  }
}

/** One step over a whole character, of whatever length. */
function before(text: string, cursor: number): number {
  return cursor - (Array.from(clusters(text.slice(0, cursor))).at(-1) ?? '').length;
}

function after(text: string, cursor: number): number {
  const [next = ''] = clusters(text.slice(cursor));
  return cursor + next.length;
}
