import { describe, expect, it } from 'vitest';
import { readPromptText } from '#store/prompts.ts';
import { DONE, Stage, toAgent, toPerson } from './stage.ts';

describe('/ralph', () => {
  it('makes a loop, binds it to the session and its process, and briefs the agent', async () => {
    const stage = new Stage();
    const answer = await stage.command('start', 'Fix the bug. --max-iterations 9 --name login');
    expect(answer.is).toBe('brief');
    expect(toAgent(answer)).toMatch(/^Da Capo runs this session in a loop/);
    expect(toAgent(answer)).toContain('Fix the bug.');
    expect(toPerson(answer)).toMatch(/at most 9 iterations/);
    const loop = stage.loop();
    expect(loop).toMatchObject({
      name: 'login',
      session: { owner: { session: 's1', process: 100 }, chain: 'p1' },
      status: { is: 'running' },
    });
    expect(loop.id).toMatch(/^RALPH_\d{8}_[0-9a-z]{6}$/);
    expect(stage.view()).toMatch(/^session_id: "s1"$/m);
  });

  it('keeps ordinary text to the letter', async () => {
    const prompt = `Don't "break" (this): $HOME \`ls\` *.ts; rm -rf / && echo 'x' | cat\nsecond line\n\n---\niteration: 3 😀`;
    const stage = new Stage();
    const { id } = await stage.start(prompt);
    expect(readPromptText(stage.blobs(id), stage.loop().frame.prompt)).toBe(prompt);
    expect(stage.view().endsWith(prompt)).toBe(true);
  });

  it('delivered twice, acts once', async () => {
    const stage = new Stage();
    expect((await stage.command('start', 'Fix.')).is).toBe('brief');
    expect(await stage.command('start', 'Fix.')).toEqual({ is: 'silence' });
    expect(stage.loops()).toHaveLength(1);
    const both = new Stage();
    const answers = await Promise.all([both.command('start', 'Fix.'), both.command('start', 'Fix.')]);
    expect(answers.map(({ is }) => is).sort()).toEqual(['brief', 'silence']);
    expect(both.loops()).toHaveLength(1);
  });

  it('is refused while the session has a loop, with the way out', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    const answer = await stage.command('start', 'Another.', { from: { prompt: 'p2' } });
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toContain(id);
    expect(toPerson(answer)).toMatch(/\/resume-ralph.*\/cancel-ralph/);
    expect(stage.loops()).toHaveLength(1);
  });

  it('a new one may begin when the old one has ended', async () => {
    const stage = new Stage();
    await stage.start('First.');
    await stage.stop(DONE);
    const second = await stage.start('Second.', { prompt: 'p2' });
    expect(stage.loops()).toHaveLength(2);
    expect((await stage.stop('x', { from: { prompt: 'p2' } })).is).toBe('continue');
    expect(stage.passes(second.id)).toBe(1);
  });

  it.each([
    ['', /no prompt/i],
    ['Fix. --max-iterations 0', /whole number above zero/],
    ['Fix. --max-iteration 5', /--max-iterations/],
    ['Fix. --completion-promise', /value/i],
  ])('%j is refused, with what to do', async (args, why) => {
    const stage = new Stage();
    const answer = await stage.command('start', args);
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(why);
    expect(stage.loops()).toEqual([]);
  });

  it('says that the host has a cap, unless it is lifted', async () => {
    const say = async (liftCap: (() => boolean) | null, cap: number | null) =>
      toPerson(await new Stage().command('start', 'Fix.', { cap, liftCap }));
    expect(await say(null, 8)).toMatch(/after 8 stops in a row/);
    expect(await say(null, null)).not.toMatch(/stops in a row/);
    expect(await say(() => true, 8)).not.toMatch(/stops in a row/);
    expect(await say(() => false, 8)).toMatch(/after 8 stops in a row/);
  });

  it('--mode fresh makes the loop, owns nothing, shows the one command that runs it, and acts once', async () => {
    const stage = new Stage();
    const answer = await stage.command('start', 'Fix. --mode fresh');
    await stage.command('start', 'Fix. --mode fresh');
    expect(answer.is).toBe('close');
    const loop = stage.loop();
    expect(toPerson(answer)).toContain(loop.id);
    expect(toPerson(answer)).toMatch(/dacapo run/);
    expect(loop).toMatchObject({ driver: 'fresh', session: { owner: null }, status: { is: 'pending' } });
    expect(await stage.stop()).toEqual({ is: 'silence' });
  });
});

