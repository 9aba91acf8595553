import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate, FeatureFacts } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import type { CheckOutcome, Missing, Verdict } from '#law/record/verdict.ts';
import { featureFactsOf, readFeatures } from '#evidence/lists/features.ts';
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import { statusOf } from '#telling/loop-status.ts';
import { brief, freshBrief, shortBrief, startBrief } from '#telling/agent/to-agent.ts';
import { continuation, type MoreWords } from '#telling/agent/continuation.ts';
import { gateActs, whatIsOpen } from '#telling/agent/open-gates.ts';
import { sayStatus } from '#telling/person/status.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import {
  MINUTE,
  MOVE,
  MOVED,
  NO_PROOFS,
  NOT_MOVED,
  PROMISE,
  UNREADABLE,
  after,
  check,
  claim,
  features,
  list,
  proof,
  proofsOf,
  running,
  stop,
  tag,
  verdict,
  type Seen,
  decided,
  checksFor,
} from './given.ts';

const NOW = after(MINUTE);
const TEST = check('npm test');
const TASK = { prompt: 'Do it.', file: null };
const GIVEN = { tags: [tag('COMPLETE')] };
const PASSES = { checks: [proof('npm test', { is: 'passed' })] };
const FAILS = { checks: [proof('npm test', { is: 'failed', exit: 1, tail: '1 test failed' })] };

function judge(loop: Loop, seen: Seen): Verdict {
  return decided(loop, stop(), proofsOf(loop, seen), NOW);
}

function missing(said: Verdict | undefined): Missing['gate'][] {
  return said !== undefined && 'missing' in said ? said.missing.map(({ gate }) => gate) : [];
}

function told(loop: Loop, ...events: Event[]): Loop {
  const next = events.reduce<Loop | null>(fold, loop);
  if (next === null) throw new Error('no loop');
  return next;
}

/** The loop after a stop at which this was seen. */
function heard(loop: Loop, seen: Seen): Loop {
  const n = loop.stops + 1;
  const { features: items, gateResults, checks } = proofsOf(loop, seen);
  const said = verdict(n, { verdict: judge(loop, seen), proofs: checks, features: items, gateResults });
  return told(loop, claim(n), said);
}

function more(loop: Loop, said: Extract<Verdict, { is: 'continue' }>): MoreWords {
  return { open: whatIsOpen(loop, said), acts: gateActs(loop.frame) };
}

function continued(loop: Loop): string {
  const said = loop.last?.verdict;
  if (said?.is !== 'continue') throw new Error(`no continue but ${said?.is ?? 'nothing'}`);
  return continuation(loop, said, TASK, false, more(loop, said));
}

