/**
 * What every host owes the hook (src/hosts/port/arrival.ts). A host's test calls this with payloads that its
 * real program sends.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, Arrival, Environment, Host, Output } from '#hosts/port/arrival.ts';

export interface HostBench {
  readonly host: Host;
  readonly env: Environment;
  /** One payload for each kind of arrival, where the host has such a thing. */
  readonly payloads: Readonly<Partial<Record<Arrival['is'], Readonly<Record<string, unknown>>>>>;
  /** What the agent gets to read of this output, and what the person does. */
  readonly read: (output: Output, arrival: Arrival) => { toAgent: string; toPerson: string };
  /** Whether the host lets the session stop, or the tool be used, or the command reach the model. */
  readonly letsThrough: (output: Output, arrival: Arrival) => boolean;
}

const WORDS = 'two\nlines "quoted" \\ \u2028 😀 \u0007 <b> ${HOME} $(rm)';
const ANSWERS: readonly Answer[] = [
  { is: 'silence' },
  { is: 'tell', toPerson: WORDS },
  { is: 'continue', toAgent: WORDS, toPerson: 'Iteration 2.', iteration: { n: 2, of: null } },
  { is: 'brief', toAgent: WORDS, toPerson: null },
  { is: 'brief', toAgent: WORDS, toPerson: 'It begins.' },
  { is: 'deny', toAgent: WORDS, toPerson: null },
  { is: 'deny', toAgent: WORDS, toPerson: null, ends: true },
  { is: 'permit', why: WORDS },
  { is: 'close', toPerson: WORDS },
];
/** Which answers an arrival may get. */
const FITS: Readonly<Record<Answer['is'], readonly Arrival['is'][]>> = {
  silence: ['stop', 'fault', 'session-start', 'session-end', 'tool', 'prompt', 'command'],
  tell: ['stop', 'fault', 'session-start', 'session-end', 'prompt'],
  continue: ['stop'],
  brief: ['session-start', 'prompt', 'command'],
  deny: ['tool'],
  permit: ['tool'],
  close: ['command'],
};

export function hostConformance({ host, env, payloads, read, letsThrough }: HostBench): void {
  const arrivals = Object.values(payloads).map((payload) => {
    const arrival = host.readArrival(payload, env);
    if (arrival === null) throw new Error(`${host.name} does not hear ${JSON.stringify(payload)}`);
    return arrival;
  });
  const cases = ANSWERS.flatMap((answer) =>
    arrivals
      .filter(({ is }) => FITS[answer.is].includes(is))
      .map((arrival) => ({ name: `${answer.is} to a ${arrival.is}`, answer, arrival })),
  );

  describe(`${host.name} as a host`, () => {
    it('hears each of its payloads as what it is, from a sender of its own', () => {
      expect(arrivals.map(({ is }) => is)).toEqual(Object.keys(payloads));
      for (const { from } of arrivals) expect(from).toMatchObject({ host: host.name, limits: host.limits });
    });

    it.each<unknown>([
      null,
      undefined,
      'text',
      7,
      [],
      {},
      { session_id: 's1' },
      { hook_event_name: 'Stop' },
      { session_id: 's1', cwd: '/p', hook_event_name: 'toString' },
    ])('hears nothing in %j', (payload) => {
      expect(host.readArrival(payload, {})).toBeNull();
    });

    it('hears whatever comes without a throw', () => {
      fc.assert(fc.property(fc.jsonValue(), (value) => void host.readArrival(value, env)));
    });

    it('reads its payloads without a throw, also where fields are of another kind', () => {
      const anything = fc.oneof(fc.jsonValue(), fc.constant(undefined));
      const payload = fc.constantFrom(...Object.values(payloads));
      fc.assert(
        fc.property(payload, fc.nat(), anything, (whole, at, other) => {
          const keys = Object.keys(whole);
          const arrival = host.readArrival({ ...whole, [keys[at % keys.length] ?? '']: other }, env);
          expect(arrival?.is !== 'tool' || arrival.call().exact !== '').toBe(true);
          if (arrival?.is === 'tool') arrival.acts();
          if (arrival?.is === 'stop') arrival.look({ offset: 0, waiting: 0 }, '2026-01-01T00:00:00.000Z');
        }),
        { numRuns: 500 },
      );
    });

    it('tells what a tool would do, or nothing, whatever its input holds', () => {
      const { tool } = payloads;
      if (tool === undefined) return;
      const inputs = Object.entries(tool).filter(([, value]) => typeof value === 'object');
      fc.assert(
        fc.property(fc.jsonValue(), (input) => {
          const bent = Object.fromEntries(inputs.map(([key]) => [key, input]));
          const arrival = host.readArrival({ ...tool, ...bent }, env);
          const acts = arrival?.is === 'tool' ? arrival.acts() : [];
          for (const { is } of acts) expect(['write', 'shell', 'unknown']).toContain(is);
        }),
      );
    });

    it('has limits that leave room to work', () => {
      const { stopMs, text, lagMs } = host.limits;
      expect(stopMs).toBeGreaterThanOrEqual(30_000);
      expect(text).toBeGreaterThanOrEqual(2_000);
      expect(lagMs).toBeGreaterThanOrEqual(0);
      expect(lagMs).toBeLessThan(2_000);
    });

    it.each(cases)('$name reaches those it is for, whole', ({ answer, arrival }) => {
      const output = host.encode(answer, arrival);
      const { toAgent, toPerson } = read(output, arrival);
      expect(toAgent).toContain('toAgent' in answer ? answer.toAgent : '');
      // Beside words to the agent a host may keep those to the person to itself; it never hides an ending.
      expect(toPerson).toContain('toAgent' in answer || !('toPerson' in answer) ? '' : answer.toPerson);
      expect(letsThrough(output, arrival)).toBe(!['continue', 'deny', 'close'].includes(answer.is));
    });

    it.each(cases)('$name is bounded by its words', ({ answer, arrival }) => {
      const { stdout, stderr, exit } = host.encode(answer, arrival);
      expect([0, 2]).toContain(exit);
      const words = [
        'toAgent' in answer ? answer.toAgent : '',
        'toPerson' in answer ? answer.toPerson : '',
        'why' in answer ? answer.why : '',
      ];
      // Each word at most twice, escaped, and a frame around it.
      expect(stdout.length + stderr.length).toBeLessThan(3 * words.join('').length + 600);
    });

    it('silence is nothing at all', () => {
      for (const arrival of arrivals)
        expect(host.encode({ is: 'silence' }, arrival)).toEqual({ stdout: '', stderr: '', exit: 0 });
    });

    it('lets a hook run for ten minutes at most: an older claim counts as dead', () => {
      expect(host.limits.stopMs).toBeLessThanOrEqual(600_000);
    });

    it('wakes a session with words, or says that it can not', () => {
      const wake = host.wake?.();
      if (wake === undefined) return;
      const { stdout, stderr, exit } = wake.encode('Go on.');
      expect(`${stdout}${stderr}`).toContain('Go on.');
      expect(exit).toBeGreaterThanOrEqual(0);
      expect(wake.isIdle({ session: 'nobody' }, { HOME: '/nowhere' })).toBe(false);
    });
  });
}
