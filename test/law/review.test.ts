/** A review is one more gate: it needs a claim, its cost counts, and trouble with it needs a person. */
import { describe, expect, test } from 'vitest';
import { decide, factsOf } from '#law/decide.ts';
import { fold } from '#law/fold/index.ts';
import { claimLine, gatesOf, isOfGate, reviewerOf, wasOpen } from '#law/gates.ts';
import type { Gate } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { sayEscalation, sayReviewer } from '#law/words/phrases.ts';
import { statusOf } from '#telling/loop-status.ts';
import { ruleOf } from '#telling/rules.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import {
  after,
  check,
  checkBegun,
  claim,
  HOUR,
  MINUTE,
  NO_PROOFS,
  proof,
  running,
  stop,
  verdict,
} from './given.ts';

const REVIEW = { kind: 'review', host: 'codex', model: null, most: 3 } as const satisfies Gate;
const loop = running({ gates: [check('npm test'), REVIEW] });
const judged = (gateResults: readonly GateResult[], of = loop) => {
  const proofs = { ...NO_PROOFS, checks: [proof('npm test', { is: 'passed' })], gateResults };
  return decide(of, factsOf(of, stop(), proofs, null), after(MINUTE));
};
const gateResult = (holds: boolean, trouble: string | null = null): readonly GateResult[] => [
  { gate: 'review', by: 'codex', holds, says: 'codex says so', trouble },
];

test('nothing is complete without its approval', () => {
  expect(judged([])).toMatchObject({ is: 'continue', missing: [{ gate: 'review' }] });
  expect(judged(gateResult(false))).toMatchObject({ missing: [{ gate: 'review', says: 'codex says so' }] });
  expect(judged(gateResult(true))).toEqual({ is: 'complete' });
});

test('a reviewer that can not be reached, or objects too often, needs a person', () => {
  const answer = judged(gateResult(false, 'not reached'));
  expect(answer).toMatchObject({ is: 'escalate', why: { is: 'unreviewed', why: 'not reached' } });
  expect(ruleOf(answer)).toMatchObject({ number: 8, name: 'not reviewed' });
  expect(sayEscalation({ is: 'unreviewed', why: 'not reached' })).toBe('not reached');
});

test('a reviewer is a host, or one of its models, and what it says is of its own gate', () => {
  const other = { ...REVIEW, model: 'o5' };
  expect([REVIEW, other].map(reviewerOf)).toEqual(['codex', 'codex:o5']);
  expect(isOfGate({ gate: 'review', by: 'codex' }, REVIEW)).toBe(true);
  expect(isOfGate({ gate: 'review', by: 'codex' }, other)).toBe(false);
  expect(isOfGate({ gate: 'moved', by: 'codex' }, REVIEW)).toBe(false);
});

test('it costs a whole agent, so it comes on a claim where no gate was open', () => {
  expect(claimLine(loop.frame)).toBeNull();
  const green = running({ gates: [checkBegun('npm test', 'passed'), REVIEW] });
  expect(claimLine(green.frame)).toBe('<promise>COMPLETE</promise>');
  expect([REVIEW, check('npm test')].map(wasOpen)).toEqual([false, true]);
});

test('of a list, each item is reviewed by itself, by whom it says', () => {
  const gates = [check('npm test'), REVIEW, { kind: 'signal' }] as const;
  const list = running({ gates, items: { from: { is: 'file', file: 'todo.md' }, most: 3 } });
  expect(gatesOf(list.frame)).toEqual([{ kind: 'signal' }]);
  expect(gatesOf(running({ gates }).frame)).toEqual(gates);
  expect(sayReviewer(REVIEW)).toBe('codex');
  expect(sayReviewer({ ...REVIEW, model: 'gpt' })).toBe('codex (gpt)');
});