describe('a feature list', () => {
  const loop = running({ gates: [features()] });

  it('holds when every item passes, and not before', () => {
    expect(judge(loop, { features: list(3) })).toEqual({ is: 'complete' });
    expect(judge(loop, { features: list(2) })).toMatchObject({
      is: 'continue',
      missing: [{ gate: 'features', says: '1 of 3 items in feature_list.json does not pass yet' }],
    });
  });

  it('that was not looked at does not hold', () => {
    expect(missing(judge(loop, {}))).toEqual(['features']);
  });

  it('is worked off one by one: the agent is told the next item', () => {
    expect(startBrief(loop, TASK)).toContain('Continue with Feature 1 - Feature 1.');
    const first = heard(loop, { features: list(1) });
    expect(continued(first)).toContain(
      '2 of 3 items in feature_list.json do not pass yet. Continue with Feature 2 - Feature 2.',
    );
    const second = heard(first, { features: list(2) });
    expect(continued(second)).toContain('Continue with Feature 3 - Feature 3.');
    const third = heard(second, { features: list(3) });
    expect(sayEnded(third)).toContain(
      'completed after 3 iterations: all items of feature_list.json pass (3)',
    );
  });

  it.each([
    ['missing', 'feature_list.json is not there'],
    ['empty', 'feature_list.json is empty'],
    ['malformed', 'feature_list.json is not JSON (…)'],
  ])('that is %s never completes: it needs a person', (_name, why) => {
    const gates: Gate[][] = [[features()], [features(), PROMISE], [features(), TEST], [features(), MOVE]];
    for (const each of gates) {
      const seen = { ...GIVEN, ...PASSES, moved: MOVED, features: { is: 'unreadable', why } } as const;
      const said = judge(running({ gates: each }), seen);
      expect(said).toMatchObject({ is: 'escalate', why: { is: 'unreadable', why } });
    }
  });

  it('is told to the person as it is, in status and at the end', () => {
    expect(statusOf(loop, NOW).gates).toEqual([
      {
        gate: 'features',
        wanted: 'every item of feature_list.json passes',
        holds: null,
        seen: '3 of 3 items in feature_list.json do not pass yet',
      },
    ]);
    const ended = heard(loop, { features: UNREADABLE });
    expect(sayStatus(ended)).toBe(
      'stopped after 1 iteration and needs you: feature_list.json is empty, so nothing can be proven',
    );
    expect(statusOf(ended, NOW).gates[0]).toMatchObject({ holds: false, seen: 'feature_list.json is empty' });
  });

  it('completes in the last allowed pass', () => {
    const last = running({ gates: [features()], iterations: 1 });
    expect(judge(last, { features: list(3) })).toEqual({ is: 'complete' });
    expect(judge(last, { features: list(2) })).toMatchObject({ is: 'exhaust', limit: 'iterations' });
  });

  it('stands as it was seen last while a stop is only let through', () => {
    const once = heard(loop, { features: list(1) });
    const queue: Verdict = { is: 'allow', why: 'queue', shells: [], until: null };
    const letThrough = told(once, claim(2), verdict(2, { verdict: queue }));
    expect(brief(letThrough, TASK)).toContain('Continue with Feature 2');
  });
});

describe('an item that is marked as passing is a claim', () => {
  const gates = [PROMISE, TEST, features()];
  const loop = running({ gates });
  const seen = (passing: number) => proofsOf(loop, { features: list(passing) });

  it('the checks run when more items pass than they have agreed to, from the first pass on', () => {
    expect(checksFor(loop, seen(0))).toEqual([]);
    expect(checksFor(loop, seen(1))).toEqual([TEST]);
    const next = heard(loop, { features: list(1) });
    expect(checksFor(next, seen(1))).toEqual([]);
    expect(checksFor(next, seen(2))).toEqual([TEST]);
    const back = heard(next, { features: list(0) });
    expect(checksFor(back, seen(1))).toEqual([TEST]);
  });

  it('what passed when the loop began is not a claim of the agent', () => {
    const begun = running({ gates: [PROMISE, TEST, features(list(2))] });
    expect(checksFor(begun, seen(2))).toEqual([]);
    expect(checksFor(begun, seen(3))).toEqual([TEST]);
  });

  it('while a check fails it stays a claim, until it is unmarked', () => {
    const next = heard(loop, { ...FAILS, features: list(1) });
    expect(checksFor(next, seen(1))).toEqual([TEST]);
    const back = heard(next, { features: list(0) });
    expect(checksFor(back, seen(0))).toEqual([]);
  });

  it('is answered with the failure of the check, and is the next to repair', () => {
    const next = heard(loop, { ...FAILS, features: list(1) });
    expect(missing(next.last?.verdict)).toEqual(['promise', 'check', 'features']);
    expect(continued(next)).toMatch(
      /check `npm test` failed with exit code 1\. From its output:\n {2}\| 1 test failed/,
    );
    expect(continued(next)).toContain(
      '1 Feature was marked as passing in feature_list.json, but a check fails.',
    );
    expect(continued(next)).not.toContain('Continue with');
  });

  it('at a stop that is only let through it is not answered, so it stays a claim', () => {
    const hold: Verdict = { is: 'allow', why: 'background', shells: [], until: after(11 * MINUTE) };
    const held = told(loop, claim(1), verdict(1, { verdict: hold, features: list(1), proofs: FAILS.checks }));
    expect(checksFor(held, seen(1))).toEqual([TEST]);
  });

  it('no check runs for a list that can not be read: a person must look anyway', () => {
    const guarded = running({ gates: [TEST, features()] });
    expect(checksFor(guarded, proofsOf(guarded, { features: UNREADABLE }))).toEqual([]);
  });
});

