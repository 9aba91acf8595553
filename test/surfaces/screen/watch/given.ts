/** Cards and states of the terminal view, with what a test does not care about filled in. */
import type { LoopCard } from '#telling/story/card.ts';
import type { StoryIteration } from '#telling/story/story.ts';
import type { Viewport } from '#surfaces/screen/terminal/lines.ts';
import { NO_PAINT } from '../given.ts';
import type { KeyPress, KeyName } from '#surfaces/screen/watch/keys.ts';
import { pressKey } from '#surfaces/screen/watch/press.ts';
import { beginWatch, withCards, type KeyAct, type WatchState } from '#surfaces/screen/watch/state.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');

export function card(id: string, over: Partial<LoopCard> = {}): LoopCard {
  return {
    fleet: null,
    id,
    name: null,
    project: '/home/ann/work',
    belongsTo: '/home/ann/work',
    host: 'host',
    driver: 'hook',
    task: `Task of ${id}`,
    status: 'running',
    says: 'is running, iteration 2 of 20',
    tone: 'working',
    group: 'working',
    hasEnded: false,
    iteration: 2,
    iterations: 20,
    iterationsInAll: 1,
    item: null,
    features: null,
    asksBefore: [],
    gates: [
      { kind: 'promise', label: 'promise', wanted: 'COMPLETE', is: 'open', seen: null },
      {
        kind: 'check',
        label: 'npm test',
        wanted: 'npm test',
        is: 'failing',
        seen: 'failed with exit code 1',
      },
    ],
    isCounted: true,
    costUsd: 1.05,
    estimated: false,
    maxCostUsd: null,
    tokens: 48_000,
    maxTokens: null,
    context: null,
    workedMs: 125_000,
    maxWorkedMs: null,
    waitedMs: 0,
    isWorking: true,
    lastWords: null,
    proving: [],
    requests: [],
    model: null,
    startedAt: '2026-03-01T09:00:00.000Z',
    updatedAt: '2026-03-01T09:59:00.000Z',
    endedAt: null,
    next: '',
    ...over,
  };
}

export const DONE: Partial<LoopCard> = {
  status: 'completed',
  says: 'completed after 2 iterations: every gate holds',
  tone: 'done',
  group: 'ended',
  hasEnded: true,
  isWorking: false,
};

export const ASKS: Partial<LoopCard> = {
  status: 'waiting',
  tone: 'needs-you',
  group: 'needs-you',
  requests: [
    {
      id: 'r-1',
      kind: 'approval',
      what: 'git push origin main',
      why: 'a rule asks',
      askedAt: '2026-03-01T09:59:00.000Z',
      expiresAt: '2026-03-02T09:59:00.000Z',
    },
  ],
};

export function iteration(seq: number, over: Partial<StoryIteration> = {}): StoryIteration {
  return {
    is: 'iteration',
    title: `Iteration ${seq + 1}`,
    word: 'goes on',
    tone: 'plain',
    ms: 240_000,
    seq,
    stop: seq + 1,
    iteration: seq + 1,
    inAll: seq + 1,
    item: null,
    beganAt: '2026-03-01T09:50:00.000Z',
    stoppedAt: '2026-03-01T09:54:00.000Z',
    judgedAt: '2026-03-01T09:54:10.000Z',
    session: 's',
    model: null,
    claim: 'none',
    claimed: null,
    said: null,
    checks: [],
    gateResults: [],
    features: null,
    hooks: [],
    verdict: {
      is: 'continue',
      rule: { number: 15, name: 'next iteration', says: '' },
      says: 'continue',
      reasons: [],
      isVoid: false,
    },
    toolUsed: true,
    used: { costUsd: 0.21, tokens: 48_000 },
    context: null,
    tree: null,
    commit: null,
    ...over,
  };
}

export function watching(...cards: LoopCard[]): WatchState {
  return withCards(beginWatch('/home/ann/work'), cards, 0);
}

export function size(width: number, height: number, isAscii = false): Viewport {
  return { now: NOW, width, height, style: { paint: NO_PAINT, isAscii } };
}

/** A letter is text; anything longer is the name of a key. */
export function pressing(state: WatchState, ...keys: string[]): { state: WatchState; acts: KeyAct[] } {
  const acts: KeyAct[] = [];
  let now = state;
  for (const key of keys) {
    const next = pressKey(now, keyOf(key), 10);
    now = next.state;
    acts.push(...next.acts);
  }
  return { state: now, acts };
}

const NAMES: readonly KeyName[] = [
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'page-up',
  'page-down',
  'enter',
  'escape',
  'tab',
  'back-tab',
  'backspace',
  'delete',
  'ctrl-a',
  'ctrl-c',
  'ctrl-e',
  'ctrl-k',
  'ctrl-l',
  'ctrl-u',
  'ctrl-w',
  'ctrl-z',
  'unknown',
];

function keyOf(key: string): KeyPress {
  const name = NAMES.find((one) => one === key);
  return name === undefined ? { is: 'text', text: key } : { is: 'key', name };
}
