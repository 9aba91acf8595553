/**
 * A proof has to be news: what held before the first pass proves nothing by itself, and no work is questioned
 * once.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '#law/record/definition.ts';
import { begunOf, claimLine, promiseOf } from '#law/gates.ts';
import { type Loop } from '#law/loop.ts';
import { standingOf } from '#law/standing.ts';
import { waitToConfirm } from '#law/waiting/hold.ts';
import {
  GO_ON,
  MINUTE,
  MOVE,
  MOVED,
  NO_PROOFS,
  after,
  bound,
  check,
  checkBegun,
  checksFor,
  claim,
  created,
  decided,
  features,
  list,
  proof,
  proofsOf,
  running,
  stop,
  tag,
  told,
  verdict,
  type Seen,
} from '../given.ts';

const BEFORE = 'tree before';
const CHANGED = 'tree now';
const NOW = after(MINUTE);
const SAID = { tags: [tag('COMPLETE')] };

function seen(gates: readonly Gate[], more: Seen = {}): Seen {
  const checks = gates.flatMap((gate) =>
    gate.kind === 'check' ? [proof(gate.command, { is: 'passed' })] : [],
  );
  return { checks, features: list(3), moved: MOVED, ...more };
}

/** The verdict where every gate holds at the first stop. */
function judged(
  gates: readonly Gate[],
  {
    require = 'all',
    tree = CHANGED,
    toolUsed = true,
    ...more
  }: Seen & { require?: 'all' | 'any'; tree?: string | null; toolUsed?: boolean } = {},
) {
  const loop = running({ gates: [...gates], require, tree: BEFORE });
  return decided(loop, stop({ toolUsed }), proofsOf(loop, seen(gates, more)), NOW, tree);
}

const done = fc.constantFrom<Gate>(checkBegun('a', 'passed'), checkBegun('b', null), features(list(3)), {
  kind: 'moved',
  baseline: { ...MOVE.baseline, warning: 'done-already' },
});
const open = fc.constantFrom<Gate>(check('c'), features(list(1)), MOVE);
const require = fc.constantFrom('all' as const, 'any' as const);
const kinds = (gates: readonly Gate[]) =>
  gates.filter((gate, at) => gates.findIndex(({ kind }) => kind === gate.kind) === at);

describe('a gate that held before the first pass', () => {
  it('never completes a loop without the agent’s claim, however the gates are combined', () => {
    fc.assert(
      fc.property(fc.array(done, { minLength: 1, maxLength: 4 }).map(kinds), require, (gates, how) => {
        expect(judged(gates, { require: how })).toMatchObject({ is: 'continue' });
        expect(judged(gates, { require: how, ...SAID })).toEqual({ is: 'complete' });
      }),
    );
  });

  it('asks for no claim where another gate was open', () => {
    fc.assert(
      fc.property(fc.array(done, { maxLength: 3 }), open, require, (held, one, how) => {
        const gates = kinds([one, ...held]);
        expect(claimLine(running({ gates }).frame)).toBeNull();
        expect(judged(gates, { require: how })).toEqual({ is: 'complete' });
      }),
    );
  });

  it('is not the one that is enough with --require any', () => {
    const gates = [checkBegun('green', 'passed'), check('red')];
    const red = {
      checks: [proof('green', { is: 'passed' }), proof('red', { is: 'failed', exit: 1, tail: '' })],
    };
    expect(judged(gates, { require: 'any', ...red })).toMatchObject({
      is: 'continue',
      missing: [{ gate: 'check', command: 'red' }],
    });
    const promised: Gate[] = [{ kind: 'promise', text: 'DONE' }, checkBegun('green', 'passed')];
    expect(judged(promised, { require: 'any' })).toMatchObject({ missing: [{ gate: 'promise' }] });
  });

  it('is not needed with --require any, once another gate holds that was open', () => {
    const gates = [checkBegun('green', 'passed'), check('red')];
    const checks = [proof('green', { is: 'failed', exit: 1, tail: '' }), proof('red', { is: 'passed' })];
    expect(judged(gates, { require: 'any', checks })).toEqual({ is: 'complete' });
    expect(judged(gates, { require: 'all', checks }).is).toBe('continue');
  });

  it('has its check run on the claim only, and says so', () => {
    const loop = running({ gates: [checkBegun('npm test', 'passed')] });
    expect(checksFor(loop, proofsOf(loop, {}))).toEqual([]);
    expect(checksFor(loop, proofsOf(loop, SAID))).toHaveLength(1);
    expect(decided(loop, stop(), proofsOf(loop, {}), NOW)).toMatchObject({
      missing: [
        { gate: 'promise', wanted: 'COMPLETE' },
        { gate: 'check', outcome: 'has not been run yet (it runs when the promise is given)' },
      ],
    });
  });

  it('leaves a promise of one’s own, a signal, stop hooks and a list of items what they are', () => {
    const green = checkBegun('npm test', 'passed');
    expect(promiseOf(running({ gates: [{ kind: 'promise', text: 'OWN' }, green] }).frame)).toBe('OWN');
    expect(promiseOf(running({ mode: 'issue', gates: [{ kind: 'signal' }, green] }).frame)).toBeNull();
    const hooks: Gate = { kind: 'hooks', names: ['lint'], timeoutMs: 1, allMs: 1, mark: null };
    expect(promiseOf(running({ gates: [hooks, green] }).frame)).toBeNull();
    const items = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;
    expect(promiseOf(running({ mode: 'grind', gates: [green], items }).frame)).toBeNull();
  });
});