describe('a watched file', () => {
  const loop = running({ gates: [MOVE] });

  it('holds when it has arrived', () => {
    expect(judge(loop, { moved: MOVED })).toEqual({ is: 'complete' });
    expect(judge(loop, { moved: { ...MOVED, how: 'renamed' } })).toEqual({ is: 'complete' });
    expect(judge(loop, { moved: NOT_MOVED })).toMatchObject({
      is: 'continue',
      missing: [{ gate: 'moved', says: 'Needs_Action/INVOICE_client.md has not been moved to Done/ yet' }],
    });
    expect(missing(judge(loop, { moved: { is: 'not-moved', origin: 'gone' } }))).toEqual(['moved']);
    expect(missing(judge(loop, {}))).toEqual(['moved']);
  });

  it('whose folder can not be read needs a person', () => {
    expect(judge(loop, { moved: { is: 'unreadable', why: 'EACCES' } })).toMatchObject({
      is: 'escalate',
      why: { is: 'unreadable', why: "Done/ can't be read (EACCES)" },
    });
  });

  it('the agent is told what is looked for, and what was seen', () => {
    expect(shortBrief(loop)).toContain(
      'Da Capo checks this itself: it checks whether Needs_Action/INVOICE_client.md has arrived in Done/. Only that counts as proof.',
    );
    expect(continued(heard(loop, { moved: NOT_MOVED }))).toContain('has not been moved to Done/ yet');
    expect(statusOf(heard(loop, { moved: MOVED }), NOW).gates).toEqual([
      {
        gate: 'moved',
        wanted: 'Needs_Action/INVOICE_client.md is in Done/',
        holds: true,
        seen: 'Needs_Action/INVOICE_client.md has arrived: /project/Done/INVOICE_client.md',
      },
    ]);
  });

  it('the start warns where it does not exist', () => {
    const absent: Gate = {
      ...MOVE,
      baseline: { ...MOVE.baseline, watched: { is: 'absent' }, warning: 'absent' },
    };
    expect(sayStarted(running({ gates: [absent] }))).toContain(
      '\nNote: Needs_Action/INVOICE_client.md does not exist: the loop is done when a file of that name arrives in Done/.',
    );
    expect(sayStarted(loop)).not.toContain('Note:');
  });

  it('one that was never there is not said to be gone', () => {
    const gone: Seen['moved'] = { is: 'not-moved', origin: 'gone' };
    const absent: Gate = { ...MOVE, baseline: { ...MOVE.baseline, watched: { is: 'absent' } } };
    expect(continued(heard(loop, { moved: gone }))).toContain('is gone from its place');
    expect(continued(heard(running({ gates: [absent] }), { moved: gone }))).toContain(
      'Needs_Action/INVOICE_client.md is neither in its place nor in Done/',
    );
  });
});

