/** What a key does in `dacapo watch`: the next state, and what the driver has to do. Pure. */
import { asksIfDone } from '#law/waiting/requests.ts';
import type { CardRequest, LoopCard } from '#telling/story/card.ts';
import type { KeyPress, KeyName } from './keys.ts';
import { editLine } from '../terminal/edit-line.ts';
import {
  currentCard,
  STORY_DEPTH_ENTRIES,
  listed,
  TABS,
  withCards,
  type KeyAct,
  type Asking,
  type KeyResult,
  type TextAbout,
  type WatchState,
} from './state.ts';

/** `page`: how many rows the list or the window of the open loop has. */
export function pressKey(state: WatchState, key: KeyPress, page: number): KeyResult {
  if (key.is === 'key' && key.name === 'ctrl-c') return { state, acts: [{ is: 'quit' }] };
  if (key.is === 'key' && key.name === 'ctrl-z') return { state, acts: [{ is: 'suspend' }] };
  if (key.is === 'key' && key.name === 'ctrl-l') return { state, acts: [{ is: 'redraw' }] };
  // A notice has been read by the time of the next key.
  const now = { ...state, notice: null };
  const { asking } = now;
  if (asking?.is === 'help') return only({ ...now, asking: null });
  if (asking?.is === 'confirm') {
    const isYes = key.is === 'text' && /^y$/i.test(key.text);
    return { state: { ...now, asking: null }, acts: isYes ? [asking.act] : [] };
  }
  if (asking?.is === 'text') return edited(now, asking, key);
  if (key.is === 'paste') return only(now);
  return key.is === 'text' ? typed(now, key.text, page) : moved(now, key.name, page);
}

function only(state: WatchState): KeyResult {
  return { state, acts: [] };
}

/** Letters that stand for keys, as in pagers and editors. */
const MOVES: Readonly<Record<string, KeyName>> = {
  k: 'up',
  j: 'down',
  g: 'home',
  G: 'end',
  ' ': 'page-down',
  l: 'right',
};

function typed(state: WatchState, text: string, page: number): KeyResult {
  const move = MOVES[text];
  if (move !== undefined) return moved(state, move, page);
  if (/^[1-4]$/.test(text)) return only(withTab(state, Number(text) - 1));
  if (text === 'q') return { state, acts: [{ is: 'quit' }] };
  if (text === '?' || text === 'h') return only({ ...state, asking: { is: 'help' } });
  if (state.open === null && text === '/') return only(textAsked(state, { is: 'find' }, state.find));
  if (state.open === null && text === 'A') return { state, acts: [{ is: 'scope' }] };
  const card = currentCard(state);
  return card === null ? only(state) : steered(state, text, card);
}

function steered(state: WatchState, key: string, card: LoopCard): KeyResult {
  const { id, task } = card;
  const pointless = (why: string) => only(noted(state, `it ${card.says}: ${why}`));
  switch (key) {
    case 'p':
      if (card.hasEnded || card.status === 'paused') return pointless('there is nothing to pause');
      return { state, acts: [{ is: 'pause', id }] };
    case 'r':
      if (card.status === 'completed' || card.status === 'running')
        return pointless('there is nothing to resume');
      return { state, acts: [{ is: 'resume', id }] };
    case 'c': {
      if (card.hasEnded) return pointless('there is nothing to cancel');
      const words = `Cancel ${id}? ${task}`;
      return only({ ...state, asking: { is: 'confirm', words, act: { is: 'cancel', id } } });
    }
    case 's':
      return card.hasEnded ? pointless('nobody would read it') : only(textAsked(state, { is: 'steer', id }));
    case 'a':
    case 'x': {
      const [request] = card.requests;
      return only(
        request === undefined
          ? noted(state, 'nothing waits for an answer here')
          : answering(state, key === 'a', request),
      );
    }
    default:
      return only(state);
  }
}

function answering(state: WatchState, isYes: boolean, request: CardRequest): WatchState {
  if (!isYes) return textAsked(state, { is: 'reject', request });
  if (request.kind === 'question') return textAsked(state, { is: 'answer', request });
  const verb = asksIfDone(request) ? 'Confirm as done' : 'Approve';
  const why = request.why === '' ? '' : ` (${request.why})`;
  const act: KeyAct = { is: 'approve', request: request.id };
  return { ...state, asking: { is: 'confirm', words: `${verb}: ${request.what}${why}`, act } };
}

function noted(state: WatchState, text: string): WatchState {
  return { ...state, notice: { mark: 'open', text } };
}