describe('gates that hold while nothing has changed', () => {
  const promise: Gate = { kind: 'promise', text: 'COMPLETE' };

  it('a check that was red and is green now: complete at once, if the work tree changed', () => {
    expect(judged([check('npm test')])).toEqual({ is: 'complete' });
    expect(judged([check('npm test')], { tree: BEFORE })).toMatchObject({
      is: 'continue',
      missing: [
        {
          gate: 'news',
          says: 'nothing in the work tree has changed since the loop began. If the task is not done, do it now. If it needs no change, say why and finish again',
        },
      ],
    });
    // Nobody could tell.
    expect(judged([check('npm test')], { tree: null })).toEqual({ is: 'complete' });
  });

  it('a claim: questioned only where no tool was called either', () => {
    expect(judged([promise], { ...SAID, tree: BEFORE })).toEqual({ is: 'complete' });
    expect(judged([promise], { ...SAID, toolUsed: false })).toEqual({ is: 'complete' });
    expect(judged([promise], { ...SAID, tree: BEFORE, toolUsed: false })).toMatchObject({
      is: 'continue',
      missing: [
        {
          gate: 'news',
          says: 'nothing in the work tree has changed since the loop began, and no tool was called. If the task is not done, do it now. If it needs no change, say why and end with <promise>COMPLETE</promise> again',
        },
      ],
    });
  });

  it('a tool call at an earlier stop counts', () => {
    const loop = running({ tree: BEFORE }, claim(1), verdict(1, { toolUsed: true }));
    const again = decided(loop, stop({ toolUsed: false }), proofsOf(loop, SAID), after(2 * MINUTE), BEFORE);
    expect(again).toEqual({ is: 'complete' });
  });

  it('a list whose items came to pass, and a file that was moved, are changes', () => {
    expect(judged([features(list(1))], { tree: BEFORE, toolUsed: false })).toEqual({ is: 'complete' });
    expect(judged([MOVE], { tree: BEFORE, toolUsed: false })).toEqual({ is: 'complete' });
    expect(judged([check('npm test'), MOVE], { tree: BEFORE, toolUsed: false })).toEqual({ is: 'complete' });
  });

  it('are questioned however many passes came before', () => {
    const loop = running({ tree: BEFORE }, claim(1), verdict(1, { toolUsed: false }));
    const asked = decided(loop, stop({ toolUsed: false }), proofsOf(loop, SAID), after(2 * MINUTE), BEFORE);
    expect(asked).toMatchObject({ is: 'continue', missing: [{ gate: 'news' }] });
  });

  it('are questioned once: an agent that stands by it completes, and the loop says that nothing was changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(promise, check('npm test')), fc.nat(3), (gate, later) => {
        const gates = [gate];
        const quiet = stop({ toolUsed: false });
        const first = running({ gates, tree: BEFORE });
        const asked = decided(first, quiet, proofsOf(first, seen(gates, SAID)), NOW, BEFORE);
        const goesOn = Array.from({ length: later }, (_, k) => [
          claim(k + 2),
          verdict(k + 2, { toolUsed: false }),
        ]).flat();
        const loop = running(
          { gates, tree: BEFORE },
          claim(1),
          verdict(1, { verdict: asked, toolUsed: false }),
          ...goesOn,
        );
        const n = later + 2;
        const end = decided(loop, quiet, proofsOf(loop, seen(gates, SAID)), after(n * MINUTE), BEFORE);
        expect(end).toEqual({ is: 'complete', unchanged: true });
        const ended = running(
          { gates, tree: BEFORE },
          claim(1),
          verdict(1, { verdict: asked, toolUsed: false }),
          ...goesOn,
          claim(n),
          verdict(n, { verdict: end, toolUsed: false }),
        );
        expect(ended.status).toEqual({ is: 'completed', unchanged: true });
      }),
    );
  });

  it('and until it is given again, the claim that was questioned is what is missing', () => {
    const asked = { ...GO_ON, missing: [{ gate: 'news', says: 'Nothing changed.' } as const] };
    const after1 = (gates: readonly Gate[]) =>
      running({ gates, tree: BEFORE }, claim(1), verdict(1, { verdict: asked })).frame;
    expect(standingOf(after1([promise]), NO_PROOFS).missing).toStrictEqual([
      { gate: 'promise', wanted: 'COMPLETE', seen: null, questioned: 1 },
    ]);
    expect(standingOf(after1([{ kind: 'signal' }]), NO_PROOFS).missing).toEqual([
      {
        gate: 'signal',
        says: expect.stringMatching(
          / was given in iteration 1 and questioned, because nothing had changed; it counts when it is given again$/,
        ),
      },
    ]);
    expect(standingOf(running({ gates: [promise] }).frame, NO_PROOFS).missing).toStrictEqual([
      { gate: 'promise', wanted: 'COMPLETE', seen: null },
    ]);
    expect(standingOf(running({ gates: [{ kind: 'signal' }] }).frame, NO_PROOFS).missing).toEqual([
      { gate: 'signal', says: expect.stringMatching(/ has not been said$/) },
    ]);
  });

  it('a doubt is for a person: of a plain loop it asks whether the task is done, of a part it stops the loop', () => {
    const gateResults = [
      { gate: 'moved', holds: true, says: 'it was moved', trouble: null },
      { gate: 'protected', holds: true, says: 'A test file was changed', trouble: null, doubt: true },
    ] as const;
    const proofs = (loop: Loop) => ({ ...proofsOf(loop, SAID), gateResults });
    const plain = running();
    expect(decided(plain, stop(), proofs(plain), NOW)).toEqual({
      is: 'allow',
      why: 'approval',
      shells: [],
      until: null,
      asks: { kind: 'completion', text: 'A test file was changed: is the task done?' },
    });
    const listed = running({ items: { from: { is: 'file', file: 'x' }, most: 5 } });
    expect(decided(listed, stop(), proofs(listed), NOW)).toEqual({
      is: 'escalate',
      why: { is: 'unreadable', why: 'A test file was changed' },
      missing: [],
    });
    expect(waitToConfirm()).toMatchObject({ asks: { text: 'The gates hold: is the task done?' } });
  });

  it('are not questioned in the last pass: completion comes before limits', () => {
    const loop = running({ tree: BEFORE, iterations: 1 });
    const end = decided(loop, stop({ toolUsed: false }), proofsOf(loop, SAID), NOW, BEFORE);
    expect(end).toEqual({ is: 'complete', unchanged: true });
  });

  it('of a loop that a program drives are believed on a claim alone, since nobody sees its tool calls', () => {
    const driven = (gate: Gate) =>
      told(created({ gates: [gate], tree: BEFORE }), bound({ session: 'tools-1' }));
    const quiet = stop({ session: 'tools-1', toolUsed: false });
    const claims = driven(promise);
    const said = decided(claims, quiet, proofsOf(claims, SAID), NOW, BEFORE);
    expect(said).toEqual({ is: 'complete', unchanged: true });
    const green = driven(check('npm test'));
    const unclaimed = decided(green, quiet, proofsOf(green, seen([check('npm test')])), NOW, BEFORE);
    expect(unclaimed).toMatchObject({ is: 'continue', missing: [{ gate: 'news' }] });
  });

  it('of a loop whose beginning nobody marked are believed', () => {
    const loop = running({});
    expect(decided(loop, stop({ toolUsed: false }), proofsOf(loop, SAID), NOW, BEFORE)).toEqual({
      is: 'complete',
    });
  });
});

describe('what a check said before the first pass', () => {
  const gate = { timeoutMs: 1_000 };
  it.each([
    [{ is: 'passed' }, 'passed'],
    [{ is: 'failed', exit: 1, tail: '' }, 'failed'],
    [{ is: 'unstartable', error: 'exit code 127', tail: '' }, 'failed'],
    [{ is: 'timed-out', afterMs: 1_000, tail: '' }, 'failed'],
    [{ is: 'timed-out', afterMs: 400, tail: '' }, null],
  ] as const)('%o: %s', (outcome, begun) => {
    expect(begunOf(proof('npm test', outcome), gate)).toBe(begun);
  });
});
