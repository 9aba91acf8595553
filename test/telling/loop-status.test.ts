import { describe, expect, it } from 'vitest';
import type { Definition } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import type { StatusWord } from '#law/loop.ts';
import { statusOf } from '#telling/loop-status.ts';
import { asShown } from '#telling/person/status.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  MOVE,
  PROMISE,
  UNREADABLE,
  after,
  bound,
  check,
  claim,
  created,
  features,
  list,
  pass,
  proof,
  running,
  told,
  verdict,
} from '../law/given.ts';

const NOW = after(HOUR);

describe('report', () => {
  it('tells all that status --json promises', () => {
    const loop = running({ name: 'login', gates: [PROMISE, check('npm test')] }, ...pass(1));
    expect(statusOf(loop, NOW)).toEqual({
      id: 'RALPH_20260105_abc123',
      name: 'login',
      host: 'claude-code',
      waits_for: null,
      waits_until: null,
      status: 'running',
      reason: 'is running, iteration 2 of 50',
      doneBy: null,
      proven: null,
      ground: null,
      ground_changed: [],
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
      /used up its iterations \(1 iteration\)/,
      [claim(1), verdict(1, { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } })],
    ],
    [
      'exhausted',
      /time limit of 24 h reached/,
      [claim(1), verdict(1, { verdict: { is: 'exhaust', limit: 'time', missing: [] } })],
    ],
    [
      'exhausted',
      /budget of \$5\.00 used up after 1 iteration \(\$5\.10, estimated from tokens\)/,
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
      /budget of 2M tokens used up after 1 iteration \(2\.01M\)/,
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
    const told = statusOf(running({ costUsd: 5, tokens: 2_000_000 }, ...events), NOW);
    expect(told.status).toBe(status);
    expect(told.reason).toMatch(reason);
  });

  it('a loop that nobody has yet is pending', () => {
    expect(statusOf(told(created()), NOW)).toMatchObject({
      status: 'pending',
      iteration: 1,
      session_id: null,
    });
  });

  it('what a file or a journal held goes to the terminal without its control characters', () => {
    const detail = 'line 3: \u001b]0;owned\u0007\u001b[2J<promise>COMPLETE</promise>\nmore';
    const loop = running({}, { type: 'aborted', at: after(0), why: 'view', detail, evidence: null });
    expect(statusOf(loop, NOW).reason).not.toMatch(/[\p{Cc}]|<promise>/u);
  });
});

describe('gates', () => {
  const guarded = { gates: [PROMISE, check('npm test')] };
  const holds = (...events: Event[]) =>
    statusOf(running(guarded, ...events), NOW).gates.map((gate) => gate.holds);

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
    expect(statusOf(running({}, claim(1), capped), NOW)).toMatchObject({
      status: 'interrupted',
      reason: expect.stringMatching(/cap of 8/),
    });
    expect(statusOf(running({}, claim(1), capped, claim(2)), NOW).status).toBe('running');
  });

  it('an owner whose process is gone', () => {
    expect(
      statusOf(
        asShown(running(), () => false),
        NOW,
      ),
    ).toMatchObject({ status: 'interrupted' });
    expect(
      statusOf(
        asShown(running(), ({ session: { owner } }) => owner?.process === 100),
        NOW,
      ).status,
    ).toBe('running');
  });

  it('a session that has yet to take the loop up', () => {
    const loop = told(created(), bound({ process: null, prompt: null, how: 'start' }));
    expect(statusOf(loop, NOW)).toMatchObject({ status: 'pending', worked_seconds: 0 });
  });

  it('an ended loop is shown as it is', () => {
    const loop = running({}, { type: 'cancelled', at: after(0), by: 'session', prompt: null });
    expect(asShown(loop, () => false)).toBe(loop);
  });
});

