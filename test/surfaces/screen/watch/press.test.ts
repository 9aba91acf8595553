/** What keys do in the terminal view. */
import { describe, expect, it } from 'vitest';
import { currentCard, withCards } from '#surfaces/screen/watch/state.ts';
import { pressKey } from '#surfaces/screen/watch/press.ts';
import { ASKS, card, DONE, pressing, watching } from './given.ts';

describe('in the list', () => {
  const state = watching(card('A'), card('B'), card('C', DONE));

  it('the arrows choose, and stop at either end', () => {
    expect(state.chosen).toBe('A');
    expect(pressing(state, 'down').state.chosen).toBe('B');
    expect(pressing(state, 'j', 'j', 'down', 'down').state.chosen).toBe('C');
    expect(pressing(state, 'end', 'up', 'k', 'up').state.chosen).toBe('A');
    expect(pressing(state, 'G', 'g').state.chosen).toBe('A');
    expect(pressing(state, 'page-down', 'page-up').state.chosen).toBe('A');
  });

  it('Enter opens, Esc goes back, the choice stays', () => {
    const opened = pressing(state, 'down', 'enter');
    expect(opened.acts).toEqual([{ is: 'open', id: 'B' }]);
    expect(opened.state.open).toMatchObject({ id: 'B', tab: 'story', up: 0 });
    const back = pressing(opened.state, 'escape');
    expect(back).toMatchObject({ acts: [{ is: 'close' }], state: { open: null, chosen: 'B' } });
  });

  it('the choice stays with its loop when others come and go', () => {
    const chosen = pressing(state, 'down').state;
    expect(withCards(chosen, [card('X'), card('B')], 0).chosen).toBe('B');
    expect(withCards(chosen, [card('X')], 0).chosen).toBe('X');
    expect(withCards(chosen, [], 0).chosen).toBeNull();
    expect(pressing(withCards(chosen, [], 0), 'down', 'enter', 'p', 'a')).toMatchObject({
      acts: [],
      state: { chosen: null },
    });
  });

  it('a paste is never a command, not even one letter', () => {
    const pasted = (text: string) => pressKey(state, { is: 'paste', text }, 10);
    expect(['p', 'q', 'c', 'cy please'].flatMap((text) => pasted(text).acts)).toEqual([]);
    expect(pasted('c').state.asking).toBeNull();
    const steering = pressing(state, 's').state;
    expect(pressKey(steering, { is: 'paste', text: 'p' }, 10).state.asking).toMatchObject({ text: 'p' });
  });

  it('loops that wait for a person come first', () => {
    const sorted = watching(card('A', DONE), card('B'), card('C', ASKS));
    expect(sorted.cards?.map(({ id }) => id)).toEqual(['C', 'B', 'A']);
  });

  it('/ finds while one types, Esc shows all again', () => {
    const found = pressing(state, '/', 'o', 'f', ' ', 'B', 'enter').state;
    expect(found.find).toBe('of B');
    expect(currentCard(found)?.id).toBe('B');
    expect(pressing(found, 'escape').state.find).toBe('');
  });

  it('q and Ctrl-C quit, also in a question; Ctrl-Z suspends, Ctrl-L redraws, A changes the scope', () => {
    expect(pressing(state, 'q').acts).toEqual([{ is: 'quit' }]);
    expect(pressing(state, 's', 'x', 'ctrl-c').acts).toEqual([{ is: 'quit' }]);
    expect(pressing(state, 'ctrl-z', 'ctrl-l', 'A').acts.map(({ is }) => is)).toEqual([
      'suspend',
      'redraw',
      'scope',
    ]);
  });

  it('any key closes the help', () => {
    expect(pressing(state, '?').state.asking).toEqual({ is: 'help' });
    expect(pressing(state, '?', 'q')).toMatchObject({ acts: [], state: { asking: null } });
  });
});

