/** What a verdict leaves behind in the loop: by this the next stop is judged. */
import { describe, expect, it } from 'vitest';
import type { EventOf } from '#law/record/events.ts';
import type { CheckOutcome, Verdict } from '#law/record/verdict.ts';
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import {
  MINUTE,
  PROMISE,
  after,
  check,
  checksFor,
  claim,
  features,
  list,
  pass,
  passes,
  proof,
  proofsOf,
  running,
  verdict,
} from '../given.ts';

const QUEUE: Verdict = { is: 'allow', why: 'queue', shells: [], until: null };
const WAIT: Verdict = { is: 'allow', why: 'background', shells: ['b1'], until: after(9 * MINUTE) };
const SEEN = { gate: 'moved', holds: false, says: 'not there', trouble: null } as const;

function hear(
  loop: Loop,
  over: Partial<EventOf<'verdict'>> = {},
  claims: Partial<EventOf<'stop'>> = {},
): Loop {
  const n = loop.stops + 1;
  return [claim(n, claims), verdict(n, over)].reduce<Loop>((told, event) => fold(told, event) ?? told, loop);
}

describe('a verdict', () => {
  it('that completes keeps nothing that an earlier stop saw of the gates', () => {
    const saw = hear(running(), { gateResults: [SEEN] });
    expect(hear(saw).last?.gateResults).toEqual([SEEN]);
    expect(hear(saw, { verdict: { is: 'complete' } }).last?.gateResults).toEqual([]);
  });

  it('moves the loop to the chain of the stop that it judged, where the host names one', () => {
    expect(hear(running(), {}, { prompt: 'p2' }).session.chain).toBe('p2');
    expect(hear(running(), {}, { prompt: null }).session.chain).toBe('p1');
  });

  it('is kept with the number of the iteration that it ended', () => {
    expect(running({}, ...pass(1)).last?.iteration).toBe(1);
    expect(running({}, ...passes(3)).last?.iteration).toBe(3);
  });

  it('keeps what was seen before where it has not looked itself', () => {
    expect(hear(running()).last?.gateResults).toEqual([]);
    const seen = hear(running(), { gateResults: [SEEN] });
    expect(hear(seen).last?.gateResults).toEqual([SEEN]);
    expect(hear(seen, { gateResults: [{ ...SEEN, holds: true }] }).last?.gateResults).toEqual([
      { ...SEEN, holds: true },
    ]);
  });

  it('shows the checks of its own stop alone', () => {
    const red = hear(running(), { proofs: [proof('npm test', { is: 'failed', exit: 1, tail: '' })] });
    expect(hear(red).last?.proofs).toEqual([]);
  });

  it('counts an item as proven only where the checks passed beside it', () => {
    const gates = [PROMISE, features(), check('npm test')];
    const wanted = (outcome: CheckOutcome) => {
      const loop = hear(running({ gates }), { features: list(1), proofs: [proof('npm test', outcome)] });
      return checksFor(loop, proofsOf(loop, { tags: [], features: list(1) })).length;
    };
    expect(wanted({ is: 'passed' })).toBe(0);
    expect(wanted({ is: 'failed', exit: 1, tail: '' })).toBe(1);
  });

  it('that waits for a person shows the checks that have run', () => {
    const RED = proof('npm test', { is: 'failed', exit: 1, tail: '' });
    const GREEN = proof('npm test', { is: 'passed' });
    const asks = (kind: 'question' | 'completion'): Verdict => ({
      is: 'allow',
      why: 'approval',
      shells: [],
      until: null,
      asks: { kind, text: 'Done?' },
    });
    const red = hear(running(), { proofs: [RED] });
    const done = hear(red, { verdict: asks('completion'), proofs: [GREEN] });
    expect(done.last).toMatchObject({ proofs: [GREEN], looked: asks('completion') });
    const asked = hear(red, { verdict: asks('question'), proofs: [] });
    expect(asked.last).toMatchObject({ proofs: [RED], looked: red.last?.looked });
  });

  it('on a frame that was pushed unseen gives its task, and spends none of its passes', () => {
    const frame = {
      mode: 'loop',
      prompt: 'inner',
      gates: [PROMISE],
      require: 'all',
      atLeast: 0,
      iterations: 5,
      items: null,
      item: null,
    } as const;
    const loop = hear(running({}, { type: 'pushed', at: after(0), by: 'terminal', prompt: null, frame }));
    expect(loop.frame).toMatchObject({ prompt: 'inner', promptGiven: true, passes: 0 });
    expect(hear(loop).frame.passes).toBe(1);
  });
});

describe('a stop that was let through', () => {
  it('for the queue stays what it was, and the next prompt is the person’s', () => {
    const loop = hear(running(), { verdict: QUEUE });
    expect(loop).toMatchObject({
      status: { is: 'running' },
      session: { yielded: true, hold: null, shellsHeld: [] },
    });
    expect(loop.frame.passes).toBe(0);
    expect(hear(loop).session.yielded).toBe(false);
  });

  it('for the queue, in the middle of a wait, leaves the end of the wait where it was', () => {
    const loop = hear(hear(running(), { verdict: WAIT }), { verdict: QUEUE });
    expect(loop.session.hold).toEqual({ until: after(9 * MINUTE) });
    expect(loop.status).toEqual({ is: 'waiting', for: 'background' });
  });

  it('for a person to answer holds nothing: no wait ends by itself', () => {
    const asks: Verdict = { is: 'allow', why: 'approval', shells: ['b1'], until: null };
    expect(hear(running(), { verdict: asks })).toMatchObject({
      session: { yielded: false, hold: null, shellsHeld: [] },
    });
  });

  it('for background work is no yielding, and remembers the shells', () => {
    const loop = hear(running(), { verdict: WAIT });
    expect(loop).toMatchObject({
      session: { yielded: false, shellsHeld: ['b1'], hold: { until: after(9 * MINUTE) } },
    });
  });
});
