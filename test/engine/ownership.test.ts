import { describe, expect, it } from 'vitest';
import { DONE, HOUR, MINUTE, Stage, toAgent, toPerson } from './hearing/stage.ts';

describe('who is not the owner', () => {
  it('another session is let through in silence', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    for (const from of [{ session: 's2', process: 200 }, { session: 's2' }, { session: 's2', process: null }])
      expect(await stage.stop(DONE, { from })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('running');
  });

  it('a fork has an id of its own, and owns nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const fork = { session: 'fork-of-s1', process: 300, prompt: 'f1' };
    expect(await stage.prompt('hello', fork)).toEqual({ is: 'silence' });
    expect(await stage.stop('hello', { from: fork })).toEqual({ is: 'silence' });
    expect(stage.loop().session.owner?.session).toBe('s1');
  });

  it('a second process with the same id is let through, and told; its end does not touch the loop', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const second = { process: 200, prompt: 'q1' };
    expect(await stage.prompt('hello', second)).toEqual({ is: 'silence' });
    const answer = await stage.stop('Hi.', { from: second });
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/held by process 100/);
    await stage.sessionEnd('other', second);
    expect(stage.status()).toBe('running');
    expect(stage.passes()).toBe(0);
  });

  it('a second process takes over when the owner is dead', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.dead.add(100);
    stage.wait(5 * MINUTE);
    expect((await stage.stop('Hi.', { from: { process: 200 } })).is).toBe('continue');
    expect(stage.loop().session.owner).toEqual({
      session: 's1',
      process: 200,
      machine: stage.store.machine(),
    });
  });

  it('but not more than the TTL later: that is a stale loop', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.dead.add(100);
    stage.wait(3 * HOUR);
    expect(await stage.sessionStart('resume', { process: 200 })).toEqual({ is: 'silence' });
    await stage.prompt('hello again', { process: 200, prompt: 'q1' });
    const answer = await stage.stop('Hello.', { from: { process: 200, prompt: 'q1' } });
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/stale/);
    expect(stage.status()).toBe('stuck');
  });

  it('an entry that points to a loop of someone else binds nothing', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    const other = { session: 's2', process: 200, prompt: 'q1' };
    stage.store.sessions.keep('s2', { loop: id, process: 200, project: stage.project });
    expect(await stage.stop('x', { from: other })).toEqual({ is: 'silence' });
    expect(toPerson(await stage.command('cancel', '', { from: other }))).toContain('No active Ralph loop');
    expect(stage.status()).toBe('running');
    const second = await stage.start('Mine.', other);
    expect(second.session.owner?.session).toBe('s2');
  });
});

describe('/clear', () => {
  it('moves the loop along with the process, paused, and says so', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    await stage.sessionEnd('clear');
    const answer = await stage.sessionStart('clear', { session: 's2' });
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/cleared.*\/resume-ralph/);
    expect(stage.loop()).toMatchObject({
      status: { is: 'paused', why: 'clear' },
      session: { owner: { session: 's2', process: 100 } },
    });
    expect(await stage.stop('x', { from: { session: 's2', prompt: 'p2' } })).toEqual({ is: 'silence' });
    await stage.command('resume', '', { from: { session: 's2', prompt: 'p3' } });
    expect((await stage.stop('y', { from: { session: 's2', prompt: 'p3' } })).is).toBe('continue');
    expect(stage.passes()).toBe(2);
  });

  it('moves nothing of another process, another project, or a process that is gone', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await stage.sessionStart('clear', { session: 's2', process: 200 })).toEqual({ is: 'silence' });
    expect(await stage.sessionStart('clear', { session: 's2', process: null })).toEqual({ is: 'silence' });
    expect(await stage.sessionStart('clear', { session: 's2', project: '/elsewhere' })).toEqual({
      is: 'silence',
    });
    await stage.sessionEnd('other');
    // A week later another process has got the number 100.
    expect(await stage.sessionStart('clear', { session: 's2' })).toEqual({ is: 'silence' });
    expect(stage.loop().session.owner?.session).toBe('s1');
  });
});

describe('the end of the session', () => {
  it('interrupts the loop: nothing stale revives', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.sessionEnd('prompt_input_exit');
    expect(stage.loop().status).toMatchObject({ is: 'interrupted', why: 'session-end' });
    expect(stage.view()).toContain('status: interrupted');
    stage.dead.add(100);
    expect(await stage.stop('x', { from: { process: 200, prompt: 'q1' } })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('interrupted');
  });

  it('leaves a paused loop paused', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.prompt('wait', { prompt: 'p2' });
    await stage.sessionEnd('other');
    expect(stage.status()).toBe('paused');
  });
});