function moved(state: WatchState, name: KeyName, page: number): KeyResult {
  return state.open === null ? movedInList(state, name, page) : movedInLoop(state, name, page);
}

function movedInList(state: WatchState, name: KeyName, page: number): KeyResult {
  const cards = listed(state);
  const at = cards.findIndex(({ id }) => id === state.chosen);
  const choose = (to: number): KeyResult => {
    const card = cards[Math.max(0, Math.min(cards.length - 1, to))];
    return only({ ...state, chosen: card?.id ?? null });
  };
  const half = Math.max(1, Math.floor(page / 2));
  const steps: Readonly<Partial<Record<KeyName, number>>> = {
    up: at - 1,
    down: at + 1,
    'page-up': at - half,
    'page-down': at + half,
    home: 0,
    end: cards.length - 1,
  };
  const to = steps[name];
  if (to !== undefined) return choose(to);
  if ((name === 'enter' || name === 'right') && state.chosen !== null) return openCard(state, state.chosen);
  return only(name === 'escape' ? { ...state, find: '' } : state);
}

export function openCard(state: WatchState, id: string): KeyResult {
  const open = {
    id,
    tab: 'story',
    up: 0,
    depth: STORY_DEPTH_ENTRIES,
    entries: [],
    total: 0,
    journal: [],
    agent: [],
    proofs: [],
  } as const;
  return { state: { ...state, chosen: id, open }, acts: [{ is: 'open', id }] };
}

function movedInLoop(state: WatchState, name: KeyName, page: number): KeyResult {
  const most = Math.max(1, page - 2);
  const steps: Readonly<Partial<Record<KeyName, number>>> = {
    up: 1,
    down: -1,
    'page-up': most,
    'page-down': -most,
    home: Number.MAX_SAFE_INTEGER,
    end: Number.MIN_SAFE_INTEGER,
  };
  const by = steps[name];
  if (by !== undefined) return scrolled(state, by);
  const tab = TABS.indexOf(state.open?.tab ?? 'story');
  if (name === 'tab' || name === 'right') return only(withTab(state, tab + 1));
  if (name === 'back-tab') return only(withTab(state, tab + TABS.length - 1));
  const leaves = name === 'escape' || name === 'left' || name === 'backspace';
  return leaves ? { state: { ...state, open: null }, acts: [{ is: 'close' }] } : only(state);
}

function withTab(state: WatchState, to: number): WatchState {
  const tab = TABS[to % TABS.length];
  return state.open === null || tab === undefined ? state : { ...state, open: { ...state.open, tab, up: 0 } };
}

/** The view bounds `up` by the lines that there are. Further up, more of the story is read. */
function scrolled(state: WatchState, by: number): KeyResult {
  const { open } = state;
  if (open === null) return only(state);
  const up = Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, open.up + by));
  const wantsOlder = by > 0 && open.tab === 'story' && open.entries.length < open.total;
  const depth = wantsOlder ? open.depth + STORY_DEPTH_ENTRIES : open.depth;
  return { state: { ...state, open: { ...open, up, depth } }, acts: wantsOlder ? [{ is: 'older' }] : [] };
}

/* The line in which a person types words: for the agent, for an answer, or to find a loop. */

type TextAsking = Extract<Asking, { is: 'text' }>;

function textAsked(state: WatchState, about: TextAbout, text = ''): WatchState {
  return { ...state, asking: { is: 'text', about, text, cursor: text.length } };
}

function edited(state: WatchState, asking: TextAsking, key: KeyPress): KeyResult {
  const line = editLine(asking, key);
  if (line === null) return only(state);
  if (line === 'left') return only({ ...state, asking: null });
  if (line === 'sent') {
    const act = actOf(asking.about, asking.text.trim());
    return { state: { ...state, asking: null }, acts: act === null ? [] : [act] };
  }
  const typing = { ...state, asking: { ...asking, ...line } };
  if (asking.about.is !== 'find') return only(typing);
  // The list is searched while a person types.
  const found = { ...typing, find: line.text };
  return only(found.cards === null ? found : withCards(found, found.cards, found.unread));
}

/** Null: nothing was said that could be sent. A rejection needs no words. */
function actOf(about: TextAbout, words: string): KeyAct | null {
  if (about.is === 'find' || (words === '' && about.is !== 'reject')) return null;
  if (about.is === 'steer') return { is: 'steer', id: about.id, words };
  return { is: about.is, request: about.request.id, words };
}