describe('all of them, or any', () => {
  const gates = [PROMISE, TEST, features(), MOVE];
  const each: [string, Seen][] = [
    ['the promise', GIVEN],
    ['the check', PASSES],
    ['the list', { features: list(3) }],
    ['the move', { moved: MOVED }],
  ];
  const none: Seen = { ...FAILS, features: list(1), moved: NOT_MOVED };
  const together = (seen: readonly Seen[]): Seen => Object.assign({}, none, ...seen);

  it.each(each)('any: %s alone is enough', (_name, seen) => {
    expect(judge(running({ gates, require: 'any' }), together([seen]))).toEqual({ is: 'complete' });
  });

  it.each(each)('all: without %s it goes on', (_name, seen) => {
    const all = each.map(([, one]) => one);
    const others = all.filter((one) => one !== seen);
    expect(judge(running({ gates }), together(others)).is).toBe('continue');
    expect(judge(running({ gates }), together(all))).toEqual({ is: 'complete' });
  });

  it('any: none holds, so all are named, and that one is enough', () => {
    const loop = heard(running({ gates, require: 'any' }), none);
    expect(missing(loop.last?.verdict)).toEqual(['promise', 'check', 'features', 'moved']);
    expect(continued(loop)).toContain('Still missing (any one of these is enough):');
    expect(continued(loop)).not.toContain('Only that counts');
  });

  it('any of one is that one', () => {
    const loop = running({ gates: [PROMISE], require: 'any' });
    expect(judge(loop, {}).is).toBe('continue');
    expect(judge(loop, GIVEN)).toEqual({ is: 'complete' });
    expect(continued(heard(loop, {}))).not.toContain('any one');
  });

  it('any: the checks run at every stop, unless another gate holds already', () => {
    const loop = running({ gates, require: 'any' });
    expect(checksFor(loop, NO_PROOFS)).toEqual([TEST]);
    expect(checksFor(loop, proofsOf(loop, GIVEN))).toEqual([]);
    expect(checksFor(loop, proofsOf(loop, { moved: MOVED }))).toEqual([]);
  });

  it('any: a proof that can not be taken does no harm where another gate holds', () => {
    const loop = running({ gates, require: 'any' });
    expect(judge(loop, { ...none, features: UNREADABLE, moved: MOVED })).toEqual({ is: 'complete' });
    expect(judge(loop, { ...none, features: UNREADABLE })).toMatchObject({ is: 'escalate' });
  });

  it('any: the person reads which gates were seen to hold, and that one was enough', () => {
    const loop = running({ gates: [PROMISE, MOVE], require: 'any' });
    expect(sayStarted(loop)).toContain(
      'Done when: <promise>COMPLETE</promise> or Needs_Action/INVOICE_client.md is in Done/.',
    );
    const moved = heard(loop, { moved: MOVED });
    expect(sayEnded(moved)).toContain('one of its gates holds');
    expect(statusOf(moved, NOW).gates.map(({ holds }) => holds)).toEqual([null, true]);
    const promised = heard(loop, { ...GIVEN, moved: NOT_MOVED });
    expect(statusOf(promised, NOW).gates.map(({ holds }) => holds)).toEqual([true, false]);
  });
});

describe('a minimum of iterations', () => {
  it('the loop goes on although its gates hold, and says so', () => {
    const first = heard(running({ atLeast: 2 }), GIVEN);
    expect(first.status.is).toBe('running');
    expect(continued(first)).toContain(
      'the gates hold, but at least 2 iterations were asked for and this was iteration 1',
    );
    expect(judge(first, GIVEN)).toEqual({ is: 'complete' });
  });

  it('what is missing comes first, and the minimum is not a gate', () => {
    const loop = running({ atLeast: 3 });
    expect(missing(judge(loop, {}))).toEqual(['promise']);
    expect(brief(loop, TASK)).toContain('The loop does not end before iteration 3.');
    expect(sayStarted(loop)).toContain('Done when: <promise>COMPLETE</promise>, not before iteration 3.');
  });

  it('for any minimum up to the limit, a loop whose gates always hold has exactly as many passes', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(10), (atLeast, more) => {
        let loop = running({ atLeast, iterations: Math.max(1, atLeast + more) });
        for (let n = 0; n < 40 && loop.status.is === 'running'; n++) loop = heard(loop, GIVEN);
        expect(loop.status.is).toBe('completed');
        expect(loop.frame.passes).toBe(Math.max(1, atLeast));
      }),
    );
  });
});

