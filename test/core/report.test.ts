import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/events.ts';
import type { StatusWord } from '../../src/core/loop.ts';
import { asShown, report } from '../../src/core/report.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  PROMISE,
  after,
  bound,
  check,
  claim,
  created,
  pass,
  proof,
  running,
  told,
  verdict,
} from './given.ts';

const NOW = after(HOUR);

describe('report', () => {
  it('tells all that status --json promises', () => {
    const loop = running({ name: 'login', gates: [PROMISE, check('npm test')] }, ...pass(1));
    expect(report(loop, NOW)).toEqual({
      id: 'RALPH_20260105_abc123',
      name: 'login',
      status: 'running',
      reason: 'is running, iteration 2 of 50',
      iteration: 2,
      max_iterations: 50,
      session_id: 's1',
      gates: [
        { gate: 'promise', wanted: 'COMPLETE', holds: false, seen: null },
        { gate: 'check', wanted: 'npm test', holds: null, seen: null },
      ],
      frames: [
        {
          mode: 'loop',
          iteration: 2,
          max_iterations: 50,
          item: null,
          inner: { complete: 0, exhaust: 0, escalate: 0, iterations: 0, last: [] },
        },
      ],
      driver: 'hook',
      project: '/project',
      worked_seconds: 3_600,
      cost_usd: 0,
      max_cost_usd: null,
      tokens: 0,
      max_tokens: null,
      stalls: 1,
      max_stalls: null,
      context_tokens: null,
      context_window: null,
      started_at: after(0),
      updated_at: after(MINUTE + 1_000),
    });
  });

  const endings: [StatusWord, RegExp, Event[]][] = [
    ['completed', /after 1 iteration/, [claim(1), verdict(1, { verdict: { is: 'complete' } })]],
    [
      'exhausted',
      /max iterations reached \(1 iteration\)/,
      [claim(1), verdict(1, { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } })],
    ],
    [
      'exhausted',
      /its time of 24 h is used up/,
      [claim(1), verdict(1, { verdict: { is: 'exhaust', limit: 'time', missing: [] } })],
    ],
    [
      'exhausted',
      /its \$5\.00 are used up after 1 iteration \(\$5\.10, estimated from tokens\)/,
      [
        claim(1),
        verdict(1, {
          verdict: { is: 'exhaust', limit: 'cost', missing: [] },
          used: { costUsd: 5.1, tokens: 10 },
        }),
      ],
    ],
    [
      'exhausted',
      /its 2m tokens are used up after 1 iteration \(2\.01m\)/,
      [
        claim(1),
        verdict(1, {
          verdict: { is: 'exhaust', limit: 'tokens', missing: [] },
          used: { costUsd: 0, tokens: 2_010_000 },
        }),
      ],
    ],
    [
      'stuck',
      /stuck after 1 iteration: the same again/,
      [
        claim(1),
        verdict(1, {
          verdict: { is: 'exhaust', limit: 'stagnation', detail: 'the same again', missing: [] },
        }),
      ],
    ],
    [
      'stuck',
      /stale/,
      [claim(1), verdict(1, { verdict: { is: 'exhaust', limit: 'staleness', missing: [] } })],
    ],
    [
      'escalated',
      /blocked: no key/,
      [
        claim(1),
        verdict(1, { verdict: { is: 'escalate', why: { is: 'blocked', words: 'no key' }, missing: [] } }),
      ],
    ],
    [
      'cancelled',
      /cancelled after 0 iterations \(from a terminal\)/,
      [{ type: 'cancelled', at: after(0), by: 'terminal', prompt: null }],
    ],
    [
      'aborted',
      /kept in \/evidence\/copy/,
      [{ type: 'aborted', at: after(0), why: 'view', detail: 'garbage', evidence: '/evidence/copy' }],
    ],
    ['paused', /from a terminal/, [{ type: 'paused', at: after(0), by: 'terminal', why: 'command' }]],
    [
      'interrupted',
      /overloaded/,
      [{ type: 'interrupted', at: after(0), why: 'fault', detail: 'overloaded' }],
    ],
  ];
  it.each(endings)('%s: %s', (status, reason, events) => {
    const told = report(running({ costUsd: 5, tokens: 2_000_000 }, ...events), NOW);
    expect(told.status).toBe(status);
    expect(told.reason).toMatch(reason);
  });

  it('a loop that nobody has yet is pending', () => {
    expect(report(told(created()), NOW)).toMatchObject({ status: 'pending', iteration: 1, session_id: null });
  });

  it('what a file or a journal held goes to the terminal without its control characters', () => {
    const detail = 'line 3: \u001b]0;owned\u0007\u001b[2J<promise>COMPLETE</promise>\nmore';
    const loop = running({}, { type: 'aborted', at: after(0), why: 'view', detail, evidence: null });
    expect(report(loop, NOW).reason).not.toMatch(/[\p{Cc}]|<promise>/u);
  });
});

describe('gates', () => {
  const guarded = { gates: [PROMISE, check('npm test')] };
  const holds = (...events: Event[]) =>
    report(running(guarded, ...events), NOW).gates.map((gate) => gate.holds);

  it('are not tested before the first stop', () => {
    expect(holds()).toEqual([null, null]);
  });

  it('hold where they were seen to', () => {
    const proofs = [proof('npm test', { is: 'failed', exit: 1, tail: '' })];
    const missing = [{ gate: 'check' as const, name: null, command: 'npm test', outcome: 'failed' }];
    expect(holds(claim(1), verdict(1, { verdict: { ...GO_ON, missing }, proofs }))).toEqual([true, false]);
  });

  it('were not looked at in a stop that was only let through', () => {
    const stale = { is: 'exhaust', limit: 'staleness', missing: [] } as const;
    const queue = { is: 'allow', why: 'queue', shells: [], until: null } as const;
    expect(holds(claim(1), verdict(1, { verdict: stale }))).toEqual([null, null]);
    expect(holds(claim(1), verdict(1, { verdict: queue }))).toEqual([null, null]);
  });
});

describe('no loop claims to run that does not', () => {
  const capped = verdict(1, { verdict: { ...GO_ON, capped: true }, cap: 8 });

  it('a continue that the host has probably overridden', () => {
    expect(report(running({}, claim(1), capped), NOW)).toMatchObject({
      status: 'interrupted',
      reason: expect.stringMatching(/cap of 8/),
    });
    expect(report(running({}, claim(1), capped, claim(2)), NOW).status).toBe('running');
  });

  it('an owner whose process is gone', () => {
    expect(report(running(), NOW, () => false)).toMatchObject({ status: 'interrupted' });
    expect(report(running(), NOW, (process) => process === 100).status).toBe('running');
  });

  it('a session that has yet to take the loop up', () => {
    const loop = told(created(), bound({ process: null, prompt: null, how: 'start' }));
    expect(report(loop, NOW)).toMatchObject({ status: 'pending', worked_seconds: 0 });
  });

  it('an ended loop is shown as it is', () => {
    const loop = running({}, { type: 'cancelled', at: after(0), by: 'session', prompt: null });
    expect(asShown(loop, () => false)).toBe(loop);
  });
});
