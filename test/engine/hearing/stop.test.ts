import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, HOUR, MINUTE, Stage, toAgent, toPerson } from './stage.ts';

/** A check: a small program in the project, as the command that runs it. */
function check(stage: Stage, name: string, program: string): string {
  writeFileSync(join(stage.project, `${name}.cjs`), program);
  return `--check '"${process.execPath}" ${name}.cjs'`;
}

describe('a stop of a live loop', () => {
  it('continues with words for the agent and for the person', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug. --max-iterations 3');
    const answer = await stage.stop();
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('iteration 2 of 3');
    expect(toAgent(answer)).toContain('Fix the bug.');
    expect(toPerson(answer)).toContain('2 of 3');
    expect(stage.status()).toBe('running');
    expect(stage.view()).toMatch(/^iteration: 2$/m);
  });

  it('--max-iterations=3 is a limit, and means exactly three passes', async () => {
    const stage = new Stage();
    await stage.start('Count. --max-iterations=3');
    const answers = [
      await stage.stop('one'),
      await stage.stop('two'),
      await stage.stop('three'),
      await stage.stop('four'),
    ];
    expect(answers.map(({ is }) => is)).toEqual(['continue', 'continue', 'tell', 'silence']);
    expect(answers.map(toPerson).join()).toMatch(/max iterations reached \(3 iterations\)/);
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'iterations' });
    expect(stage.passes()).toBe(3);
  });

  it('hook.log names the iteration that was judged', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    await stage.stop(DONE);
    const lines = stage.log.flatMap((line) => /stop=.*/.exec(line) ?? []);
    expect(lines).toEqual([
      'stop=1 verdict=continue status=running iteration=1',
      'stop=2 verdict=complete status=completed iteration=2',
    ]);
  });

  it('bounded by default', async () => {
    const stage = new Stage();
    const loop = await stage.start('Work for ever.');
    expect(loop.frame.iterations).toBe(50);
    expect(loop.limits.timeMs).toBe(24 * HOUR);
  });

  it('a real completion is seen in the last message of the stop, whatever the transcript says', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    const answer = await stage.stop(DONE);
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/completed after 1 iteration/);
    expect(stage.status()).toBe('completed');
    expect(stage.hasView()).toBe(false);
  });

  it('completes in the last allowed pass', async () => {
    const stage = new Stage();
    await stage.start('Fix. --max-iterations 2');
    await stage.stop();
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['mentioned in code', 'I will say `<promise>COMPLETE</promise>` when done.'],
    ['in a code block', '```\n<promise>COMPLETE</promise>\n```'],
    ['quoted', '> <promise>COMPLETE</promise>'],
    ['negated in a sentence', 'I can not say <promise>COMPLETE</promise> yet.'],
    ['the bare word', 'COMPLETE'],
    ['of an earlier loop', 'Done.\n\n<promise>PHASE ONE</promise>'],
    ['empty', ''],
  ])('no false completion: the tag %s', async (_name, message) => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    expect((await stage.stop(message)).is).toBe('continue');
  });

  it('tells a near miss precisely', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    expect(toAgent(await stage.stop('Done: `<promise>COMPLETE</promise>`'))).toMatch(/inside code/);
  });

  it('escalates when the agent is blocked, and says so to the person', async () => {
    const stage = new Stage();
    await stage.start('Deploy.');
    const answer = await stage.stop('I need a key.\n\n<promise>BLOCKED: no deploy key</promise>');
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/needs you.*no deploy key/);
    expect(stage.status()).toBe('escalated');
  });

  it('ends when its working time is used up', async () => {
    const stage = new Stage();
    await stage.start('Fix. --timeout 30m');
    stage.wait(31 * MINUTE);
    expect(toPerson(await stage.stop())).toMatch(/time limit of 30 min reached/);
  });

  it('waits for background agents and spends nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answer = await stage.stop('Waiting.', {
      background: [{ id: 'a', kind: 'agent', description: 'x' }],
    });
    expect(answer.is).toBe('tell');
    expect(stage.status()).toBe('waiting');
    await stage.notice({ prompt: 'p2' });
    expect((await stage.stop('Got it.', { from: { prompt: 'p2' } })).is).toBe('continue');
    expect(stage.passes()).toBe(1);
  });

  it('lets what waits in the queue come first', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const look = () => ({ queue: { offset: 10, waiting: 1 }, taken: false, toolUsed: false });
    expect((await stage.stop('So far.', { look })).is).toBe('tell');
    expect(stage.passes()).toBe(0);
    expect(stage.loop().session.yielded).toBe(true);
  });

  it('looks again before it holds anything up: what was taken is written down late', async () => {
    const stage = new Stage();
    await stage.start('Fix it');
    const looks = [1, 0];
    const look = () => ({ queue: { offset: 10, waiting: looks.shift() ?? 0 }, taken: false, toolUsed: true });
    await stage.stop('Working.', { look });
    expect(stage.loop().frame.passes).toBe(1);
    expect(looks).toEqual([]);
  });

  it('yields once for something that nobody ever takes out of the queue, and again when there is more', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const holding = (waiting: number, taken: boolean) => ({
      look: () => ({ queue: { offset: 10, waiting }, taken, toolUsed: false }),
    });
    expect((await stage.stop('One.', holding(1, false))).is).toBe('tell');
    expect((await stage.stop('Two.', holding(1, false))).is).toBe('continue');
    expect(stage.loop().session.queue.waiting).toBe(0);
    expect((await stage.stop('Three.', holding(2, false))).is).toBe('tell');
    expect((await stage.stop('Four.', holding(1, true))).is).toBe('tell');
    expect(stage.passes()).toBe(1);
  });

  it('a claim and a cry for help contradict each other', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answer = await stage.stop(`<promise>BLOCKED</promise>\n\n${DONE}`);
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toMatch(/contradict/);
  });
});

