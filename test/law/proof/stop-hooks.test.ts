/** Stop hooks before the law: a gate result like any other, but for their veto. */
import { describe, expect, it } from 'vitest';
import type { Gate } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import type { CheckOutcome, GateResult } from '#law/record/verdict.ts';
import {
  accountOf,
  askedAt,
  hooksResult,
  hooksTrouble,
  wasAsked,
  type HookEvaluation,
  hookContext,
} from '#law/proof/stop-hooks.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import { freshBrief } from '#telling/agent/to-agent.ts';
import { nextWords } from '#telling/agent/open-gates.ts';
import { metricsOf } from '#surfaces/cli/look/hook-metrics.ts';
import type { Tag } from '#law/proof/promise.ts';
import type { Proofs } from '#law/stop.ts';
import {
  after,
  check,
  claim,
  NO_PROOFS,
  PROMISE,
  proof,
  proofsOf,
  running,
  saying,
  stop,
  tag,
  verdict,
  decided,
  checksFor,
} from '../given.ts';

const HOOKS: Gate = { kind: 'hooks', names: ['tdd', 'size'], timeoutMs: 1, allMs: 1, mark: null };
const KEPT = tag('COMPLETE');
const PASSED: CheckOutcome = { is: 'passed' };

function evaluation(over: Partial<HookEvaluation> = {}): HookEvaluation {
  const action = over.action ?? 'complete';
  const account = [{ hook: 'tdd', is: 'answered' as const, action, reason: 'why', ms: 3 }];
  return { hook: 'tdd', action, reason: 'why', next: null, account, checkpoints: [], ...over };
}

function judged(
  gateResult: GateResult,
  gates: readonly Gate[] = [PROMISE, HOOKS],
  require: 'all' | 'any' = 'all',
) {
  const loop = running({ gates, require });
  const proofs = { ...proofsOf(loop, { tags: [KEPT] }), gateResults: [gateResult] };
  return decided(loop, stop(), proofs, after(60_000));
}

describe('the verdict of the hooks', () => {
  it('complete holds, continue does not and says why, escalate is a veto', () => {
    expect(judged(hooksResult(evaluation(), false))).toEqual({ is: 'complete' });
    expect(judged(hooksResult(evaluation({ action: 'continue' }), false))).toMatchObject({
      is: 'continue',
      missing: [{ gate: 'hooks', says: 'stop hook tdd says continue: why' }],
    });
    expect(judged(hooksResult(evaluation({ action: 'escalate' }), false))).toMatchObject({
      is: 'escalate',
      why: { is: 'vetoed', why: 'stop hook tdd says escalate: why' },
    });
  });

  it('a complete is one gate among the others', () => {
    const loop = running({ gates: [check('npm test'), HOOKS] });
    const gateResults = [hooksResult(evaluation(), false)];
    const failed = proof('npm test', { is: 'failed', exit: 1, tail: '' });
    expect(decided(loop, stop(), { ...NO_PROOFS, gateResults, checks: [failed] }, after(1)).is).toBe(
      'continue',
    );
    expect(
      decided(loop, stop(), { ...NO_PROOFS, gateResults, checks: [proof('npm test', PASSED)] }, after(1)).is,
    ).toBe('complete');
    expect(decided(loop, stop(), { ...NO_PROOFS, gateResults }, after(1)).is).toBe('continue');
  });

  it('a veto stands where any gate is enough and one holds, and before a check that can’t be started', () => {
    expect(judged(hooksTrouble('the config has changed'), [PROMISE, HOOKS], 'any').is).toBe('escalate');
    const loop = running({ gates: [PROMISE, check('x'), HOOKS], require: 'any' });
    const checks = [proof('x', { is: 'unstartable', error: 'not found', tail: '' })];
    const proofs = { ...proofsOf(loop, { tags: [KEPT], checks }), gateResults: [hooksTrouble('no')] };
    expect(decided(loop, stop(), proofs, after(1))).toMatchObject({ why: { is: 'vetoed' } });
  });

  it('a silence of all holds nobody up, and alone proves nothing', () => {
    const silent = evaluation({
      action: 'continue',
      account: [{ hook: 'size', is: 'abstained', action: 'continue', reason: 'small', ms: 1 }],
    });
    expect(hooksResult(silent, false).holds).toBe(true);
    expect(hooksResult(silent, true).holds).toBe(false);
  });

  it('a config that is not what was trusted runs no check', () => {
    const loop = running({ gates: [check('npm test')], config: { file: 'dacapo.config.js', digest: 'd' } });
    expect(checksFor(loop, NO_PROOFS)).toHaveLength(1);
    expect(checksFor(loop, { ...NO_PROOFS, gateResults: [hooksTrouble('changed')] })).toEqual([]);
  });
});