describe('the examples of the documents', () => {
  it('the continuation that the document of feature_list.json gives', () => {
    const content = JSON.stringify({
      features: [1, 2, 3, 4, 5].map((id) => ({
        id,
        description: id === 5 ? 'Empty cuisine buttons trigger dialog' : `Feature ${id}`,
        passes: id < 5,
        steps: id === 5 ? ['Open the page', 'Press an empty button'] : [],
      })),
    });
    const read = readFeatures(content, 'feature_list.json');
    if (!read.ok) throw new Error(read.why);
    const items = { is: 'read', facts: featureFactsOf(read) } as const;
    const words = continued(heard(running({ gates: [features()] }), { features: items }));
    expect(words).toContain('Continue with Feature 5 - Empty cuisine buttons trigger dialog.');
    expect(words).toContain('1. Open the page\n2. Press an empty button');
    expect(words).toMatch(/verify that it works.*`passes` to true.*commit.*progress\.txt/);
  });

  it('promise or file movement, whichever comes first', () => {
    const loop = running({ gates: [{ kind: 'promise', text: 'TASK_COMPLETE' }, MOVE], require: 'any' });
    expect(judge(loop, { moved: MOVED })).toEqual({ is: 'complete' });
    expect(judge(loop, { tags: [tag('TASK_COMPLETE')], moved: NOT_MOVED })).toEqual({ is: 'complete' });
    expect(judge(loop, { moved: NOT_MOVED }).is).toBe('continue');
  });
});

describe('bounds', () => {
  const long = (length: number) => 'W '.repeat(length).slice(0, length).trim();

  function widest(): FeatureFacts {
    const item = { id: long(5_000), description: long(5_000), model: long(5_000) };
    const steps = Array.from({ length: 50 }, () => long(5_000));
    const read = readFeatures(JSON.stringify({ features: [{ ...item, steps }] }), `${long(3_000)}.json`);
    if (!read.ok) throw new Error(read.why);
    return featureFactsOf(read);
  }

  it.each(['all', 'any'] as const)(
    '%s: everything at its longest at once stays below 9,000 characters, with the way to end in it',
    (require) => {
      const outcome: CheckOutcome = { is: 'failed', exit: 1, tail: long(4_000) };
      const commands = Array.from({ length: 20 }, (_, k) => `${k} ${long(4_000)}`);
      const items = { is: 'read', facts: widest() } as const;
      const gates: Gate[] = [
        { kind: 'promise', text: long(300) },
        ...commands.map(check),
        { kind: 'features', file: long(3_000), begun: items },
        { ...MOVE, baseline: { ...MOVE.baseline, file: long(3_000), folder: long(3_000) } },
      ];
      const begun = running({ gates, require, atLeast: 9 });
      const checks = commands.map((command) => proof(command, outcome));
      const moved = { is: 'not-moved', origin: 'gone' } as const;
      const tags = [tag(long(300), { where: 'code' })];
      const said = judge(begun, { tags, checks, features: items, moved });
      if (said.is !== 'continue') throw new Error(said.is);
      const goOn = { ...said, shells: Array.from({ length: 20 }, () => long(500)) };
      const loop = told(
        begun,
        claim(1),
        verdict(1, { verdict: goOn, proofs: checks, ...proofsOf(begun, { features: items, moved }) }),
      );
      const tasks = [
        { prompt: long(20), file: null },
        { prompt: long(1_500), file: null },
        { prompt: long(100_000), file: null },
        { prompt: long(100_000), file: `/${long(300)}/.claude/ralph-loop.local.md` },
      ];
      for (const task of tasks) {
        const texts = [
          continuation(loop, goOn, task, false, more(loop, goOn)),
          continuation(loop, goOn, task, true, more(loop, goOn)),
          startBrief(begun, task),
          brief(loop, task),
          shortBrief(loop),
        ];
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(9_000);
        const fresh = freshBrief(loop, task, 'you');
        expect(fresh.length).toBeLessThanOrEqual(task.prompt.length + 9_000);
        for (const text of [...texts, fresh]) {
          expect(text).toContain('<promise>BLOCKED: the reason</promise>');
          expect(text).toContain(`\n<promise>${long(300)}</promise>`);
        }
      }
      expect(sayStarted(begun).length).toBeLessThan(3_000);
    },
  );
});

