/**
 * The state machine that idle-loop documents for its stop hook: every state, every row of its transition
 * table, every safety invariant and every edge case. Where its hook had a known limitation, the fix is what
 * is tested.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { framesOf, hasEnded } from '#law/loop.ts';
import { readStackState, renderStack } from '#evidence/views/stack/format.ts';
import { DONE, HOUR, MINUTE, SECOND, Stage, toAgent, toPerson } from './stage.ts';

const HOOK = resolve(import.meta.dirname, '../../../plugin/dist/hook.cjs');
const ALLOWED = ['silence', 'tell'];

/** The state as idle-loop's own readers see it. */
function stack(stage: Stage): Record<string, unknown> {
  return JSON.parse(renderStack(stage.loop(), ({ prompt }) => `prompts/${prompt}.md`));
}

const LOOP_DONE = 'Done.\n\n<loop-done>COMPLETE</loop-done>';

describe('states', () => {
  it('IDLE: no active loop, and the hook exits with no action', async () => {
    const stage = new Stage();
    expect(await stage.stop('Hello.')).toEqual({ is: 'silence' });
    expect(readStackState('{"schema":1,"event":"STATE","stack":[]}').is).toBe('idle');
  });

  it('ACTIVE: without a signal, the iteration goes up and the exit is blocked', async () => {
    const stage = new Stage();
    await stage.start('Fix. --max-iterations 10');
    expect((await stage.stop('one')).is).toBe('continue');
    expect(stack(stage)).toMatchObject({ event: 'STATE', stack: [{ mode: 'loop', iter: 2, max: 10 }] });
  });

  it.each([
    ['loop', 'loop-done', 'COMPLETE', 'completed'],
    ['loop', 'loop-done', 'MAX_ITERATIONS', 'exhausted'],
    ['loop', 'loop-done', 'STUCK', 'escalated'],
    ['issue', 'loop-done', 'COMPLETE', 'completed'],
    ['issue', 'loop-done', 'MAX_ITERATIONS', 'exhausted'],
    ['issue', 'loop-done', 'STUCK', 'escalated'],
    ['issue', 'issue-complete', 'DONE', 'completed'],
    ['grind', 'grind-done', 'NO_MORE_ISSUES', 'completed'],
    ['grind', 'grind-done', 'MAX_ISSUES', 'exhausted'],
    ['loop', 'issue-complete', 'DONE', 'running'],
    ['loop', 'grind-done', 'NO_MORE_ISSUES', 'running'],
    ['loop', 'grind-done', 'MAX_ISSUES', 'running'],
    ['issue', 'grind-done', 'NO_MORE_ISSUES', 'running'],
    ['grind', 'loop-done', 'COMPLETE', 'running'],
    ['grind', 'loop-done', 'STUCK', 'running'],
    ['grind', 'issue-complete', 'DONE', 'running'],
  ])('in a frame of mode %s, <%s>%s is answered with %s', async (mode, tag, word, status) => {
    const stage = new Stage();
    await stage.start(`Fix. --as ${mode}`);
    await stage.stop(`It is time.\n\n<${tag}>${word}</${tag}>`);
    expect(stage.status()).toBe(status);
  });

  it.each([
    ['COMPLETE', 'loop', 'loop-done'],
    ['DONE', 'issue', 'issue-complete'],
    ['NO_MORE_ISSUES', 'grind', 'grind-done'],
  ])('%s is a claim: it runs the checks, and never overrides a failing one', async (word, mode, tag) => {
    const stage = new Stage();
    await stage.start(`Fix. --as ${mode} --completion-promise X --check "test -f made"`);
    const said = `<${tag}>${word}</${tag}>`;
    expect(toAgent(await stage.stop('nothing said'))).not.toContain('failed with');
    expect(toAgent(await stage.stop(`One.\n${said}`))).toContain('failed with exit code 1');
    stage.write('', { file: 'made' });
    await stage.stop(`Two.\n${said}`);
    expect(stage.status()).toBe('completed');
  });

  it('a frame of mode issue without a promise is claimed by its signal, and the brief says which line', async () => {
    const stage = new Stage();
    const answer = await stage.command('start', 'Fix. --as issue --check true');
    expect(toAgent(answer)).toContain('\n\n<issue-complete>DONE</issue-complete>\n\n');
    expect((await stage.stop('the check would pass')).is).toBe('continue');
    await stage.stop('<issue-complete>DONE</issue-complete>');
    expect(stage.status()).toBe('completed');
  });

  it('COMPLETING: the top frame is popped; the last one posts DONE, an inner one STATE', async () => {
    const stage = new Stage();
    await stage.start('Outer.');
    const at = { from: { prompt: 'p2' } };
    await stage.command('start', 'Inner. --nest', at);
    expect(stack(stage)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }, { iter: 1 }] });
    await stage.stop(LOOP_DONE, at);
    expect(stack(stage)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
    await stage.stop(`Again. ${LOOP_DONE}`, at);
    expect(stack(stage)).toMatchObject({ event: 'DONE', reason: 'COMPLETE', stack: [] });
  });

  it('STUCK: max iterations and staleness post DONE with their reason', async () => {
    const used = new Stage();
    await used.start('Fix. --max-iterations 1');
    await used.stop('one');
    expect(stack(used)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS', stack: [] });
    const stale = new Stage();
    await stale.start('Fix.');
    stale.wait(3 * HOUR);
    await stale.stop('late', { from: { prompt: 'p2' } });
    expect(stack(stale)).toMatchObject({ event: 'DONE', reason: 'STALE' });
  });

  it('the item limit posts MAX_ISSUES', async () => {
    const stage = new Stage();
    stage.write('a\nb\n', { file: 'todo' });
    await stage.start('Fix. --items todo --max-items 1');
    await stage.stop('<issue-complete>DONE</issue-complete>');
    expect(stack(stage)).toMatchObject({ event: 'DONE', reason: 'MAX_ISSUES', stack: [] });
  });

  it('ABORTED: an ABORT event and a corrupt state are cleaned up', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.edit((content) => content.replace(/^iteration: 1$/m, 'iteration: banana'));
    await stage.stop();
    expect(stack(stage)).toMatchObject({ event: 'ABORT', stack: [] });
    expect(readStackState('{"schema":1,"event":"ABORT"}')).toMatchObject({ is: 'aborted' });
    expect(readStackState('{"schema":1,"stack":[{"iter":"x"}]}')).toMatchObject({ is: 'garbage' });
  });
});