describe('what each gate shows', () => {
  const HOOKS = { kind: 'hooks', names: ['release'], timeoutMs: 1, allMs: 1, mark: null } as const;
  const MOVED_RESULT = { gate: 'moved', holds: true, says: 'it has arrived', trouble: null } as const;
  const HOOKS_RESULT = { gate: 'hooks', holds: false, says: 'no', trouble: null } as const;
  const gates = (definition: Partial<Definition>, ...events: Event[]) =>
    statusOf(running(definition, ...events), NOW).gates;

  it('nothing was seen of any before the first stop, but of a list what it began with', () => {
    expect(gates({ gates: [check('npm test'), features(), MOVE, HOOKS] })).toEqual([
      { gate: 'check', wanted: 'npm test', holds: null, seen: null },
      {
        gate: 'features',
        wanted: 'every item of feature_list.json passes',
        holds: null,
        seen: '3 of 3 items in feature_list.json do not pass yet',
      },
      { gate: 'moved', wanted: 'Needs_Action/INVOICE_client.md is in Done/', holds: null, seen: null },
      { gate: 'hooks', wanted: 'the stop hooks agree (release)', holds: null, seen: null },
    ]);
  });

  it('then what was seen last, in words, and a check by its name', () => {
    const named = { kind: 'check', name: 'unit', command: 'npm test', timeoutMs: 1 } as const;
    const facts = {
      proofs: [proof('npm test', { is: 'failed', exit: 2, tail: '' })],
      features: list(3),
      gateResults: [HOOKS_RESULT, MOVED_RESULT],
    };
    expect(gates({ gates: [named, features(), MOVE, HOOKS] }, claim(1), verdict(1, facts))).toMatchObject([
      { gate: 'check', name: 'unit', holds: false, seen: 'failed with exit code 2' },
      { gate: 'features', holds: true, seen: 'all 3 items in feature_list.json pass' },
      { gate: 'moved', holds: true, seen: 'it has arrived' },
      { gate: 'hooks', holds: false, seen: 'no' },
    ]);
    expect(gates({ gates: [features()] }, claim(1), verdict(1, { features: UNREADABLE }))).toMatchObject([
      { holds: false, seen: 'feature_list.json is empty' },
    ]);
    expect(gates({ gates: [features()] }, claim(1), verdict(1, { features: list(2) }))).toMatchObject([
      { holds: false },
    ]);
  });

  it('a signal of the mode stands for a promise', () => {
    const signal = { gates: [{ kind: 'signal' }] } as const;
    const missing = [{ gate: 'signal' as const, says: 'not said' }];
    const wanted = '<loop-done>COMPLETE</loop-done>';
    expect(gates(signal)).toEqual([{ gate: 'signal', wanted, holds: null, seen: null }]);
    expect(gates(signal, claim(1), verdict(1, { verdict: { ...GO_ON, missing } }))).toMatchObject([
      { holds: false, seen: null },
    ]);
    expect(gates(signal, claim(1), verdict(1, { verdict: { is: 'complete' } }))).toMatchObject([
      { holds: true },
    ]);
  });

  it('a promise that came near shows what was seen', () => {
    const missing = [{ gate: 'promise' as const, wanted: 'COMPLETE', seen: 'inside code' }];
    expect(gates({}, claim(1), verdict(1, { verdict: { ...GO_ON, missing } }))).toEqual([
      { gate: 'promise', wanted: 'COMPLETE', holds: false, seen: 'inside code' },
    ]);
  });

  it('nobody knows whether a promise was given beside another gate that was enough', () => {
    const any = { gates: [PROMISE, check('npm test')], require: 'any' } as const;
    const passed = [proof('npm test', { is: 'passed' })];
    const complete = { is: 'complete' } as const;
    const holds = (...told: Parameters<typeof gates>) => gates(...told).map((gate) => gate.holds);
    expect(holds(any, claim(1), verdict(1, { verdict: complete, proofs: passed }))).toEqual([null, true]);
    expect(holds(any, claim(1), verdict(1, { verdict: complete }))).toEqual([true, null]);
    expect(
      holds({ ...any, require: 'all' }, claim(1), verdict(1, { verdict: complete, proofs: passed })),
    ).toEqual([true, true]);
  });

  it('a verdict that ended an inner task says nothing about the promise of the one around it', () => {
    const popped = [{ mode: 'loop', outcome: 'complete', why: 'w', item: null, iterations: 1 }] as const;
    const turned = verdict(1, { verdict: { ...GO_ON, missing: [], popped } });
    expect(gates({}, claim(1), turned)).toMatchObject([{ holds: null }]);
    expect(gates({}, claim(1), verdict(1, { verdict: { ...GO_ON, missing: [] } }))).toMatchObject([
      { holds: true },
    ]);
  });
});

describe('figures of a report', () => {
  it('an ended loop shows the last pass that ended, in each frame', () => {
    const ended = running({}, ...pass(1), { type: 'cancelled', at: NOW, by: 'session', prompt: null });
    expect(statusOf(ended, NOW)).toMatchObject({ iteration: 1, frames: [{ iteration: 1 }] });
  });

  it('a list counts the iterations of its items as its own', () => {
    const items = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;
    const loop = running({ mode: 'grind', items });
    const { frame } = loop;
    const worked = { ...loop, frame: { ...frame, inner: { ...frame.inner, iterations: 4 } } };
    expect(statusOf(worked, NOW).iteration).toBe(5);
    expect(statusOf({ ...worked, frame: { ...worked.frame, items: null } }, NOW).iteration).toBe(1);
  });

  it('money without the noise of sums, time in seconds, context where it is known', () => {
    const facts = { used: { costUsd: 0.1 + 0.2, tokens: 7 }, context: { tokens: 5_000, window: 200_000 } };
    const loop = running({ costUsd: 5, tokens: 9, stalls: 4 }, claim(1), verdict(1, facts));
    expect(statusOf(loop, after(90_400))).toMatchObject({
      cost_usd: 0.3,
      max_cost_usd: 5,
      tokens: 7,
      max_tokens: 9,
      max_stalls: 4,
      context_tokens: 5_000,
      context_window: 200_000,
      worked_seconds: 90,
    });
  });

  it('what is shown as interrupted worked until the last that was heard of it', () => {
    const gone = statusOf(
      asShown(running({}, ...pass(1)), () => false),
      NOW,
    );
    expect(gone).toMatchObject({ status: 'interrupted', worked_seconds: 61 });
    expect(gone.reason).toBe('interrupted after 1 iteration: the process of its session is gone');
  });

  it('the owner is asked for once, and not where there is no process', () => {
    const asked: unknown[] = [];
    asShown(running(), ({ session: { owner, boundAt } }) => asked.push([owner?.process, boundAt]) > 0);
    expect(asked).toEqual([[100, after(0)]]);
    expect(asShown(told(created(), bound({ process: null })), () => false).status.is).toBe('running');
  });

  it('a stop that is let through for the queue leaves the gates as they were last seen', () => {
    const proofs = [proof('npm test', { is: 'failed', exit: 1, tail: '' })];
    const queue = { is: 'allow', why: 'queue', shells: [], until: null } as const;
    const definition = { gates: [PROMISE, check('npm test')] };
    const judged = running(definition, claim(1), verdict(1, { proofs }));
    const yielded = running(
      definition,
      claim(1),
      verdict(1, { proofs }),
      claim(2),
      verdict(2, { verdict: queue }),
    );
    expect(statusOf(judged, NOW).gates).toMatchObject([{ holds: false }, { holds: false }]);
    expect(statusOf(yielded, NOW).gates).toEqual(statusOf(judged, NOW).gates);
  });
});