describe('protected files', () => {
  const slip = { gate: 'protected', holds: false, says: 'tests/a (changed)', trouble: null } as const;
  const whole = { gate: 'protected', holds: true, says: '1 protected file', trouble: null } as const;
  const seen = (loop: Loop, gateResult: typeof slip | typeof whole, more: Seen): Verdict =>
    decided(loop, stop(), { ...proofsOf(loop, more), gateResults: [gateResult] }, NOW);

  it.each(['all', 'any'] as const)('hold a loop that needs %s of its gates', (require) => {
    const loop = running({ gates: [PROMISE, TEST], require });
    expect(seen(loop, slip, { ...GIVEN, ...PASSES })).toMatchObject({ is: 'continue' });
    expect(missing(seen(loop, slip, { ...GIVEN, ...PASSES }))).toEqual(['protected']);
    expect(missing(seen(loop, slip, {}))).toEqual(['protected']);
    expect(seen(loop, whole, { ...GIVEN, ...PASSES })).toEqual({ is: 'complete' });
  });

  it('whole, they complete nothing by themselves', () => {
    for (const require of ['all', 'any'] as const)
      expect(seen(running({ gates: [PROMISE, TEST], require }), whole, {})).toMatchObject({ is: 'continue' });
  });

  it('what a person accepts is the new baseline; what an unknown hand did is only remembered', () => {
    const loop = running({ protect: ['tests/**'], baseline: 'first' });
    const files = ['tests/a (changed)'];
    const slipped = told(loop, { type: 'altered', at: NOW, by: 'unknown', files, digest: 'second' });
    expect(slipped).toMatchObject({ protection: { baseline: 'first', slipped: 'second' } });
    const accepted = told(slipped, { type: 'altered', at: NOW, by: 'terminal', files, digest: 'second' });
    expect(accepted).toMatchObject({ protection: { baseline: 'second' } });
  });

  it('are shown as a gate, and leave open what was not judged meanwhile', () => {
    const loop = running({ protect: ['tests/**'], baseline: 'first' });
    const said = seen(loop, slip, {});
    const judged = told(loop, claim(1), verdict(1, { verdict: said, gateResults: [slip] }));
    expect(statusOf(judged, NOW).gates).toEqual([
      { gate: 'promise', wanted: 'COMPLETE', holds: null, seen: null },
      { gate: 'protected', wanted: 'tests/** stays as it is', holds: false, seen: 'tests/a (changed)' },
    ]);
  });
});

it('of a check that is held out, the agent learns that it fails and nothing of its exit code', () => {
  const missing = (heldOut: boolean, seen: Seen) => {
    const gate = { kind: 'check', name: null, command: 'npm test', timeoutMs: 1, begun: 'failed' } as const;
    const loop = running({ gates: [heldOut ? { ...gate, heldOut } : gate] });
    const verdict = decided(loop, stop(), proofsOf(loop, seen), NOW);
    return 'missing' in verdict ? verdict.missing : [];
  };
  const open = { gate: 'check', name: null, command: 'npm test' };
  expect(missing(true, FAILS)).toEqual([{ ...open, outcome: 'fails', heldOut: true }]);
  expect(missing(false, FAILS)).toEqual([{ ...open, outcome: 'failed with exit code 1' }]);
  expect(missing(true, {})).toEqual([{ ...open, outcome: 'was not run at this stop', heldOut: true }]);
});