describe('transitions', () => {
  it('IDLE → ACTIVE on loop start: stack not empty', async () => {
    const stage = new Stage();
    expect(await stage.stop('idle')).toEqual({ is: 'silence' });
    const loop = await stage.start('Fix.');
    expect(loop.around).toHaveLength(0);
    expect(loop.status).toEqual({ is: 'running' });
    expect((await stage.stop('active')).is).toBe('continue');
  });

  it('ACTIVE → ACTIVE on iteration: no completion signal', async () => {
    const stage = new Stage();
    await stage.start('Fix. --max-iterations 10');
    for (let n = 1; n <= 3; n++) {
      const answer = await stage.stop(`pass ${n}`);
      expect(answer.is).toBe('continue');
      expect(toAgent(answer)).toContain(`iteration ${n + 1} of 10`);
      expect(stage.passes()).toBe(n);
    }
    expect(stage.status()).toBe('running');
  });

  it('ACTIVE → COMPLETING on completion: signal found in the last message', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect((await stage.stop(DONE)).is).toBe('tell');
    expect(stage.loop().last?.verdict).toEqual({ is: 'complete' });
  });

  it('ACTIVE → STUCK on max_iter: iteration >= max', async () => {
    const stage = new Stage();
    await stage.start('Fix. --max-iterations 2');
    expect((await stage.stop('one')).is).toBe('continue');
    const answer = await stage.stop('two');
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/max iterations reached/);
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'iterations' });
  });

  it('ACTIVE → STUCK on staleness: age > 7200s', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('one');
    stage.wait(7_201 * SECOND);
    const answer = await stage.stop('revived by another prompt', { from: { prompt: 'p2' } });
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/stale/);
    expect(stage.loop().status).toEqual({ is: 'stuck', limit: 'staleness' });
  });

  it('ACTIVE → ABORTED on corruption: invalid state', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.edit((content) => content.replace(/^iteration: 1$/m, 'iteration: banana'));
    const answer = await stage.stop();
    expect(answer.is).toBe('tell');
    expect(stage.loop().status).toMatchObject({ is: 'aborted', why: 'view' });
    expect(stage.hasView()).toBe(false);
  });

  it('ACTIVE → ABORTED on an explicit abort event', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.append({ type: 'aborted', at: stage.now(), why: 'journal', detail: 'asked for', evidence: null });
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('aborted');
    expect(stage.hasView()).toBe(false);
  });

  it('COMPLETING → IDLE on pop frame: stack empty after pop', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(stage.store.sessions.find('s1')).toBeNull();
    expect(stage.hasView()).toBe(false);
    expect(await stage.stop('idle again')).toEqual({ is: 'silence' });
  });
});

