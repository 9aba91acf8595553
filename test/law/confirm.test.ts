/**
 * Rule 10 with `--confirm`: passes that look for what is missing, and change nothing, before the loop is
 * complete.
 */
import { describe, expect, it } from 'vitest';
import { factsOf, judge } from '#law/decide.ts';
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import { confirmations, wantsFirstMark } from '#law/proof/news.ts';
import type { Definition } from '#law/record/definition.ts';
import { statusOf } from '#telling/loop-status.ts';
import { ruleOf } from '#telling/rules.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import {
  after,
  check,
  claim,
  MINUTE,
  NO_PROOFS,
  proof,
  PROMISE,
  running,
  saying,
  stop,
  tag,
  verdict,
} from './given.ts';

interface Shown {
  readonly tree?: string | null;
  readonly holds?: boolean;
}

function stops(loop: Loop, { tree = 'same', holds = true }: Shown = {}): Loop {
  const n = loop.stops + 1;
  const outcome = holds ? ({ is: 'passed' } as const) : ({ is: 'failed', exit: 1, tail: '' } as const);
  const proofs = { ...NO_PROOFS, checks: [proof('npm test', outcome)] };
  const facts = factsOf(loop, stop(), proofs, tree);
  const { verdict: judged } = judge(loop, facts, after(n * MINUTE));
  const recorded = { proofs: proofs.checks, tree, stalls: facts.stalls };
  return [claim(n), verdict(n, { verdict: judged, ...recorded })].reduce<Loop>(
    (told, event) => fold(told, event) ?? told,
    loop,
  );
}

const asked = (over: Partial<Definition> = {}) =>
  running({ gates: [check('npm test')], confirm: 2, tree: 'begun', ...over });

const gate = (loop: Loop) => statusOf(loop, after(0)).gates.find((one) => one.gate === 'confirmed');

describe('--confirm 2', () => {
  it('two passes in a row that change nothing complete it', () => {
    const held = stops(asked());
    expect(held.status.is).toBe('running');
    expect(confirmations(held)).toBe(0);
    expect(gate(held)).toMatchObject({ holds: false, seen: 'confirmed 0 of 2' });
    const once = stops(held);
    expect(gate(once)).toMatchObject({ holds: false, seen: 'confirmed 1 of 2' });
    expect(JSON.stringify(once.last)).not.toContain('changed something');
    const twice = stops(once);
    expect(twice.status).toEqual({ is: 'completed' });
    expect(gate(twice)).toMatchObject({ holds: true, seen: 'confirmed 2 of 2' });
    expect(statusOf(twice, after(0)).reason).toContain('`npm test` passes and 2 iterations confirmed it');
  });

  it('a pass that changed something has found something: the count starts again', () => {
    const changed = stops(stops(stops(asked())), { tree: 'other' });
    expect(confirmations(changed)).toBe(0);
    const { verdict: last } = changed.last ?? {};
    expect(last).toMatchObject({ is: 'continue', missing: [{ gate: 'confirmed', times: 0, of: 2 }] });
    expect(JSON.stringify(last)).toContain('(the last pass changed something)');
    expect(stops(stops(changed, { tree: 'other' }), { tree: 'other' }).status.is).toBe('completed');
  });

  it('so does a gate that no longer holds', () => {
    const broken = stops(stops(stops(asked())), { holds: false });
    expect(confirmations(broken)).toBeNull();
    expect(gate(broken)).toMatchObject({ holds: null, seen: null });
    expect(confirmations(stops(broken))).toBe(0);
  });

  it('what nobody can compare confirms nothing', () => {
    expect(confirmations(stops(stops(asked(), { tree: null }), { tree: null }))).toBe(0);
  });

  it('the agent is asked to look for what is missing, and how to end', () => {
    const says = (loop: Loop) => {
      const last = loop.last?.verdict;
      return last?.is === 'continue' && last.missing[0]?.gate === 'confirmed' ? last.missing[0].says : '';
    };
    expect(says(stops(asked()))).toMatch(
      /^the gates hold; confirmed 0 of 2\. Now look for what is missing: compare the work with every part of the task, as somebody who has not done it, and do what is missing\. If nothing is, change nothing and finish$/,
    );
    const loop = running({ gates: [PROMISE], confirm: 1 });
    const proofs = { ...NO_PROOFS, said: saying([tag('COMPLETE')], loop) };
    const { verdict: judged } = judge(loop, factsOf(loop, stop(), proofs, 'same'), after(MINUTE));
    expect(JSON.stringify(judged)).toContain('change nothing and end with <promise>COMPLETE</promise>');
    expect(ruleOf(judged)).toMatchObject({ number: 10, name: 'to be confirmed' });
  });

  it('the limits still end it, and say what was missing', () => {
    const out = stops(stops(asked({ iterations: 2 })));
    expect(out.status).toEqual({ is: 'exhausted', limit: 'iterations' });
    expect(out.last?.verdict).toMatchObject({ missing: [{ gate: 'confirmed', times: 1 }] });
    // What the agent was asked to do is not for the person.
    expect(sayEnded(out)).toContain('Still open: the gates hold; confirmed 1 of 2.');
  });

  it('an agent that was asked to confirm is not questioned as well', () => {
    const loop = stops(asked({ confirm: 1 }), { tree: 'begun' });
    expect(confirmations(loop)).toBe(0);
    expect(stops(loop, { tree: 'begun' }).status).toEqual({ is: 'completed', unchanged: true });
  });

  it('needs a mark at each stop whose gates hold', () => {
    expect(wantsFirstMark(asked({ gates: [PROMISE] }), stop())).toBe(true);
    expect(wantsFirstMark(running({ gates: [PROMISE] }), stop())).toBe(false);
  });

  it('is asked for each item of a list, not for the list', () => {
    const items = { from: { is: 'file', file: 'todo.md' }, most: 3 } as const;
    const loop = running({ mode: 'grind', gates: [check('npm test')], confirm: 2, items });
    expect(gate(loop)).toBeUndefined();
    const facts = factsOf(loop, stop(), NO_PROOFS, 'same');
    expect(facts.standing).toMatchObject({ done: true, missing: [] });
    expect(loop.frame.confirm).toBe(2);
  });

  it('the start says so', () => {
    expect(sayStarted(asked())).toContain('passes, confirmed by 2 iterations without a change');
    expect(sayStarted(asked({ confirm: 1, atLeast: 3 }))).toContain(
      'passes, not before iteration 3, confirmed by 1 iteration without a change.',
    );
  });
});