describe('/cancel-ralph', () => {
  it('ends the loop, takes the view away, and nothing re-arms it', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('one');
    await stage.stop('two');
    const answer = await stage.command('cancel', '', { from: { prompt: 'p2' } });
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(/cancelled after 2 iterations/);
    expect(stage.hasView()).toBe(false);
    expect(await stage.stop('three')).toEqual({ is: 'silence' });
    expect(await stage.notice({ prompt: 'p3' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('cancelled');
  });

  it('delivered twice, speaks once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect((await stage.command('cancel', '', { from: { prompt: 'p2' } })).is).toBe('close');
    expect(await stage.command('cancel', '', { from: { prompt: 'p2' } })).toEqual({ is: 'silence' });
  });

  it('without a loop says so', async () => {
    const stage = new Stage();
    const answer = await stage.command('cancel');
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toContain('No active Ralph loop');
  });

  it("names another session's loop of the project, and leaves it alone", async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    const answer = await stage.command('cancel', '', { from: { session: 's2', process: 200, prompt: 'q1' } });
    expect(toPerson(answer)).toMatch(new RegExp(`No active Ralph loop[^]*/cancel-ralph ${id}`));
    expect(stage.status()).toBe('running');
  });

  it("with an id or a name cancels that loop, in whatever session it is, and that session's stop says so", async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix. --name parser');
    const other = { session: 's2', process: 200, prompt: 'q1' };
    const unknown = await stage.command('cancel', 'RALPH_nothing', { from: other });
    expect(toPerson(unknown)).toMatch(/There is no loop "RALPH_nothing"/);
    expect(stage.status()).toBe('running');
    expect(toPerson(await stage.command('cancel', ' parser ', { from: other }))).toMatch(
      new RegExp(`"parser" \\(${id}\\) cancelled after 0 iterations`),
    );
    expect(await stage.command('cancel', 'parser', { from: other })).toEqual({ is: 'silence' });
    expect(toPerson(await stage.stop())).toMatch(/cancelled after 0 iterations/);
  });

  it('with the id of its own loop does the same as without', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    const from = { prompt: 'p2' };
    expect(toPerson(await stage.command('cancel', id, { from }))).toMatch(/cancelled after 0 iterations/);
    expect(await stage.command('cancel', id, { from })).toEqual({ is: 'silence' });
    expect(await stage.stop()).toEqual({ is: 'silence' });
  });

  it('of a loop that a terminal has cancelled tells that', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.append({ type: 'cancelled', at: stage.now(), by: 'terminal', prompt: null });
    expect(toPerson(await stage.command('cancel', '', { from: { prompt: 'p2' } }))).toMatch(
      /from a terminal/,
    );
  });

  it('works on a paused loop, and on one whose record is broken', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.prompt('wait', { prompt: 'p2' });
    stage.scribble('\nbroken\n');
    await stage.command('cancel', '', { from: { prompt: 'p3' } });
    expect(stage.status()).toBe('cancelled');
  });
});