describe('words', () => {
  const asked = {
    type: 'asked',
    at: after(2),
    n: 1,
    next: 'Look at auth.ts.',
    since: null,
    mark: null,
  } as const;

  it('the start names the hooks, an ending does not say the veto twice', () => {
    expect(sayStarted(running({ gates: [PROMISE, HOOKS] }))).toContain(
      'and the stop hooks agree (tdd, size).',
    );
    const ended = running({ gates: [PROMISE, HOOKS] }, claim(1), {
      ...verdict(1),
      verdict: judged(hooksTrouble('stop hook tdd says escalate: no')),
    });
    expect(sayEnded(ended)).toMatch(
      /needs you: stop hook tdd says escalate: no\. Fix that, then `[^`]+` continues it\.$/,
    );
  });

  it('what a hook says to the agent reaches a new agent too, and only until the next stop', () => {
    const loop = running({ gates: [PROMISE, HOOKS] }, claim(1), { ...asked, account: [] }, verdict(1));
    expect(freshBrief(loop, { prompt: 'Do it.', file: null }, 'you')).toContain('Look at auth.ts.');
    const later = running(
      { gates: [PROMISE, HOOKS] },
      claim(1),
      { ...asked, account: [] },
      verdict(1),
      claim(2),
      verdict(2),
    );
    expect(nextWords(later)).toBe('');
  });

  it('an account that a newer Da Capo wrote is passed over, not believed', () => {
    expect(accountOf({ account: [{ hook: 'x', is: 'pondered' }] })).toEqual([]);
  });
});

describe('the context', () => {
  it('takes only promises that count, and the loop’s own text as COMPLETE', () => {
    const loop = running({ gates: [{ kind: 'promise', text: 'ALL DONE' }, check('npm test'), HOOKS] });
    const context = (...tags: ReturnType<typeof tag>[]) =>
      hookContext(
        loop,
        { message: 'words', proofs: proofsOf(loop, { tags }), files: { inPass: [], inLoop: null } },
        after(1),
      );
    expect(context(tag('ALL DONE')).completionPromises).toMatchObject([
      { type: 'COMPLETE', content: 'ALL DONE' },
    ]);
    expect(context(tag('COMPLETE')).completionPromises).toEqual([]);
    expect(context(tag('ALL DONE', { where: 'code' })).completionPromises).toEqual([]);
    expect(context(tag('ESCALATE: help')).completionPromises).toMatchObject([
      { type: 'ESCALATE', content: 'help' },
    ]);
    expect(context(tag('UNVERIFIABLE: no browser here'))).toMatchObject({
      completionPromises: [],
      unverifiable: 'no browser here',
    });
    expect(context(tag('ESCALATE: help'))).not.toHaveProperty('unverifiable');
    expect(context().validationResults).toMatchObject([
      { ruleName: 'npm test', passed: false, notRun: true },
    ]);
    expect(context()).not.toHaveProperty('filesModifiedSoFar');
  });
});

describe('the context in full', () => {
  const loop = running({
    gates: [check('npm test'), { kind: 'check', name: 'lint', command: 'npm run lint', timeoutMs: 1 }, HOOKS],
  });
  const seen = (proofs: Partial<Proofs>, inLoop: string[] | null = null) =>
    hookContext(
      loop,
      { message: 'words', proofs: { ...NO_PROOFS, ...proofs }, files: { inPass: ['a.ts'], inLoop } },
      after(1),
    );

  it('is what the registry promises its hooks', () => {
    expect(seen({}, ['a.ts', 'b.ts'])).toEqual({
      taskId: loop.id,
      iteration: 1,
      maxIterations: 50,
      executionPhase: null,
      filesModified: ['a.ts'],
      filesModifiedSoFar: ['a.ts', 'b.ts'],
      validationResults: [
        {
          ruleName: 'npm test',
          passed: false,
          message: 'has not been run yet (it runs when the promise is given)',
          notRun: true,
        },
        {
          ruleName: 'lint',
          passed: false,
          message: 'has not been run yet (it runs when the promise is given)',
          notRun: true,
        },
      ],
      completionPromises: [],
      agentOutput: 'words',
    });
  });

  it('names no limit of iterations where there is none', () => {
    const unlimited = running({ gates: [HOOKS], iterations: null });
    const context = hookContext(
      unlimited,
      { message: 'words', proofs: NO_PROOFS, files: { inPass: [], inLoop: null } },
      after(1),
    );
    expect(context).not.toHaveProperty('maxIterations');
  });

  it('shows how each check ended, with its output, and every gate result but that of the hooks', () => {
    const checks = [
      proof('npm test', { is: 'failed', exit: 1, tail: '1 failed' }),
      proof('npm run lint', PASSED),
    ];
    const moved = { gate: 'moved', holds: true, says: 'it has arrived', trouble: null } as const;
    expect(seen({ checks, gateResults: [hooksTrouble('no'), moved] }).validationResults).toEqual([
      { ruleName: 'npm test', passed: false, message: 'failed with exit code 1\n1 failed' },
      { ruleName: 'lint', passed: true, message: 'passed' },
      { ruleName: 'moved', passed: true, message: 'it has arrived' },
    ]);
  });

  it('knows the usual promise where none is asked for, and every cry for help', () => {
    const promises = (...tags: Tag[]) => seen({ said: saying(tags, loop) }).completionPromises;
    const detected = { detected: true, detectedAt: after(1) };
    expect(promises(tag('COMPLETE'))).toEqual([{ type: 'COMPLETE', content: 'COMPLETE', ...detected }]);
    expect(promises(tag('BLOCKED: no key'))).toEqual([{ type: 'BLOCKED', content: 'no key', ...detected }]);
    expect(promises(tag('STUCK', { name: 'loop-done' }))).toEqual([
      { type: 'BLOCKED', content: 'BLOCKED', ...detected },
    ]);
    expect(promises(tag('MAX_ITERATIONS', { name: 'loop-done' }))).toEqual([]);
    expect(promises(tag('OTHER'))).toEqual([]);
  });

  it('shows both where the agent claims and cries for help at once', () => {
    const asking = running({ gates: [{ kind: 'promise', text: 'ALL DONE' }, HOOKS] });
    const said = saying([tag('ALL DONE'), tag('BLOCKED')], asking);
    const context = hookContext(
      asking,
      { message: '', proofs: { ...NO_PROOFS, said }, files: { inPass: [], inLoop: null } },
      after(1),
    );
    expect(context.completionPromises).toMatchObject([
      { type: 'COMPLETE', content: 'ALL DONE' },
      { type: 'BLOCKED', content: 'BLOCKED' },
    ]);
  });

  it('carries the phase of the last checkpoint, and a bounded message', () => {
    const kept = running({}, { type: 'checkpointed', at: after(0), hook: 'h', phase: 'build', file: 'c1' });
    const context = hookContext(
      kept,
      { message: 'x'.repeat(200_001), proofs: NO_PROOFS, files: { inPass: [], inLoop: null } },
      after(1),
    );
    expect(context.executionPhase).toBe('build');
    expect(context.agentOutput).toHaveLength(200_000);
  });
});

describe('an account', () => {
  const asked = (n: number, next: string): Event => ({
    type: 'asked',
    at: after(n),
    n,
    next,
    since: null,
    mark: null,
    account: evaluation().account,
  });

  it('is found by its stop: the last that was written for it', () => {
    const events = [asked(1, 'a'), asked(2, 'b'), asked(1, 'c'), claim(1)];
    expect(askedAt(events, 1)).toEqual(asked(1, 'c'));
    expect(askedAt(events, 2)).toEqual(asked(2, 'b'));
    expect(askedAt(events, 3)).toBeNull();
  });

  it('is read whole, and tells who was asked from who was not', () => {
    const account = [...evaluation().account, { hook: 'off', is: 'disabled' as const }];
    expect(accountOf({ account })).toEqual(account);
    expect(account.map(wasAsked)).toEqual([true, false]);
  });

  it('of silence says so; who was not asked does not break it', () => {
    const account = [
      { hook: 'size', is: 'abstained', action: 'continue', reason: '', ms: 1 },
      { hook: 'off', is: 'disabled' },
    ] as const;
    expect(hooksResult(evaluation({ action: 'continue', account }), false)).toEqual({
      gate: 'hooks',
      holds: true,
      says: 'no stop hook has an objection, and none says complete',
      trouble: null,
    });
    const mixed = [...account, ...evaluation().account];
    expect(hooksResult(evaluation({ action: 'continue', account: mixed }), false).holds).toBe(false);
    expect(hooksTrouble('why')).toEqual({ gate: 'hooks', holds: false, says: 'why', trouble: 'why' });
  });
});

describe('metrics', () => {
  it('count a complete as right when all other gates held at that stop', () => {
    const account = evaluation().account;
    const asked = (n: number) =>
      ({ type: 'asked', at: after(n), n, next: null, since: null, mark: null, account }) as const;
    const [metrics] = metricsOf([
      claim(1),
      asked(1),
      verdict(1),
      claim(2),
      asked(2),
      verdict(2, { verdict: { is: 'complete' } }),
      claim(3),
      asked(3),
    ]);
    expect(metrics).toMatchObject({
      hook: 'tdd',
      asked: 3,
      verdicts: { complete: 3, continue: 0, escalate: 0 },
      totalMs: 9,
      longestMs: 3,
      right: 1,
      wrong: 1,
      accuracy: 0.5,
    });
  });
});