test('its cost is that of the loop', () => {
  const used = { costUsd: 1.5, tokens: 500 };
  const event = {
    n: 1,
    host: 'codex',
    model: null,
    review: 1,
    task: 'h',
    tree: 't',
    asked: 'the task',
    evidence: 'f',
  };
  const said = { answer: 'objected', words: ['a'], used, ms: 5 } as const;
  const next = fold(loop, { type: 'reviewed', at: after(MINUTE), ...event, ...said });
  expect(next?.spent).toEqual(used);
  const bounded = running({ gates: [check('npm test'), REVIEW], tokens: 500 });
  const spent = fold(bounded, { type: 'reviewed', at: after(MINUTE), ...event, ...said }) ?? bounded;
  expect(judged(gateResult(false), spent)).toMatchObject({ is: 'exhaust', limit: 'tokens' });
});

describe('a resume after a reviewer that was not reached', () => {
  type Answer = 'unreached' | 'objected' | 'approved';
  const reviewed = (n: number, model: string | null, answer: Answer): Event => {
    const said = { host: 'codex', model, review: 1, task: 'h', tree: 't', asked: '', evidence: 'f' };
    return { type: 'reviewed', at: after(MINUTE), n, ...said, answer, words: ['why'], used: null, ms: 5 };
  };
  const UNREVIEWED = { is: 'unreviewed', why: 'not reached' } as const;
  const resumed = (driver: 'fresh' | 'hook', answer: Answer, before = 0) =>
    resumedAfter([claim(1), reviewed(1, null, answer)], UNREVIEWED, driver, before);
  const resumedAfter = (
    events: readonly Event[],
    why: Extract<EventOf<'verdict'>['verdict'], { is: 'escalate' }>['why'],
    driver: 'fresh' | 'hook' = 'fresh',
    before = 0,
  ) => {
    const n = events.filter(({ type }) => type === 'stop').length;
    const ended = verdict(n, { verdict: { is: 'escalate', why, missing: [] } });
    const again = { by: 'terminal', session: null, process: null, prompt: null, iterations: null } as const;
    const resume: Event = { type: 'resumed', at: after(HOUR), ...again };
    // What a session binds is the hook's.
    const gates = [check('npm test'), REVIEW];
    const loop = { ...running({ gates, passes: before }, ...events, ended), driver };
    return fold(loop, resume) ?? loop;
  };

  test('hears the same stop again, in the same pass, and starts no agent before', () => {
    const loop = resumed('fresh', 'unreached');
    expect(loop.session.awaits).toEqual({ looks: 0 });
    expect(loop.frame.passes).toBe(0);
    expect(resumed('fresh', 'unreached', 4).frame.passes).toBe(4);
  });

  test('goes on with the agent after objections, and in a session', () => {
    for (const loop of [resumed('fresh', 'objected'), resumed('hook', 'unreached')]) {
      expect(loop.session.awaits).toBeNull();
      expect(loop.frame.passes).toBe(1);
    }
  });

  test('one of several that was not reached is enough', () => {
    const both = [claim(1), reviewed(1, 'o5', 'approved'), reviewed(1, null, 'unreached')];
    expect(resumedAfter(both, UNREVIEWED).session.awaits).toEqual({ looks: 0 });
  });

  test('goes on with the agent where something else ended it, or an earlier stop was not reviewed', () => {
    const vetoed = { is: 'vetoed', why: 'no' } as const;
    expect(resumedAfter([claim(1), reviewed(1, null, 'unreached')], vetoed).session.awaits).toBeNull();
    const earlier = [claim(1), reviewed(1, null, 'unreached'), verdict(1), claim(2)];
    expect(resumedAfter(earlier, UNREVIEWED).session.awaits).toBeNull();
  });
});

test('a report names the host and the review; a reviewer that may be the same model is told', () => {
  expect(statusOf(loop, after(0))).toMatchObject({
    host: 'claude-code',
    gates: [{ gate: 'check' }, { gate: 'review', wanted: 'codex approves', holds: null }],
  });
  const own = (model: string | null) => running({ gates: [{ ...REVIEW, host: 'claude-code', model }] });
  expect(sayStarted(own(null))).toContain('may be the same model');
  expect(sayStarted(own('opus'))).not.toContain('may be the same model');
  expect(sayStarted(loop)).not.toContain('may be the same model');
});