describe('transitions of frames', () => {
  it('COMPLETING → ACTIVE on pop frame: outer loop continues', async () => {
    const stage = new Stage();
    await stage.start('Outer.');
    const at = { from: { prompt: 'p2' } };
    await stage.command('start', 'Inner. --nest', at);
    // idle-loop lets the outer loop resume on the next invocation; here it goes on in the same stop.
    const answer = await stage.stop(LOOP_DONE, at);
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('Outer.');
    expect([framesOf(stage.loop()).length, stage.loop().frame.passes]).toEqual([1, 0]);
    expect(stage.status()).toBe('running');
  });
});

describe('safety invariants', () => {
  it('invariant 1: never continue if state is stale (> 2 hours)', async () => {
    const lives: ((stage: Stage) => Promise<void> | void)[] = [
      () => undefined,
      (stage) => void stage.dead.add(100),
      async (stage) => void (await stage.sessionEnd('other')),
    ];
    for (const life of lives) {
      const stage = new Stage();
      await stage.start('Fix.');
      await stage.stop('one');
      await life(stage);
      stage.wait(2 * HOUR + MINUTE);
      await stage.sessionStart('resume', { process: 200 });
      for (const process of [100, 200]) {
        const answer = await stage.stop('hello', { from: { process, prompt: 'p2' } });
        expect(ALLOWED).toContain(answer.is);
      }
    }
  });

  it('invariant 2: never continue with corrupted iteration counts', async () => {
    const spoils: ((stage: Stage) => void)[] = [
      (stage) => stage.edit((content) => content.replace(/^iteration: 1$/m, 'iteration: NaN')),
      (stage) => stage.edit((content) => content.replace(/^iteration: 1$/m, 'iteration: "1; rm -rf /"')),
      (stage) => stage.edit((content) => content.replace(/^max_iterations: 50$/m, 'max_iterations: 1e9')),
      (stage) => stage.scribble('\n{"type":"stop","at":"2026-01-05T10:00:00.000Z","n":"NaN"}\n'),
      (stage) => stage.scribble('\n{"type":"verdict","at":"2026-01-05T10:00:00.000Z","n":1.5}\n'),
    ];
    for (const spoil of spoils) {
      const stage = new Stage();
      await stage.start('Fix.');
      spoil(stage);
      expect((await stage.stop()).is).toBe('tell');
      expect(stage.status()).toBe('aborted');
    }
  });

  it('invariant 3: block only when actively iterating; everything else fails open', async () => {
    const states: [string, (stage: Stage) => Promise<unknown> | void][] = [
      ['completed', (stage) => stage.stop(DONE)],
      ['cancelled', (stage) => stage.command('cancel', '', { from: { prompt: 'p2' } })],
      ['paused', (stage) => stage.prompt('mine', { prompt: 'p2' })],
      ['interrupted', (stage) => stage.sessionEnd('other')],
      ['escalated', (stage) => stage.stop('<promise>BLOCKED</promise>')],
    ];
    for (const [status, bring] of states) {
      const stage = new Stage();
      await stage.start('Fix.');
      await bring(stage);
      expect(stage.status()).toBe(status);
      for (const prompt of ['p1', 'p2', null])
        expect(ALLOWED).toContain((await stage.stop('again', { from: { prompt } })).is);
    }
  });

  it('invariant 4: completion signals must appear on their own line', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect((await stage.stop('Saying <promise>COMPLETE</promise> here means nothing.')).is).toBe('continue');
    expect((await stage.stop('Done.\n<promise>COMPLETE</promise>\nThank you.')).is).toBe('tell');
  });

  it('invariant 4 for its own signals, and the near miss is answered', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answer = await stage.stop('Saying <loop-done>COMPLETE</loop-done> here means nothing.');
    expect(toAgent(answer)).toContain(
      'has <loop-done>COMPLETE</loop-done> with other text or markup around it',
    );
    expect((await stage.stop('Done.\n<loop-done>COMPLETE</loop-done>\nThank you.')).is).toBe('tell');
  });

  it('a claim together with STUCK contradicts itself: the agent is asked', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answer = await stage.stop('<loop-done>COMPLETE</loop-done>\n\n<loop-done>STUCK</loop-done>');
    expect(toAgent(answer)).toMatch(/contradict each other/);
    expect(stage.status()).toBe('running');
  });
});