describe('/ralph-status', () => {
  it('tells where the loop stands, gate by gate, without a model', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('I think <promise>COMPLETE</promise> is near.');
    await stage.prompt('hold on', { prompt: 'p2' });
    const answer = await stage.command('status', '', { from: { prompt: 'p3' } });
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(/paused after 1 iteration/);
    expect(toPerson(answer)).toMatch(/promise COMPLETE: does not hold yet/);
  });

  it('after Esc changes nothing, and says that nothing runs', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('one');
    const before = stage.journal().length;
    const answer = await stage.command('status', '', { from: { prompt: 'p2' } });
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(/stands still: iteration 2 of 50 was interrupted\./);
    expect(stage.journal()).toHaveLength(before);
    await stage.prompt('A question.', { prompt: 'p3' });
    expect(stage.status()).toBe('paused');
  });

  it('asked from the queue, the loop continues after it', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('So far.', {
      look: () => ({ queue: { offset: 1, waiting: 1 }, taken: false, toolUsed: false }),
    });
    const answer = await stage.command('status', '', { from: { prompt: 'p2' } });
    expect(answer.is).toBe('brief');
    expect(await stage.command('status', '', { from: { prompt: 'p2' } })).toEqual({ is: 'silence' });
    expect((await stage.stop('More.', { from: { prompt: 'p2' } })).is).toBe('continue');
  });

  it('without a loop says so', async () => {
    expect(toPerson(await new Stage().command('status'))).toContain('No active Ralph loop');
  });

  it('of a loop that ended unseen tells how, once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.append({ type: 'cancelled', at: stage.now(), by: 'terminal', prompt: null });
    expect(toPerson(await stage.command('status', '', { from: { prompt: 'p2' } }))).toMatch(
      /cancelled after 0 iterations/,
    );
    expect(await stage.stop('x', { from: { prompt: 'p2' } })).toEqual({ is: 'silence' });
  });
});

describe('/resume-ralph', () => {
  it('carries a paused loop on, with the brief again', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    await stage.stop('one');
    await stage.prompt('wait', { prompt: 'p2' });
    const answer = await stage.command('resume', '', { from: { prompt: 'p3' } });
    expect(answer.is).toBe('brief');
    expect(toAgent(answer)).toMatch(/iteration 2 of 50[^]*Fix the bug\./);
    expect(stage.status()).toBe('running');
    expect((await stage.stop('two', { from: { prompt: 'p3' } })).is).toBe('continue');
    expect(stage.passes()).toBe(2);
  });

  it('delivered twice, acts once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.prompt('wait', { prompt: 'p2' });
    await stage.command('resume', '', { from: { prompt: 'p3' } });
    expect(await stage.command('resume', '', { from: { prompt: 'p3' } })).toEqual({ is: 'silence' });
    expect(stage.journal().filter(({ type }) => type === 'resumed')).toHaveLength(1);
  });

  it('of an ended loop points to the terminal', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    stage.append({ type: 'cancelled', at: stage.now(), by: 'terminal', prompt: null });
    const answer = await stage.command('resume', '', { from: { prompt: 'p2' } });
    expect(toPerson(answer)).toContain(`dacapo resume ${id}`);
    expect(stage.status()).toBe('cancelled');
  });

  it('takes up again what needs its person, as the person is there', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix. --max-iterations 3');
    expect(toPerson(await stage.stop('<promise>BLOCKED: no key</promise>'))).toMatch(
      /needs you: .*no key\..*Fix that, then \S+resume-ralph continues it\.$/,
    );
    expect(toPerson(await stage.command('status', '', { from: { prompt: 'p2' } }))).toMatch(
      new RegExp(`No active Ralph loop[^]*Its last one, ${id}, stopped after 1 iteration and needs you`),
    );
    const answer = await stage.command('resume', '', { from: { prompt: 'p3' } });
    expect(toPerson(answer)).toContain('continues: iteration 2 of 3.');
    expect(toAgent(answer)).toContain('Fix.');
    expect(stage.status()).toBe('running');
  });

  it('of a loop that a limit has ended tells what gives it more', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix. --max-iterations 1');
    await stage.stop('Not yet.');
    const answer = toPerson(await stage.command('resume', '', { from: { prompt: 'p2' } }));
    expect(answer).toContain(`\`dacapo resume ${id} --max-iterations 6\` gives it more.`);
    expect(stage.status()).toBe('exhausted');
  });

  it('without a loop says so', async () => {
    expect(toPerson(await new Stage().command('resume'))).toContain('No active Ralph loop');
  });
});