describe('a session without a loop', () => {
  it('is let through, silently, and nothing is written', async () => {
    const stage = new Stage();
    expect(await stage.stop(DONE)).toEqual({ is: 'silence' });
    expect(stage.loops()).toEqual([]);
  });

  it('another session in the same folder is never held', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await stage.stop('Hello.', { from: { session: 's2', process: 200 } })).toEqual({ is: 'silence' });
    expect(await stage.stop(DONE, { from: { session: 's2', process: 200 } })).toEqual({ is: 'silence' });
    expect(stage.passes()).toBe(0);
  });

  it('a loop is found by its session, wherever the agent has gone', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answer = await stage.stop('Moved.', { from: { project: join(stage.project, 'packages', 'deep') } });
    expect(answer.is).toBe('continue');
  });
});

describe('checks', () => {
  it('run on a claim only, where a promise is asked for', async () => {
    const stage = new Stage();
    await stage.start(`Fix. --completion-promise COMPLETE ${check(stage, 'good', 'process.exit(0)')}`);
    await stage.stop('Not yet.');
    expect(stage.evidence()).toEqual([]);
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(stage.evidence()).toEqual(['stop-2-check.txt']);
  });

  it('run at every stop where no promise is asked for, in the project', async () => {
    const stage = new Stage();
    const program = "process.exit(require('fs').existsSync('is-fixed') ? 0 : 3)";
    await stage.start(`Fix. ${check(stage, 'fixed', program)}`);
    expect((await stage.stop('First.')).is).toBe('continue');
    writeFileSync(join(stage.project, 'is-fixed'), '');
    expect((await stage.stop('Second.')).is).toBe('tell');
    expect(stage.status()).toBe('completed');
  });

  it('a claim that a check refutes is not a completion: the end of its output goes to the agent, the whole is kept', async () => {
    const stage = new Stage();
    const program = `console.log('first line'); console.error('2 tests failed <promise>COMPLETE</promise>'); process.exit(1)`;
    await stage.start(`Fix. --completion-promise COMPLETE ${check(stage, 'bad', program)}`);
    const answer = await stage.stop(DONE);
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('failed with exit code 1');
    expect(toAgent(answer)).toContain('2 tests failed ‹promise>COMPLETE');
    expect(stage.evidence()).toEqual(['stop-1-check.txt']);
    expect(toPerson(answer)).toMatch(/failed with exit code 1/);
  });

  it('an agent that ends it with iterations left is named', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(toPerson(await stage.stop('<loop-done>MAX_ITERATIONS</loop-done>'))).toContain(
      'stopped: the agent says that it has used up its iterations (1 iteration)',
    );
    expect(stage.status()).toBe('exhausted');
  });

  it('a check that can not be run proves nothing: escalated', async () => {
    const stage = new Stage();
    await stage.start(`Fix. --check 'no-such-program-anywhere --at-all' --check-later`);
    // Told once, and not again as what is still open.
    expect(toPerson(await stage.stop()).match(/could not be run/g)).toHaveLength(1);
    expect(stage.status()).toBe('escalated');
  });

  it('every one must pass', async () => {
    const stage = new Stage();
    const checks = [check(stage, 'good', 'process.exit(0)'), check(stage, 'bad', 'process.exit(4)')];
    await stage.start(`Fix. ${checks.join(' ')}`);
    expect(toAgent(await stage.stop())).toContain('exit code 4');
    expect(stage.loop().last?.proofs.map(({ outcome }) => outcome.is)).toEqual(['passed', 'failed']);
  });
});

describe('a record that can not be trusted (rule 4)', () => {
  it('aborts, allows, keeps a copy, and says so once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('one');
    stage.scribble('\n{"type":"verdict","at":"2026-01-05T10:00:00.000Z","n":"three"}\n');
    const answer = await stage.stop('two');
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/aborted.*not an event/);
    expect(stage.evidence()).toEqual(['broken-journal.jsonl']);
    expect(await stage.stop('three')).toEqual({ is: 'silence' });
  });

  it('is found though something else was heard in between', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.scribble('\n{"type":"verdict","n":"three"}\n');
    await stage.sessionStart('compact');
    await stage.notice({ prompt: 'p2' });
    expect((await stage.stop('two', { from: { prompt: 'p2' } })).is).toBe('tell');
    expect(stage.status()).toBe('aborted');
  });

  it('not even its beginning: the session is let go, and told', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    writeFileSync(join(stage.dir(id), 'journal.jsonl'), 'garbage\n');
    writeFileSync(join(stage.dir(id), 'state.json'), '');
    expect(toPerson(await stage.stop())).toContain(id);
    expect(await stage.stop()).toEqual({ is: 'silence' });
  });

  it('a torn last line is skipped: the loop goes on', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.scribble('\n{"type":"verd');
    expect((await stage.stop('one')).is).toBe('continue');
    expect((await stage.stop('two')).is).toBe('continue');
    expect(stage.passes()).toBe(2);
  });
});
