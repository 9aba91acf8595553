/** Which changes of a loop are told to people and programs outside, and by which word. */
import { describe, expect, it } from 'vitest';
import type { Loop, Status } from '#law/loop.ts';
import { isNotable, notices } from '#law/notices.ts';
import type { EventOf } from '#law/record/events.ts';
import { after, HOUR, MINUTE, running } from './given.ts';

const AT = { at: after(MINUTE) };
const APPROVALS = { rules: ['Bash'], done: false, timeoutMs: HOUR, policy: 'file', folder: null } as const;
const LOOP = running({ approvals: APPROVALS });

function being(status: Status): Loop {
  return { ...LOOP, status };
}

function said(before: Loop | null, now: Loop): string[] {
  return notices(before, now, AT).map(({ is }) => is);
}

function requested(kind: EventOf<'requested'>['kind']): Loop {
  return running(
    { approvals: APPROVALS },
    {
      type: 'requested',
      at: after(MINUTE),
      id: 'ask-abc123-1',
      kind,
      what: { tool: 'Bash', digest: 'd', text: 'git push' },
      why: '',
      expires: after(25 * HOUR),
    },
  );
}

it('a loop that was made has started, whatever its status', () => {
  expect(notices(null, LOOP, AT)).toEqual([{ is: 'started', ...AT, loop: LOOP }]);
});

const PAUSED = { is: 'paused', by: 'session', why: 'command' } as const;

describe('a status that changes', () => {
  it.each<[Status, string]>([
    [{ is: 'completed' }, 'completed'],
    [{ is: 'escalated', why: { is: 'undone', items: 2 } }, 'escalated'],
    [{ is: 'exhausted', limit: 'iterations' }, 'ended'],
    [{ is: 'cancelled', by: 'terminal', prompt: null }, 'ended'],
    [{ is: 'aborted', why: 'view', detail: 'd', evidence: null }, 'ended'],
    [{ is: 'stuck', limit: 'stagnation', detail: '' }, 'stuck'],
    [{ is: 'stuck', limit: 'staleness' }, 'ended'],
    [PAUSED, 'paused'],
    [{ ...PAUSED, why: 'capped' }, 'interrupted'],
    [{ is: 'waiting', for: 'limit', until: after(HOUR) }, 'limit'],
    [{ is: 'waiting', for: 'pause', until: after(HOUR) }, 'waiting'],
    [{ is: 'interrupted', why: 'session-end', detail: '' }, 'paused'],
    [{ is: 'interrupted', why: 'fault', detail: '' }, 'interrupted'],
    [{ is: 'pending' }, 'paused'],
  ])('to %o is told as %s', (status, word) => {
    const now = being(status);
    expect(notices(LOOP, now, AT)).toEqual([{ is: word, ...AT, loop: now }]);
    expect(said(now, now)).toEqual([]);
    expect(isNotable(LOOP, now)).toBe(true);
    expect(said(now, LOOP)).toEqual(['running']);
  });

  it('is told when a loop waits for something else, and not when it waits longer', () => {
    const retry = being({ is: 'waiting', for: 'retry', until: after(MINUTE) });
    const limit = being({ is: 'waiting', for: 'limit', until: after(MINUTE) });
    const longer = being({ is: 'waiting', for: 'limit', until: after(HOUR) });
    expect(said(retry, limit)).toEqual(['limit']);
    expect(said(limit, retry)).toEqual(['waiting']);
    expect(said(limit, longer)).toEqual([]);
    expect(isNotable(retry, limit)).toBe(true);
  });

  it('is no news where it stays the same', () => {
    expect(said(LOOP, LOOP)).toEqual([]);
    expect(isNotable(LOOP, LOOP)).toBe(false);
    expect(isNotable(being(PAUSED), being(PAUSED))).toBe(false);
  });
});

describe('a request', () => {
  it.each([
    ['question', 'question'],
    ['approval', 'approval'],
    ['completion', 'approval'],
  ] as const)('of kind %s is told as %s, with what is asked', (kind, word) => {
    const asking = requested(kind);
    expect(asking.people.requests).toHaveLength(1);
    expect(notices(LOOP, asking, AT)).toEqual([
      { is: word, ...AT, loop: asking, request: asking.people.requests[0] },
    ]);
    expect(isNotable(LOOP, asking)).toBe(true);
    expect(isNotable({ ...LOOP, status: asking.status }, { ...asking, status: PAUSED })).toBe(true);
    expect(
      isNotable(
        { ...asking, people: { ...asking.people, requested: 0 }, status: PAUSED },
        { ...asking, status: PAUSED },
      ),
    ).toBe(true);
  });

  it('is told once', () => {
    const asking = requested('question');
    expect(said(asking, asking)).toEqual([]);
  });
});

describe('an item of a list', () => {
  const { frame } = LOOP;
  const item = { id: 'b', title: 'Beta', n: 2, of: 2 };
  const list = (handled: string[], undone: string[] = []): Loop => ({
    ...LOOP,
    frame: { ...frame, id: 1, handled, undone },
  });
  const within = (of: Loop): Loop => ({ ...of, around: [of.frame], frame: { ...frame, id: 2, item } });

  it('is told when it is proven, also in the event that completes the loop', () => {
    const before = within(list(['a']));
    const next = { ...within(list(['a', 'b'])), frame: { ...frame, id: 3 } };
    expect(notices(before, next, AT)).toEqual([{ is: 'item', ...AT, loop: next, item }]);
    expect(isNotable(before, next)).toBe(true);
    expect(said(before, { ...list(['a', 'b']), status: { is: 'completed' } })).toEqual(['item', 'completed']);
  });

  it('is not told when it ended undone, or goes on', () => {
    expect(said(within(list([])), list(['b'], ['b']))).toEqual([]);
    expect(said(within(list([])), within(list([])))).toEqual([]);
    expect(isNotable(within(list([])), within(list([])))).toBe(false);
    // A frame that is no item, and one whose list is gone.
    expect(said(list(['b']), within(list(['b'])))).toEqual([]);
    const inner = { ...within(list(['b'])), frame: { ...frame, id: 2 } };
    expect(said(inner, list(['b']))).toEqual([]);
  });
});
