/**
 * Rule 9 and what a loop asks: the first answer wins, one approval lets one call through, and waiting spends
 * nothing.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '#law/fold/index.ts';
import { judge, factsOf, wantsProof } from '#law/decide.ts';
import { isAwaitingAnswer, workedMs, type Loop } from '#law/loop.ts';
import type { Definition } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import {
  approvalFor,
  endedUnanswered,
  isRequestId,
  MAX_OPEN_REQUESTS,
  openRequestsOf,
  untoldAnswers,
} from '#law/waiting/requests.ts';
import {
  after,
  bound,
  claim,
  created,
  HOUR,
  MINUTE,
  NO_PROOFS,
  proofsOf,
  running,
  SECOND,
  stop,
  tag,
  told,
  verdict,
} from '../given.ts';

const APPROVALS = { rules: ['Bash'], done: false, timeoutMs: HOUR, policy: 'file', folder: null } as const;

function requested(n: number, over: Partial<EventOf<'requested'>> = {}): EventOf<'requested'> {
  return {
    type: 'requested',
    at: after(MINUTE),
    id: `ask-abc123-${n}`,
    kind: 'approval',
    what: { tool: 'Bash', digest: `digest ${n}`, text: 'git push' },
    why: '',
    expires: after(25 * HOUR),
    ...over,
  };
}

function answered(n: number, over: Partial<EventOf<'answered'>> = {}): EventOf<'answered'> {
  const at = over.at ?? after(2 * MINUTE);
  return {
    type: 'answered',
    id: `ask-abc123-${n}`,
    answer: 'approved',
    note: '',
    by: 'terminal',
    ...over,
    at,
  };
}

const question = (n: number, text: string) =>
  requested(n, { kind: 'question', what: { tool: null, digest: null, text } });

const completion = (n: number) =>
  requested(n, { kind: 'completion', what: { tool: null, digest: null, text: 'Done?' } });

const expired = (n: number): Event => ({ type: 'expired', at: after(25 * HOUR), id: `ask-abc123-${n}` });

const steered = (words: string): Event => ({ type: 'steered', at: after(2 * MINUTE), by: 'terminal', words });

const cancelled: Event = { type: 'cancelled', at: after(HOUR), by: 'terminal', prompt: null };

const released = (n: number, call: string): Event => ({
  type: 'released',
  at: after(3 * MINUTE),
  id: `ask-abc123-${n}`,
  call,
});

const asking = (definition: Partial<Definition> = {}, ...events: Event[]): Loop =>
  running({ approvals: APPROVALS, ...definition }, ...events);

describe('a request', () => {
  it('makes the loop wait, and its clock stands', () => {
    const loop = asking({}, requested(1));
    expect(loop.status).toEqual({ is: 'waiting', for: 'approval', until: after(25 * HOUR) });
    expect(workedMs(loop, after(20 * HOUR))).toBe(MINUTE);
    expect(openRequestsOf(loop)).toMatchObject([{ id: 'ask-abc123-1', answer: null }]);
  });

  it('is asked once for the same call, and the first line for an id wins', () => {
    const again = requested(2, { what: { tool: 'Bash', digest: 'digest 1', text: 'git push' } });
    expect(asking({}, requested(1), again).people.requests).toHaveLength(1);
    const other = requested(1, { what: { tool: 'Bash', digest: 'other', text: 'rm' } });
    expect(asking({}, requested(1), other).people.requests).toMatchObject([{ what: { digest: 'digest 1' } }]);
  });

  it('the loop waits on when a session takes it up, a person types, or it is resumed after a pause', () => {
    const pause: Event = { type: 'paused', at: after(HOUR), by: 'terminal', why: 'command' };
    const resume: Event = {
      type: 'resumed',
      at: after(2 * HOUR),
      by: 'terminal',
      session: 's1',
      process: 1,
      prompt: 'p3',
      iterations: null,
    };
    for (const events of [
      [bound({ at: after(HOUR), how: 'takeover' })],
      [{ type: 'prompted', at: after(HOUR), prompt: 'p2' } as const],
      [pause, resume],
    ])
      expect(isAwaitingAnswer(asking({}, requested(1), ...events))).toBe(true);
    expect(asking({}, requested(1), pause, answered(1)).status.is).toBe('paused');
  });

  it('an ending closes what is open', () => {
    const loop = asking({}, requested(1), answered(1), requested(2), cancelled);
    expect(loop.status.is).toBe('cancelled');
    expect(openRequestsOf(loop)).toEqual([]);
    // A late answer is told what was answered before.
    expect(loop.people.requests).toMatchObject([{ id: 'ask-abc123-1', answer: { is: 'approved' } }]);
  });

  it('another call, and another question, is asked beside it', () => {
    const loop = asking({}, requested(1), requested(2), question(3, 'Red?'), question(4, 'Blue?'));
    expect(openRequestsOf(loop).map(({ what }) => what.text)).toEqual([
      'git push',
      'git push',
      'Red?',
      'Blue?',
    ]);
  });

  it('a person is asked no more at once than a person reads', () => {
    const all = Array.from({ length: MAX_OPEN_REQUESTS + 2 }, (_, k) => requested(k + 1));
    expect(openRequestsOf(asking({}, ...all))).toHaveLength(MAX_OPEN_REQUESTS);
  });

  it('the loop waits until the first of its requests expires', () => {
    const soon = (n: number, hours: number) => requested(n, { expires: after(hours * HOUR) });
    const loop = asking({}, soon(1, 3), soon(2, 2), soon(3, 4));
    expect(loop.status).toMatchObject({ until: after(2 * HOUR) });
    expect(fold(loop, answered(2))?.status).toMatchObject({ until: after(3 * HOUR) });
  });

  it('that was answered before does not end a wait for background work', () => {
    const wait = verdict(1, {
      verdict: { is: 'allow', why: 'background', shells: [], until: after(HOUR) },
    });
    const loop = asking({}, requested(1), answered(1), claim(1), wait);
    expect(loop.status).toEqual({ is: 'waiting', for: 'background' });
  });
});

describe('an answer', () => {
  it('the first in the file counts', () => {
    const loop = asking({}, requested(1), answered(1, { answer: 'rejected', note: 'no' }), answered(1));
    expect(loop.people.requests[0]?.answer).toMatchObject({ is: 'rejected', note: 'no' });
    expect(loop.status.is).toBe('running');
  });

  it('lets the very call through, once, and the same delivery of it again', () => {
    const loop = asking({}, requested(1), answered(1));
    expect(approvalFor(loop, 'digest 1', 'call 1')?.id).toBe('ask-abc123-1');
    expect(approvalFor(loop, 'digest 2', 'call 1')).toBeNull();
    const used = asking({}, requested(1), answered(1), released(1, 'call 1'), released(1, 'call 2'));
    expect(approvalFor(used, 'digest 1', 'call 2')).toBeNull();
    expect(approvalFor(used, 'digest 1', 'call 1')?.released).toBe('call 1');
    expect(approvalFor(asking({}, requested(1)), 'digest 1', 'call 1')).toBeNull();
  });

  it('settles its own request and no other', () => {
    const loop = asking({}, requested(1), requested(2), answered(2, { answer: 'rejected' }));
    expect(openRequestsOf(loop).map(({ id }) => id)).toEqual(['ask-abc123-1']);
    expect(isAwaitingAnswer(loop)).toBe(true);
    const used = fold(loop, answered(1)) ?? loop;
    expect(approvalFor(fold(used, released(1, 'call 1')) ?? used, 'digest 1', 'call 2')).toBeNull();
    const second = asking({}, requested(1), requested(2), answered(1, { answer: 'rejected' }), answered(2));
    expect(approvalFor(fold(second, released(2, 'call 1')) ?? second, 'digest 2', 'call 2')).toBeNull();
  });

  it('is told once, unless the agent learns of it by the call that is let through', () => {
    const loop = asking({}, requested(1), answered(1, { answer: 'rejected' }), requested(2));
    expect(untoldAnswers(loop).map(({ id }) => id)).toEqual(['ask-abc123-1']);
    const knows = fold(loop, { type: 'told', at: after(3 * MINUTE), ids: ['ask-abc123-1'] }) ?? loop;
    expect(untoldAnswers(knows)).toEqual([]);
    const approved = asking({}, requested(1), answered(1));
    expect(untoldAnswers(approved)).toHaveLength(1);
    expect(untoldAnswers(fold(approved, released(1, 'call 1')) ?? approved)).toEqual([]);
  });

  it('words of a person are kept in their order, with the pass they were said in, and told once', () => {
    const loop = asking({}, steered('Mind the tests.'), steered('And the docs.'));
    expect(loop.people.steers.map(({ words, pass, told }) => [words, pass, told])).toEqual([
      ['Mind the tests.', 1, false],
      ['And the docs.', 1, false],
    ]);
    const [first] = loop.people.steers;
    const next = fold(loop, { type: 'told', at: after(3 * MINUTE), ids: [first?.id ?? ''] });
    expect(next?.people.steers.map(({ told }) => told)).toEqual([true, false]);
  });

  it('expiry escalates, and comes too late after an answer', () => {
    const late = asking({}, requested(1), expired(1));
    expect(late.status).toEqual({ is: 'escalated', why: { is: 'unanswered', words: 'git push' } });
    expect(late.people.requests).toMatchObject([{ answer: { is: 'expired', at: after(25 * HOUR) } }]);
    expect(asking({}, requested(1), answered(1), expired(1)).status.is).toBe('running');
    expect(isAwaitingAnswer(asking({}, requested(1), requested(2), answered(1), expired(1)))).toBe(true);
  });

  it('nobody gave one: the end of the loop says so, and the agent is told nothing else', () => {
    const late = asking({}, requested(1), expired(1));
    expect(endedUnanswered(late)).toBe(true);
    expect(untoldAnswers(late)).toEqual([]);
    const blocked = { is: 'escalate', why: { is: 'blocked', words: '' }, missing: [] } as const;
    expect(endedUnanswered(asking({}, claim(1), verdict(1, { verdict: blocked })))).toBe(false);
    for (const other of [asking(), asking({}, requested(1)), asking({}, cancelled)])
      expect(endedUnanswered(other)).toBe(false);
  });

  it('confirms the completion, with the pass that asked', () => {
    const loop = asking({}, completion(1), answered(1));
    expect(loop.status.is).toBe('completed');
    expect(loop.frame.passes).toBe(1);
    expect(asking({}, completion(1), answered(1, { answer: 'rejected' })).status.is).toBe('running');
  });

  it('to a call confirms no completion that waits beside it', () => {
    const loop = asking({}, completion(1), requested(2), answered(2));
    expect(isAwaitingAnswer(loop)).toBe(true);
  });

  it('words answer a question, and approve no call', () => {
    const words = (n: number) => answered(n, { answer: 'text', note: 'ok' });
    expect(isAwaitingAnswer(asking({}, requested(1), words(1)))).toBe(true);
    expect(asking({}, question(1, 'Red?'), words(1)).status.is).toBe('running');
    const both = asking({}, requested(1), question(2, 'Red?'), words(2));
    expect(openRequestsOf(both).map(({ id }) => id)).toEqual(['ask-abc123-1']);
  });
});

describe('rule 9', () => {
  const waits = { is: 'allow', why: 'approval', shells: [], until: null };
  const judged = (loop: Loop, tags: Parameters<typeof tag>[0][] = []) => {
    const proofs = proofsOf(loop, { tags: tags.map((text) => tag(text)) });
    return judge(loop, factsOf(loop, stop(), proofs, null), after(HOUR)).verdict;
  };

  it('while a request is open a stop spends nothing, whatever it claims, and no check runs', () => {
    const loop = asking({ iterations: 1, timeMs: MINUTE }, requested(1));
    expect(judged(loop, ['COMPLETE'])).toEqual(waits);
    expect(judged(loop, ['BLOCKED: x'])).toEqual(waits);
    expect(wantsProof(loop, stop(), after(HOUR))).toBe(false);
    const heard = asking(
      { iterations: 1 },
      requested(1),
      claim(1),
      verdict(1, { verdict: { ...waits } as never }),
    );
    expect(heard.frame.passes).toBe(0);
    expect(isAwaitingAnswer(heard)).toBe(true);
  });

  it('a question waits instead of ending the loop; a bare ASK asks nothing', () => {
    expect(judged(running(), ['ASK: Red or blue?'])).toEqual({
      ...waits,
      asks: { kind: 'question', text: 'Red or blue?' },
    });
    expect(judged(running(), ['ASK']).is).toBe('continue');
    expect(judged(running(), ['COMPLETE', 'ASK: Is it?']).is).toBe('continue');
  });

  it('with --approve-done a completion waits for a person', () => {
    const loop = asking({ approvals: { ...APPROVALS, done: true } }, claim(1), verdict(1));
    expect(judged(loop, ['COMPLETE'])).toMatchObject({ ...waits, asks: { kind: 'completion' } });
    expect(judged(loop).is).toBe('continue');
    expect(judged(asking({}, claim(1), verdict(1)), ['COMPLETE']).is).toBe('complete');
  });
});

describe('whatever happens in whatever order', () => {
  const n = fc.integer({ min: 1, max: 4 });
  const events: fc.Arbitrary<(at: string) => Event> = fc.oneof(
    fc.tuple(n, n).map(
      ([id, digest]) =>
        (at: string): Event =>
          requested(id, { at, what: { tool: 'Bash', digest: `d${digest}`, text: 't' } }),
    ),
    fc.tuple(n, fc.constantFrom('approved' as const, 'rejected' as const, 'text' as const)).map(
      ([id, answer]) =>
        (at: string): Event =>
          answered(id, { at, answer }),
    ),
    fc.tuple(n, n).map(([id, call]) => (at: string): Event => ({
      type: 'released',
      at,
      id: `ask-abc123-${id}`,
      call: `c${call}`,
    })),
    n.map((id) => (at: string): Event => ({ type: 'told', at, ids: [`ask-abc123-${id}`] })),
    fc.constant((at: string): Event => ({ type: 'steered', at, by: 'terminal', words: 'w' })),
    fc.constant((at: string): Event => ({ type: 'prompted', at, prompt: 'p2' })),
    fc.constant((at: string): Event => ({ type: 'paused', at, by: 'terminal', why: 'command' })),
  );

  /** What must never be so after an event. */
  function wrongIn(before: Loop, loop: Loop): string[] {
    const isOpen = openRequestsOf(loop).length > 0;
    const judged = judge(loop, factsOf(loop, stop(), NO_PROOFS, null), after(HOUR)).verdict;
    const changed = before.people.requests.filter((request) => {
      const now = loop.people.requests.find(({ id }) => id === request.id);
      return (
        (request.answer !== null && now?.answer !== request.answer) ||
        (request.released !== null && now?.released !== request.released)
      );
    });
    return [
      ...(isOpen && loop.status.is === 'running' ? ['it runs'] : []),
      ...(isOpen && loop.clock.since !== null ? ['its clock runs'] : []),
      ...(loop.frame.passes > 0 ? ['an iteration was spent'] : []),
      ...changed.map(({ id }) => `${id} was answered or used twice`),
      ...loop.people.requests
        .filter(({ released, answer }) => released !== null && answer?.is !== 'approved')
        .map(({ id }) => `${id} was used without an approval`),
      ...(isAwaitingAnswer(loop) && judged.is !== 'allow' ? ['a stop was judged'] : []),
    ];
  }

  it('nothing runs while a request is open, an answer stands, and an approval is used at most once', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (moves) => {
        let loop = told(created({ approvals: APPROVALS }), bound());
        for (const [k, move] of moves.entries()) {
          const before = loop;
          loop = fold(loop, move(after(k * SECOND))) ?? loop;
          expect(wrongIn(before, loop)).toEqual([]);
        }
      }),
    );
  });

  it('the state stays bounded', () => {
    let loop = running({ approvals: APPROVALS });
    for (let k = 1; k <= 200; k++) {
      loop = fold(loop, requested(loop.people.requested + 1, { what: call(k) })) ?? loop;
      if (k % 2 === 0) loop = fold(loop, answered(loop.people.requested, { answer: 'rejected' })) ?? loop;
      loop = fold(loop, steered(`word ${k}`)) ?? loop;
    }
    expect(openRequestsOf(loop).length).toBeLessThanOrEqual(MAX_OPEN_REQUESTS);
    expect(loop.people.requests.length).toBeLessThanOrEqual(64);
    expect(loop.people.steers.map(({ words }) => words)).toEqual(
      Array.from({ length: 16 }, (_, k) => `word ${k + 185}`),
    );
  });

  it('approvals that nobody uses are bounded too, and the latest are kept', () => {
    const loop = afterAll(200, (n) => [answered(n)]);
    expect(loop.people.requests.length).toBeLessThanOrEqual(64);
    expect(approvalFor(loop, 'd200', 'call')).not.toBeNull();
    expect(approvalFor(loop, 'd180', 'call')).not.toBeNull();
  });

  it('an approval waits for its call, however much is settled meanwhile', () => {
    const loop = afterAll(60, (n) => {
      if (n === 1) return [answered(n)];
      return n % 2 === 0 ? [answered(n, { answer: 'rejected' })] : [answered(n), released(n, 'call')];
    });
    expect(approvalFor(loop, 'd1', 'call')).not.toBeNull();
    // The oldest of what is settled is forgotten.
    expect(loop.people.requests.some(({ id }) => id === 'ask-abc123-2')).toBe(false);
    expect(loop.people.requests.slice(-8).map(({ id }) => id)).toEqual(
      Array.from({ length: 8 }, (_, k) => `ask-abc123-${k + 53}`),
    );
    expect(loop.people.requests.length).toBeLessThanOrEqual(20);
  });

  const call = (k: number) => ({ tool: 'Bash', digest: `d${k}`, text: 't' });

  /** A loop that asks `count` times in a row, each time followed by `then`. */
  function afterAll(count: number, then: (n: number) => Event[]): Loop {
    const numbers = Array.from({ length: count }, (_, k) => k + 1);
    return asking({}, ...numbers.flatMap((n) => [requested(n, { what: call(n) }), ...then(n)]));
  }
});

it('the id of a request is known by how it looks', () => {
  expect(['ask-abc123-1', 'ask-x'].map(isRequestId)).toEqual([true, true]);
  expect(['ask-', 'task-1', 'ask-1 2', 'ask- ', 'RALPH_1'].map(isRequestId)).toEqual(Array(5).fill(false));
});