describe('keys that act on a loop', () => {
  it('pause and resume act at once', () => {
    expect(pressing(watching(card('A')), 'p').acts).toEqual([{ is: 'pause', id: 'A' }]);
    expect(pressing(watching(card('A', { status: 'paused' })), 'r').acts).toEqual([
      { is: 'resume', id: 'A' },
    ]);
  });

  it('say why they do nothing', () => {
    const ended = watching(card('A', DONE));
    for (const key of ['p', 'r', 'c', 's', 'a', 'x']) {
      const { state, acts } = pressing(ended, key);
      expect(acts).toEqual([]);
      expect(state.notice?.text).toMatch(/nothing|nobody/);
    }
    expect(pressing(ended, 'p', 'down').state.notice).toBeNull();
  });

  it('cancel asks first, and only y is a yes', () => {
    const asked = pressing(watching(card('A')), 'c');
    expect(asked).toMatchObject({ acts: [], state: { asking: { is: 'confirm' } } });
    expect(pressing(asked.state, 'y').acts).toEqual([{ is: 'cancel', id: 'A' }]);
    for (const key of ['n', 'enter', 'escape', 'x', 'q'])
      expect(pressing(asked.state, key)).toMatchObject({ acts: [], state: { asking: null } });
  });

  it('steer sends what was typed, and nothing where nothing was', () => {
    const state = watching(card('A'));
    expect(pressing(state, 's', 'try B', 'enter').acts).toEqual([{ is: 'steer', id: 'A', words: 'try B' }]);
    expect(pressing(state, 's', ' ', 'enter').acts).toEqual([]);
    expect(pressing(state, 's', 'x', 'escape')).toMatchObject({ acts: [], state: { asking: null } });
  });

  it('approve shows what it is about and asks; reject takes a word', () => {
    const state = watching(card('A', ASKS));
    const asked = pressing(state, 'a').state;
    expect(asked.asking).toMatchObject({ words: 'Approve: git push origin main (a rule asks)' });
    expect(pressing(asked, 'y').acts).toEqual([{ is: 'approve', request: 'r-1' }]);
    expect(pressing(state, 'x', 'no', 'enter').acts).toEqual([{ is: 'reject', request: 'r-1', words: 'no' }]);
    expect(pressing(state, 'x', 'enter').acts).toEqual([{ is: 'reject', request: 'r-1', words: '' }]);
  });

  it('a question is answered in words', () => {
    const [request] = ASKS.requests ?? [];
    if (request === undefined) throw new Error('no request');
    const state = watching(card('A', { ...ASKS, requests: [{ ...request, kind: 'question' }] }));
    expect(pressing(state, 'a', 'yes', 'enter').acts).toEqual([
      { is: 'answer', request: 'r-1', words: 'yes' },
    ]);
    expect(pressing(state, 'a', 'enter').acts).toEqual([]);
  });
});

describe('in the open loop', () => {
  const { state } = pressing(watching(card('A')), 'enter');

  it('Tab and digits choose what is read, from its end', () => {
    expect(pressing(state, 'tab').state.open?.tab).toBe('journal');
    expect(pressing(state, '4', 'tab').state.open?.tab).toBe('story');
    expect(pressing(state, 'back-tab').state.open?.tab).toBe('proof');
    expect(pressing(state, 'up', '2').state.open).toMatchObject({ tab: 'journal', up: 0 });
  });

  it('the arrows scroll, and further up more of the story is read', () => {
    expect(pressing(state, 'up', 'up', 'down').state.open?.up).toBe(1);
    expect(pressing(state, 'down').state.open?.up).toBe(0);
    expect(pressing(state, 'home', 'end').state.open?.up).toBe(0);
    const long = { ...state, open: state.open && { ...state.open, total: 9_999 } };
    const older = pressing(long, 'up');
    expect(older.acts).toEqual([{ is: 'older' }]);
    expect(older.state.open?.depth).toBeGreaterThan(state.open?.depth ?? 0);
  });

  it('a and s act on the open loop', () => {
    expect(pressing(state, 'p').acts).toEqual([{ is: 'pause', id: 'A' }]);
  });
});

describe('the line in which one types', () => {
  const typed = (...keys: string[]) => {
    const { asking } = pressing(watching(card('A')), 's', ...keys).state;
    return asking?.is === 'text' ? [asking.text, asking.cursor] : null;
  };

  it('is edited as in a shell', () => {
    expect(typed('abc', 'left', 'X')).toEqual(['abXc', 3]);
    expect(typed('abc', 'backspace')).toEqual(['ab', 2]);
    expect(typed('abc', 'home', 'delete')).toEqual(['bc', 0]);
    expect(typed('one two', 'ctrl-w')).toEqual(['one ', 4]);
    expect(typed('one two', 'ctrl-u')).toEqual(['', 0]);
    expect(typed('one two', 'ctrl-a', 'right', 'ctrl-k', 'ctrl-e')).toEqual(['o', 1]);
  });

  it('keeps whole characters, and makes one line of a paste', () => {
    expect(typed('👩‍👩‍👧', 'backspace')).toEqual(['', 0]);
    expect(typed('a\nb\u0007\tc')).toEqual(['a b c', 5]);
  });
});