describe('a resume of the same session', () => {
  it('tells how the loop stands and waits for the word of the person, as after Esc', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    await stage.stop();
    await stage.sessionEnd('other');
    stage.wait(HOUR);
    const told = await stage.sessionStart('resume', { process: 200 });
    expect(told.is).toBe('tell');
    expect(toPerson(told)).toMatch(
      /is interrupted after 1 iteration: the session ended\. \/resume-ralph continues it/,
    );
    expect(await stage.sessionStart('resume', { process: 200 })).toEqual({ is: 'silence' });
    const answer = await stage.command('resume', '', { from: { process: 200, prompt: 'q1' } });
    expect(toAgent(answer)).toMatch(/iteration 2 of 50[^]*Fix the bug\./);
    expect((await stage.stop('x', { from: { process: 200, prompt: 'q1' } })).is).toBe('continue');
  });

  it.each([1, 3])('%i h later, a prompt of their own pauses it, told once', async (hours) => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.sessionEnd('other');
    stage.wait(hours * HOUR);
    expect((await stage.sessionStart('resume', { process: 200 })).is).toBe('tell');
    const said = await stage.prompt('hello', { process: 200, prompt: 'q1' });
    expect(said.is).toBe('tell');
    expect(toPerson(said)).toMatch(
      /paused after 0 iterations: you typed a prompt of your own.*\/resume-ralph/,
    );
    expect(stage.status()).toBe('paused');
    expect(await stage.prompt('again', { process: 200, prompt: 'q2' })).toEqual({ is: 'silence' });
    expect(await stage.stop('x', { from: { process: 200, prompt: 'q2' } })).toEqual({ is: 'silence' });
  });

  it('after `dacapo resume` the word was given: the next prompt continues it, and the person is told before', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    await stage.stop();
    await stage.sessionEnd('other');
    const resumed = { by: 'terminal', session: null, process: null, prompt: null, iterations: null } as const;
    stage.append({ type: 'resumed', at: stage.now(), ...resumed });
    const told = await stage.sessionStart('resume', { process: 200 });
    expect(toPerson(told)).toContain('continues with your next prompt: iteration 2 of 50');
    expect(toAgent(told)).toMatch(/iteration 2 of 50[^]*Fix the bug\./);
    await stage.prompt('go on', { process: 200, prompt: 'q1' });
    expect((await stage.stop('x', { from: { process: 200, prompt: 'q1' } })).is).toBe('continue');
  });

  it('while the owner is alive elsewhere takes nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await stage.sessionStart('resume', { process: 200 })).toEqual({ is: 'silence' });
    expect(stage.loop().session.owner?.process).toBe(100);
  });

  it('after a crash without a word (kill -9) within the TTL, the next prompt continues it', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    stage.dead.add(100);
    stage.wait(10 * MINUTE);
    expect(toPerson(await stage.sessionStart('resume', { process: 200 }))).toMatch(
      /is interrupted after 0 iterations: the process of its session is gone\. Your next prompt continues it/,
    );
    const said = await stage.prompt('What happened?', { process: 200, prompt: 'q1' });
    expect(toPerson(said)).toMatch(
      /It continues with this prompt: iteration 1 of 50\. \/cancel-ralph ends it\./,
    );
    expect(toAgent(said)).toContain('Fix the bug.');
    expect(stage.loop().session.owner?.process).toBe(200);
    expect((await stage.stop('x', { from: { process: 200, prompt: 'q1' } })).is).toBe('continue');
  });

  it('of a run that was killed, no prompt takes the loop away', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const { events } = stage.loop();
    const taken = { session: 's1', pass: 'pass-1', process: 100, model: null };
    stage.append({ type: 'taken', at: stage.now(), n: events + 1, ...taken });
    stage.dead.add(100);
    await stage.sessionStart('resume', { process: 200 });
    await stage.prompt('hello', { process: 200, prompt: 'q1' });
    expect(stage.status()).toBe('paused');
  });

  it('a paused loop stays paused, and its person is told so once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.prompt('wait', { prompt: 'p2' });
    await stage.sessionEnd('other');
    const told = await stage.sessionStart('resume', { process: 200 });
    expect(toPerson(told)).toMatch(/is paused after 0 iterations: you typed a prompt of your own\./);
    expect(await stage.sessionStart('resume', { process: 200 })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('paused');
  });
});