describe('edge cases', () => {
  it("code block false positive, in the document's own words", async () => {
    const stage = new Stage();
    await stage.start('Explain it.');
    const answer = await stage.stop("Here's how to signal completion:\n`<loop-done>COMPLETE</loop-done>`");
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('<loop-done>COMPLETE</loop-done> inside code, where it does not count');
    expect((await stage.stop('```\n<loop-done>STUCK</loop-done>\n```')).is).toBe('continue');
    expect(stage.passes()).toBe(2);
  });

  it('code block false positive: a signal that is shown in code does not count', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    for (const shown of [
      "Here's how to signal completion:\n`<promise>COMPLETE</promise>`",
      'Like this:\n\n```\n<promise>COMPLETE</promise>\n```',
      'Like this:\n\n    <promise>COMPLETE</promise>\n',
      '~~~md\n<promise>COMPLETE</promise>\n~~~',
    ])
      expect((await stage.stop(shown)).is).toBe('continue');
    expect(stage.passes()).toBe(4);
  });

  it('concurrent session races: no iteration is lost, and sessions do not share state', async () => {
    const stage = new Stage();
    const other = { session: 's2', process: 200, prompt: 'q1' };
    const mine = await stage.start('Mine.');
    const theirs = await stage.start('Theirs.', other);
    await Promise.all(
      Array.from({ length: 10 }, (_, k) => [
        stage.stop(`mine ${k}`, { from: { prompt: `p${k}` } }),
        stage.stop(`theirs ${k}`, { from: { ...other, prompt: `q${k}` } }),
      ]).flat(),
    );
    expect([stage.passes(mine.id), stage.passes(theirs.id)]).toEqual([10, 10]);
  });

  it('long transcripts (tail -20 limit): the signal is found however long the message', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const long = 'A line of output.\n'.repeat(20_000);
    expect((await stage.stop(`${long}\n<promise>COMPLETE</promise>\n${'\n'.repeat(100)}`)).is).toBe('tell');
    expect(stage.status()).toBe('completed');
  });

  it('malformed JSON in state: fail open, and keep what was found', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.scribble('\n{ this is not JSON }\n');
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('aborted');
    const kept = readFileSync(join(stage.dir(), 'evidence', 'broken-journal.jsonl'), 'utf8');
    expect(kept).toContain('{ this is not JSON }');
  });

  it('malformed JSON in a cache or an entry: rebuilt from the journal', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    writeFileSync(join(stage.dir(), 'state.json'), '{ half');
    expect((await stage.stop('one')).is).toBe('continue');
    writeFileSync(join(stage.home.sessions, 's1'), '{ half');
    const answer = await stage.stop('two');
    expect(answer.is).toBe('continue');
    expect(readFileSync(join(stage.home.sessions, 's1'), 'utf8')).toContain(stage.loop().id);
    expect(stage.passes()).toBe(2);
  });

  it('stale state after crash: STUCK on the next invocation, not resumed', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('one');
    stage.dead.add(100);
    stage.wait(5 * HOUR);
    const answer = await stage.stop('hello', { from: { process: 200, prompt: 'p9' } });
    expect(answer.is).toBe('tell');
    expect(stage.status()).toBe('stuck');
    expect(hasEnded(stage.loop())).toBe(true);
    expect(await stage.stop('and again', { from: { process: 200, prompt: 'p9' } })).toEqual({
      is: 'silence',
    });
  });
});

describe('notes for a new implementation', () => {
  it('note 2: instants with Z and with an offset are understood', async () => {
    const stage = new Stage();
    await stage.start('Fix. --timeout 1h');
    const at = new Date(Date.parse(stage.now()) + 2 * HOUR).toISOString().replace('Z', '+00:00');
    stage.append({ type: 'compacted', at });
    stage.wait(3 * HOUR + 30 * MINUTE);
    // The last sign of life is an hour and a half old: not stale, but out of time.
    expect((await stage.stop('x', { from: { prompt: 'p2' } })).is).toBe('tell');
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'time' });
  });

  it.each(['IDLE_LOOP_DISABLE', 'DACAPO_DISABLE'])(
    'note 6: %s=1 exits 0 before any processing',
    (variable) => {
      const stage = new Stage();
      const home = join(stage.project, 'home');
      const { status, stdout } = spawnSync(process.execPath, [HOOK], {
        input: 'this is not even JSON',
        env: { ...process.env, DACAPO_HOME: home, [variable]: '1' },
        encoding: 'utf8',
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
      expect(existsSync(home)).toBe(false);
    },
  );
});
