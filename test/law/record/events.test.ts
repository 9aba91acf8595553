import { describe, expect, it } from 'vitest';
import { firstEvent, JOURNAL_VERSION, readEvent } from '#law/record/events.ts';
import { after, bound, claim, created, proof, verdict } from '../given.ts';

describe('readEvent', () => {
  it.each([
    ['created', created()],
    ['bound', bound()],
    ['stop', claim(1)],
    ['verdict', verdict(1, { proofs: [proof('test', { is: 'failed', exit: 1, tail: 'x' })] })],
    ['with fields of a newer Da Capo', { ...bound(), later: { more: true } }],
  ])('takes %s', (_name, event) => {
    expect(readEvent(event)).toEqual({ is: 'event', event });
  });

  it('keeps what it does not know, if it is an event at all', () => {
    expect(readEvent({ type: 'approved', at: after(0), whoever: 1 })).toEqual({ is: 'unknown' });
    expect(readEvent({ type: 'toString', at: after(0) })).toEqual({ is: 'unknown' });
    expect(readEvent({ type: '__proto__', at: after(0) })).toEqual({ is: 'unknown' });
  });

  it('says so where another version of Da Capo began the journal, whatever else it wrote', () => {
    const old = { is: 'older', why: expect.stringContaining('Use the Da Capo that began the loop') };
    expect(readEvent({ type: 'created', at: after(0), version: JOURNAL_VERSION - 1 })).toEqual(old);
    expect(readEvent({ ...created(), version: undefined })).toEqual(old);
    expect(readEvent({ type: 'created', at: after(0), version: JOURNAL_VERSION + 1 })).toEqual({
      is: 'newer',
      why:
        `the journal has version ${JOURNAL_VERSION + 1}, and this Da Capo reads up to version ` +
        `${JOURNAL_VERSION}. Update Da Capo.`,
    });
    const later = { ...bound(), version: JOURNAL_VERSION + 1 };
    expect(readEvent(later)).toEqual({ is: 'event', event: later });
  });

  it('the first one says which version wrote the journal', () => {
    expect(firstEvent({ ...created(), version: 1 }).version).toBe(JOURNAL_VERSION);
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['null', null],
    ['a list', [created()]],
    ['no type', { at: after(0) }],
    ['no instant', { type: 'compacted' }],
    ['an instant that is none', { type: 'compacted', at: 'yesterday-ish' }],
    ['a counter that is not a number', { ...claim(1), n: 'three' }],
    ['a counter that is not a whole number', { ...claim(1), n: 1.5 }],
    ['a counter below one', { ...claim(1), n: 0 }],
    ['a counter beyond what can be counted', { ...claim(1), n: 2 ** 60 }],
    ['no session', { ...claim(1), session: null }],
    ['an unknown hand', { type: 'cancelled', at: after(0), by: 'ghost', prompt: null }],
    ['an unknown verdict', { ...verdict(1), verdict: { is: 'maybe' } }],
    ['a verdict without its reason', { ...verdict(1), verdict: { is: 'exhaust', missing: [] } }],
    ['a limit that is not a number', created({ iterations: Number.NaN })],
    ['a limit of zero', created({ iterations: 0 })],
    ['a negative time', created({ timeMs: -1 })],
    ['a version that is none', { ...created(), version: 'newest' }],
    ['a missing field', { ...bound(), how: undefined }],
  ])('breaks on %s', (_name, value) => {
    expect(readEvent(value)).toEqual({ is: 'broken' });
  });
});