describe('compaction', () => {
  it('gives the agent its brief again, and the next continuation the whole prompt', async () => {
    const stage = new Stage();
    const prompt = `Begin. ${'work '.repeat(500)}END`;
    await stage.start(prompt);
    expect(toAgent(await stage.stop('one'))).not.toContain('work work');
    const brief = await stage.sessionStart('compact');
    expect(toAgent(brief)).toContain(prompt);
    expect(toAgent(await stage.stop('two'))).toContain(prompt);
    expect(toAgent(await stage.stop('three'))).not.toContain('work work');
  });

  it('of a session without a live loop says nothing', async () => {
    const stage = new Stage();
    expect(await stage.sessionStart('compact')).toEqual({ is: 'silence' });
    await stage.start('Fix.');
    await stage.prompt('wait', { prompt: 'p2' });
    expect(await stage.sessionStart('compact')).toEqual({ is: 'silence' });
  });
});

describe('a fault of the host', () => {
  const fault = (stage: Stage, from = {}) =>
    stage.hear({
      is: 'fault',
      from: stage.from(from),
      error: 'rate_limit',
      detail: 'try later',
      fatal: null,
    });

  it('interrupts the loop with its class; the pass is not over', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await fault(stage)).toEqual({ is: 'silence' });
    expect(stage.loop().status).toEqual({ is: 'interrupted', why: 'fault', detail: 'rate_limit: try later' });
    expect(stage.passes()).toBe(0);
  });

  it('is over with the next prompt: the loop goes on, and the first line says so, once', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug.');
    await stage.stop();
    await fault(stage);
    const said = await stage.prompt('go on', { prompt: 'p2' });
    expect(toPerson(said)).toMatch(
      /^Da Capo: loop \w+ was interrupted after 1 iteration: the host reported an error \(rate_limit: try later\)\. It continues with this prompt: iteration 2 of 50\. \/cancel-ralph ends it\.$/,
    );
    expect(toAgent(said)).toMatch(/iteration 2 of 50[^]*Fix the bug\./);
    expect(await stage.prompt('go on', { prompt: 'p2' })).toEqual({ is: 'silence' });
    expect((await stage.stop('x', { from: { prompt: 'p2' } })).is).toBe('continue');
  });

  it('three hours ago waits for the word of the person, as everything stale does', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await fault(stage);
    stage.wait(3 * HOUR);
    await stage.prompt('hello', { prompt: 'p2' });
    expect(stage.status()).toBe('paused');
  });

  it('stays the reason when the host ends its session afterwards', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await fault(stage);
    await stage.sessionEnd('other');
    expect(stage.loop().status).toMatchObject({ is: 'interrupted', why: 'fault' });
  });

  it('a notice of the host is not a person: it neither carries the loop on nor pauses it', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await fault(stage);
    expect(await stage.notice({ prompt: 'p2' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('interrupted');
  });

  it('of another process, or of a loop that does not run, changes nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await fault(stage, { process: 200 });
    expect(stage.status()).toBe('running');
    await stage.prompt('wait', { prompt: 'p2' });
    await fault(stage);
    expect(stage.status()).toBe('paused');
  });

  const fatal = (stage: Stage) =>
    stage.hear({
      is: 'fault',
      from: stage.from({}),
      error: 'authentication_failed',
      detail: 'API Error: 401 Invalid API key',
      fatal: 'auth',
    });

  it('that no retry can fix ends the loop, leaves a request, and is told with the next prompt, once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    expect(await fatal(stage)).toEqual({ is: 'silence' });
    expect(stage.loop()).toMatchObject({
      status: { is: 'escalated', why: { is: 'fatal' } },
      run: { faults: { last: { fault: 'fatal' } } },
    });
    const [request] = stage.blobs().list('requests/fault-');
    expect(JSON.parse(stage.blobs().read(request ?? '') ?? '')).toMatchObject({
      kind: 'review',
      error: { class: 'auth', message: 'authentication_failed: API Error: 401 Invalid API key' },
    });
    const told = toPerson(await stage.prompt('hello', { prompt: 'p2' }));
    expect(told).toMatch(/needs you: .*401 Invalid API key.*[Ll]og in.*\/resume-ralph/);
    expect(await stage.prompt('hello', { prompt: 'p2' })).toEqual({ is: 'silence' });
    expect(stage.passes()).toBe(1);
  });

  it.each([[true], [false]])(
    'that a person has settled: /resume-ralph continues the loop (prompt before: %s)',
    async (types) => {
      const stage = new Stage();
      await stage.start('Fix.');
      await fatal(stage);
      if (types) await stage.prompt('hello', { prompt: 'p2' });
      expect((await stage.command('resume', '', { from: { prompt: 'p3' } })).is).toBe('brief');
      expect((await stage.stop('x', { from: { prompt: 'p3' } })).is).toBe('continue');
    },
  );
});
