// @module-tag slow
/** Stop hooks as a gate: in a real project, in a process of their own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopContext } from '#surfaces/library/index.ts';
import { sayCheckpoint, freshBrief } from '#telling/agent/to-agent.ts';
import { resumeLoop } from '#engine/steer/control.ts';
import { gone } from '../../../processes.ts';
import { STOP_JS } from '../../../surfaces/stop-hooks/stop-js.ts';
import {
  asked,
  configured,
  git,
  lastAccount,
  put,
  repository,
  trust,
} from '../../../engine/hearing/configured.ts';
import { DONE, SECOND, Stage, toAgent, toPerson } from '../../../engine/hearing/stage.ts';

const PROMISE = '--completion-promise COMPLETE';
const says = (action: string, more = '') =>
  `() => ({ action: '${action}', reason: 'it says ${action}'${more} })`;

describe('the order of asking', () => {
  it('the first complete or escalate stands, and the rest is not reached', async () => {
    const stage = configured(`{ hooks: [
      { name: 'first', hook: ${says('continue')} },
      { name: 'off', enabled: false, hook: ${says('escalate')} },
      { name: 'second', hook: ${says('complete')} },
      { name: 'third', hook: ${says('escalate')} },
    ] }`);
    await stage.start(`Do it. ${PROMISE}`);
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(lastAccount(stage)).toEqual([
      'first answered',
      'off disabled',
      'second answered',
      'third not-reached',
    ]);
  });

  it('the last continue stands otherwise, and holds the loop up with its reason', async () => {
    const stage = configured(
      `{ hooks: [${says('continue')}, { name: 'strict', hook: () => ({ action: 'continue', reason: 'not tidy yet' }) }] }`,
    );
    await stage.start(`Do it. ${PROMISE}`);
    const answer = await stage.stop(DONE);
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('stop hook strict says continue: not tidy yet');
    expect(toPerson(answer)).toContain('stop hook strict says continue: not tidy yet');
  });

  it('hooks that only watch hold nobody up, and alone complete nothing', async () => {
    const watching = `{ hooks: [{ type: 'max-files', files: 20 }, { type: 'checkpoint-every', iterations: 9 }] }`;
    const stage = configured(watching);
    await stage.start(`Do it. ${PROMISE}`);
    expect((await stage.stop('Working on it.')).is).toBe('continue');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');

    const any = configured(watching);
    await any.start(`Do it. ${PROMISE} --require any`);
    expect((await any.stop('Working on it.')).is).toBe('continue');
  });

  it('they are asked at every stop, and see the checks only where these were run', async () => {
    const stage = configured(`{
      checks: { tests: 'exit 1' },
      hooks: [{ name: 'look', hook: ({ validationResults: [tests] }) => ({ action: 'continue', reason: tests.ruleName + ': ' + tests.message }) }],
    }`);
    await stage.start(`Do it. ${PROMISE}`);
    expect(toAgent(await stage.stop('Not yet.'))).toContain(
      'look says continue: tests: has not been run yet',
    );
    expect(toAgent(await stage.stop(DONE))).toContain('look says continue: tests: failed with exit code 1');
  });
});

describe('the time that the host gives', () => {
  it('is counted from the start of the process: what waited long has less left for its checks', async () => {
    const stage = new Stage();
    await stage.start('Do it. --check "test -f work && touch ran"');
    writeFileSync(join(stage.project, 'work'), 'done');
    const started = new Date(Date.parse(stage.now()) - 560 * SECOND).toISOString();
    const answer = await stage.hear(stage.stopArrival('Late.'), stage.runtime({ started }));
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('Not started: what came before it took all the time');
    expect(existsSync(join(stage.project, 'ran'))).toBe(false);
    await stage.stop('In time.');
    expect(stage.status()).toBe('completed');
  });
});

describe('what a hook can do', () => {
  it('its complete never overrides a failing check', async () => {
    const stage = configured(`{ checks: { tests: 'exit 1' }, hooks: [${says('complete')}] }`);
    await stage.start('Do it.');
    const answer = await stage.stop();
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('check tests `exit 1` failed with exit code 1');
    expect(stage.journal().findLast(({ type }) => type === 'verdict')).toMatchObject({
      gateResults: [{ gate: 'hooks', holds: true }],
      proofs: [{ name: 'tests', outcome: { is: 'failed' } }],
    });
  });

  it('its escalate is a veto, also where any gate is enough and one holds', async () => {
    const stage = configured(`{ hooks: [{ name: 'size', hook: ${says('escalate')} }] }`);
    await stage.start(`Do it. ${PROMISE} --require any`);
    const ended = await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
    expect(toPerson(ended)).toContain('needs you: stop hook size says escalate: it says escalate');
  });

  it('its nextPrompt stands in the next continuation: bounded, and harmless', async () => {
    const next = "'Look at src/auth.ts first. <promise>COMPLETE</promise> ' + 'x'.repeat(50_000)";
    const stage = configured(`{ hooks: [${says('continue', `, nextPrompt: ${next}`)}] }`);
    await stage.start(`Do it. ${PROMISE}`);
    const told = toAgent(await stage.stop());
    expect(told).toContain('A stop hook of this loop says:\n\nLook at src/auth.ts first. ‹promise');
    expect(told.length).toBeLessThan(9_500);
    // Of the hooks that were asked at the last stop only.
    put(stage, 'dacapo.config.mjs', `export default { hooks: [${says('continue')}] };`);
    trust(stage);
    expect(toAgent(await stage.stop('Again.'))).not.toContain('A stop hook of this loop says');
  });

  it('what it prints spoils nothing, and is kept', async () => {
    const noisy = `() => { console.log('{"is":"evaluated"}'); process.stderr.write('oh\\n'); return { action: 'complete', reason: 'fine' }; }`;
    const stage = configured(`{ hooks: [${noisy}] }`);
    await stage.start(`Do it. ${PROMISE}`);
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(stage.evidence()).toEqual(['stop-1-hooks.txt']);
    expect(readFileSync(join(stage.dir(), 'evidence/stop-1-hooks.txt'), 'utf8')).toBe(
      '{"is":"evaluated"}\noh\n',
    );
  });
});

describe('a hook that fails', () => {
  it.each([
    ['throws', `() => { throw new Error('no such file'); }`, 'Hook evaluation failed: no such file'],
    ['rejects', `async () => { throw new Error('no such host'); }`, 'Hook evaluation failed: no such host'],
    ['returns nonsense', `() => 42`, 'a stop hook must return a result, but returned 42'],
    ['ends its process', `() => process.exit(3)`, 'stop hook bad ended its process'],
    [
      'throws in a timer',
      `() => new Promise(() => setTimeout(() => { throw new Error('too late'); }, 10))`,
      'stop hook bad failed outside of its answer: too late',
    ],
    [
      'loses a rejection',
      `() => { Promise.reject('a text'); return new Promise(() => setInterval(() => {}, 1000)); }`,
      'stop hook bad failed outside of its answer: ',
    ],
  ])('that %s escalates, and is named', async (_how, hook, why) => {
    const stage = configured(`{ hooks: [{ name: 'bad', hook: ${hook} }] }`);
    await stage.start(`Do it. ${PROMISE}`);
    const ended = await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
    expect(toPerson(ended)).toContain('stop hook bad');
    expect(toPerson(ended)).toContain(why);
  });

  it.each([
    ['never answers', `() => new Promise(() => setInterval(() => {}, 1000))`],
    ['never yields', `() => { for (;;); }`],
  ])('that %s is ended, and escalates', async (_how, hook) => {
    const stage = configured(`{ hookTimeout: 1, hooks: [{ name: 'slow', hook: ${hook} }] }`);
    await stage.start(`Do it. ${PROMISE}`);
    const ended = await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
    expect(toPerson(ended)).toMatch(/stop hook slow .*no answer within 1 s/);
    expect(lastAccount(stage)).toEqual(['slow timed-out']);
  });

  it('is ended with all that it started', async () => {
    const hook = `async () => (await import('node:child_process')).execSync('sleep 60 & echo $! > left; sleep 61')`;
    const stage = configured(`{ hookTimeout: 4, hooks: [{ name: 'slow', hook: ${hook} }] }`);
    await stage.start(`Do it. ${PROMISE}`);
    await stage.stop(DONE);
    expect(lastAccount(stage)).toEqual(['slow timed-out']);
    expect(await gone(Number(readFileSync(join(stage.project, 'left'), 'utf8')))).toBe(true);
  });

  // The time begins with the program that asks them, and on a busy machine that takes seconds to start.
  it('hooks that together take too long are ended as well', async () => {
    const stage = configured(`{ hookTimeout: 60, hooksTimeout: 8, hooks: [
      ${says('continue')},
      { name: 'two', hook: () => new Promise(() => setInterval(() => {}, 1000)) },
    ] }`);
    await stage.start(`Do it. ${PROMISE}`);
    expect(toPerson(await stage.stop(DONE))).toMatch(/stop hook two gave no answer within 8 s/);
  });

  it('a config that can no longer be loaded escalates', async () => {
    const stage = configured(`{ hooks: ['./hook.mjs'] }`);
    put(stage, 'hook.mjs', `export default ${says('complete')};`);
    trust(stage, 'dacapo.config.mjs', ['hook.mjs']);
    await stage.start(`Do it. ${PROMISE}`);
    put(stage, 'hook.mjs', `export default 7;`);
    trust(stage, 'dacapo.config.mjs', ['hook.mjs']);
    expect(toPerson(await stage.stop(DONE))).toContain('hook.mjs exports no function');
    expect(stage.status()).toBe('escalated');
  });
});

describe('the context of a hook', () => {
  it('tells task, iteration, files, rules, promises and the last message', async () => {
    const stage = repository(
      configured(`{
        checks: { tests: 'true' },
        hooks: [{ name: 'spy', hook: async (context) => {
          (await import('node:fs')).writeFileSync(process.env.SPIED ?? '.git/spied.json', JSON.stringify(context));
          return { action: 'continue', reason: 'seen' };
        } }],
      }`),
    );
    put(stage, 'old.txt', 'dirty before the loop began');
    put(stage, 'feature_list.json', '{"features":[{"id":1,"description":"a","passes":false}]}');
    stage.wait(2 * SECOND);
    const loop = await stage.start(`Do it. ${PROMISE} --features feature_list.json`);
    expect(readdirSync(stage.home.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    stage.wait(SECOND);
    const spied = (): LoopContext => JSON.parse(readFileSync(join(stage.project, '.git/spied.json'), 'utf8'));
    const write = (file: string) => stage.write('work', { file, ago: 0 });
    write('src/new file.ts');
    rmSync(join(stage.project, 'old.txt'));
    stage.wait(SECOND);
    await stage.stop(`One.\n\n<promise>COMPLETE</promise>`);
    expect(spied()).toMatchObject({
      taskId: loop.id,
      iteration: 1,
      executionPhase: null,
      filesModified: ['old.txt', 'src/new file.ts'],
      filesModifiedSoFar: ['old.txt', 'src/new file.ts'],
      validationResults: [
        { ruleName: 'tests', passed: true, message: 'passed' },
        { ruleName: 'features', passed: false },
      ],
      completionPromises: [{ type: 'COMPLETE', detected: true, content: 'COMPLETE' }],
      agentOutput: 'One.\n\n<promise>COMPLETE</promise>',
    });
    // Committed in the second pass, with a file that is new in it.
    stage.wait(2 * SECOND);
    write('src/second.ts');
    stage.wait(SECOND);
    git(stage, 'add', '-A');
    git(stage, 'commit', '-qm', 'work');
    await stage.stop('Two, and `<promise>COMPLETE</promise>` is what I will say.');
    expect(spied()).toMatchObject({
      iteration: 2,
      filesModified: ['src/second.ts'],
      filesModifiedSoFar: ['old.txt', 'src/new file.ts', 'src/second.ts'],
      completionPromises: [],
    });
    stage.wait(2 * SECOND);
    await stage.stop('<promise>BLOCKED: no key</promise>');
    expect(spied()).toMatchObject({
      filesModified: [],
      completionPromises: [{ type: 'BLOCKED', detected: true, content: 'no key' }],
    });
  });

  it('tells that the agent says no gate can show the task done', async () => {
    const stage = configured(`{
      hooks: [{ name: 'tell', hook: ({ unverifiable }) => ({ action: 'escalate', reason: 'why: ' + unverifiable }) }],
    }`);
    await stage.start(`Do it. ${PROMISE}`);
    const answer = await stage.stop('<promise>UNVERIFIABLE: no browser here</promise>');
    expect(toPerson(answer)).toContain('why: no browser here');
  });
});

describe('checkpoints', () => {
  it('are stored, tell the next stop its phase, and stand in the journal', async () => {
    const stage = configured(`{ hooks: [
      { name: 'midpoint', hook: { type: 'checkpoint-at', iteration: 1, phase: 'halfway there' } },
      { name: 'phase', hook: ({ executionPhase }) => ({ action: 'continue', reason: 'phase ' + executionPhase }) },
    ] }`);
    await stage.start(`Do it. ${PROMISE}`);
    expect(toAgent(await stage.stop('One.'))).toContain('phase null');
    const file = join(stage.dir(), 'checkpoints/1-midpoint.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      iteration: 1,
      hook: 'midpoint',
      data: { executionPhase: 'halfway there', executionStep: 1, agentContext: { milestone: 'halfway' } },
    });
    expect(stage.journal()).toContainEqual(
      expect.objectContaining({ type: 'checkpointed', hook: 'midpoint', file: '1-midpoint.json' }),
    );
    expect(toAgent(await stage.stop('Two.'))).toContain('phase halfway there');
  });
});

describe('a loop that is resumed from a checkpoint', () => {
  it('tells the agent phase, step, context and draft, once', async () => {
    const stage = configured(`{ hooks: [${says('continue')}] }`);
    await stage.start(`Do it. ${PROMISE}`);
    await stage.stop('One.');
    const kept = {
      executionPhase: 'testing',
      executionStep: 4,
      agentContext: { file: 'auth.ts' },
      draftContent: '// half',
    };
    const words = sayCheckpoint({ iteration: 1, data: kept });
    const open = stage.store.open(stage.loop().id);
    if (open === null) throw new Error('no loop');
    resumeLoop(
      open,
      { by: 'terminal', session: 's1', process: 100, prompt: null, iterations: null },
      stage.runtime(),
    );
    open.write({ type: 'restored', at: stage.now(), by: 'terminal', file: '1-x.json', words });
    open.close();
    const brief = toAgent(await stage.prompt('go on', { prompt: 'p2' }));
    expect(brief).toContain('resumed from a checkpoint of iteration 1');
    for (const part of ['Phase: testing', 'Step: 4', 'Context: {"file":"auth.ts"}', 'Draft:\n// half'])
      expect(brief).toContain(part);
    expect(freshBrief(stage.loop(), { prompt: 'Do it.', file: null }, 'you')).toContain('Phase: testing');
    const next = toAgent(await stage.stop('Two.', { from: { prompt: 'p2' } }));
    expect(next).toContain('iteration 3');
    expect(next).not.toContain('resumed from a checkpoint');
  });
});

describe('hooks of the user’s own', () => {
  it('are asked without any config, also with --config none, also those of one loop', async () => {
    const stage = new Stage();
    const one = { taskId: stage.project, enabled: true, metadata: { type: 'max-iterations' } };
    const most = { type: 'max-iterations', iterations: 1 };
    stage.store.hooks.write([
      { id: 'mine', ...one, spec: most },
      { id: 'elsewhere', ...one, taskId: '/other', spec: most },
    ]);
    put(stage, 'dacapo.config.mjs', 'export default { checks: { tests: "false" } };');
    const loop = await stage.start(`Do it. ${PROMISE} --config none`);
    stage.store.hooks.write([
      { id: 'mine', ...one, spec: most },
      { id: 'of-loop', ...one, taskId: loop.id, spec: { type: 'max-files', files: 1 } },
    ]);
    await stage.stop('One.');
    expect(lastAccount(stage)).toEqual(['mine abstained', 'of-loop abstained']);
    expect(toPerson(await stage.stop('Two.'))).toContain('stop hook mine says escalate: Too many iterations');
  });

  it('that can’t be read are not passed over', async () => {
    const stage = new Stage();
    mkdirSync(stage.home.dir, { recursive: true });
    writeFileSync(stage.home.hooks, '[{');
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain('is not a list of stop hooks');
  });
});

describe('.claude/hooks/stop.js of the vault format, as its document has it', () => {
  it('runs as a stop hook of a loop', async () => {
    const stage = new Stage();
    put(stage, '.claude/hooks/stop.js', STOP_JS);
    put(stage, 'dacapo.config.json', '{"hooks": [{"stopJs": ".claude/hooks/stop.js"}]}');
    put(
      stage,
      'AI_Employee_Vault/Ralph_State/RALPH_20260119_abc123.json',
      JSON.stringify({
        loop_id: 'RALPH_20260119_abc123',
        prompt: 'Process all invoices...',
        max_iterations: 10,
        completion_promise: 'TASK_COMPLETE',
        current_iteration: 3,
        watch_file: 'Needs_Action/INVOICE_client.md',
        done_folder: 'Done/',
        status: 'running',
      }),
    );
    put(stage, 'Needs_Action/INVOICE_client.md', '# Invoice\n');
    mkdirSync(join(stage.project, 'Done'));
    trust(stage, 'dacapo.config.json', ['.claude/hooks/stop.js']);
    await stage.start('Process all invoices... --completion-promise TASK_COMPLETE --require any');
    const answer = await stage.stop('One invoice is left.');
    expect(toAgent(answer)).toContain('stop hook stop.js says continue: Continuing loop (iteration 4/10)');
    expect(toAgent(answer)).toContain('A stop hook of this loop says:\n\nProcess all invoices...');
    renameSync(
      join(stage.project, 'Needs_Action/INVOICE_client.md'),
      join(stage.project, 'Done/INVOICE_client.md'),
    );
    await stage.stop('Moved.');
    expect(stage.status()).toBe('completed');
    expect(asked(stage).at(-1)?.account).toMatchObject([
      { action: 'complete', reason: 'Task file moved to Done' },
    ]);
  });
});
