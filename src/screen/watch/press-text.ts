/** The line in which a person types words: for the agent, for an answer, or to find a loop. */
import { editLine, type EditedLine } from '../edit-line.ts';
import type { Key } from './keys.ts';
import { withCards, type Act, type Asking, type Pressed, type TextAbout, type WatchState } from './state.ts';

type TextAsking = Extract<Asking, { is: 'text' }>;

export function textAsked(state: WatchState, about: TextAbout, text = ''): WatchState {
  return { ...state, asking: { is: 'text', about, text, cursor: text.length } };
}

export function edited(state: WatchState, asking: TextAsking, key: Key): Pressed {
  const next = editLine(asking, key);
  if (next === null) return { state, acts: [] };
  if (next === 'sent') return submitted(state, asking);
  return next === 'left' ? { state: { ...state, asking: null }, acts: [] } : changed(state, asking, next);
}

/** The list is searched while a person types. */
function changed(state: WatchState, asking: TextAsking, line: EditedLine): Pressed {
  const next = { ...state, asking: { ...asking, ...line } };
  return { state: asking.about.is === 'find' ? found(next, line.text) : next, acts: [] };
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
