/** Loops in loops: pushed from the session, popped in the stop that ends them, with exact counts. */
import { describe, expect, it } from 'vitest';
import { framesOf, type Frame } from '#law/loop.ts';
import { pushFrame } from '#surfaces/library/index.ts';
import { statusOf } from '#telling/loop-status.ts';
import { DONE, MINUTE, HOUR, Stage, toAgent, toPerson } from './stage.ts';

const SAID = (text: string): string => `Words.\n\n${text}`;

/** A loop on `Outer.` with `Inner.` pushed into it. */
async function nested(flags = '', outer = ''): Promise<Stage> {
  const stage = new Stage();
  await stage.start(`Outer task. ${outer}`);
  const answer = await stage.command('start', `Inner task. --nest ${flags}`, { from: { prompt: 'p2' } });
  if (answer.is !== 'brief') throw new Error(toPerson(answer));
  return stage;
}

const at = { from: { prompt: 'p2' } };

function passes(stage: Stage): number[] {
  return framesOf(stage.loop()).map((frame: Frame) => frame.passes);
}

describe('a nested loop', () => {
  it('is briefed with its own task, and the person reads what it is', async () => {
    const stage = new Stage();
    await stage.start('Outer task.');
    const answer = await stage.command('start', 'Inner task. --nest --max-iterations 3', at);
    expect(toAgent(answer)).toContain('Inner task.');
    expect(toAgent(answer)).toContain('iteration 1 of 3 of the inner task');
    expect(toAgent(answer)).not.toContain('Outer task.');
    expect(toPerson(answer)).toMatch(/has an inner task now\. Done when: <promise>COMPLETE<\/promise>/);
    expect(framesOf(stage.loop()).map(({ mode }) => mode)).toEqual(['loop', 'loop']);
  });

  it('complete, it is popped, and the outer pass goes on in the same stop with its task given whole', async () => {
    const stage = await nested();
    expect((await stage.stop('not yet', at)).is).toBe('continue');
    expect(passes(stage)).toEqual([0, 1]);
    const back = await stage.stop(DONE, at);
    expect(back.is).toBe('continue');
    expect(toAgent(back)).toMatch(
      /The inner task is done after 2 iterations\. Back to the task around it: iteration 1 of 50 continues\./,
    );
    expect(toAgent(back)).toContain('Outer task.');
    expect(toPerson(back)).toContain('The inner task is done after 2 iterations.');
    expect(passes(stage)).toEqual([0]);
    expect(stage.loop().last?.verdict).toMatchObject({
      is: 'continue',
      missing: [],
      popped: [{ mode: 'loop', outcome: 'complete', item: null, iterations: 2 }],
    });
    const end = await stage.stop(SAID('<promise>COMPLETE</promise>'), at);
    expect(toPerson(end)).toMatch(
      /completed after 1 iteration \+ 2 in inner tasks: the agent says that it is done\. 1 of 1 inner task completed\./,
    );
  });

  it('shows no gate as holding before it was tested, also if it was pushed from a terminal', async () => {
    const stage = new Stage();
    await stage.start('Outer task.');
    await stage.stop();
    const gates = () => statusOf(stage.loop(), stage.now()).gates.map(({ holds }) => holds);
    await pushFrame({ loop: stage.loop().id, prompt: 'Inner task.', env: { DACAPO_HOME: stage.home.dir } });
    expect(gates()).toEqual([null]);
    await stage.stop('Working on the outer thing.');
    expect(gates()).toEqual([null]);
    await stage.stop('Now the inner one.');
    expect(gates()).toEqual([false]);
  });

  it("a claim in the inner frame's words is not the outer's promise in the same stop", async () => {
    const stage = await nested('--completion-promise COMPLETE');
    expect((await stage.stop(DONE, at)).is).toBe('continue');
    expect(stage.status()).toBe('running');
    expect(passes(stage)).toEqual([0]);
  });

  it('three deep, each claim pops one', async () => {
    const stage = await nested();
    const third = { from: { prompt: 'p3' } };
    await stage.command('start', 'Innermost task. --nest', third);
    expect(stage.loop().around).toHaveLength(2);
    expect(toAgent(await stage.stop(DONE, third))).toContain('Inner task.');
    expect(toAgent(await stage.stop(SAID(DONE), third))).toContain('Outer task.');
    await stage.stop(SAID(SAID(DONE)), third);
    expect(stage.status()).toBe('completed');
  });

  it('has gates of its own: a failing check keeps it from popping', async () => {
    const stage = await nested('--completion-promise COMPLETE --check "test -f made"');
    expect(toAgent(await stage.stop(DONE, at))).toContain('check `test -f made` failed');
    expect(stage.loop().around).toHaveLength(1);
    stage.write('', { file: 'made' });
    expect(toAgent(await stage.stop(SAID(DONE), at))).toContain('Back to the task around it');
  });

  it.each([
    ['its iterations used up', '--max-iterations 1', 'not yet', /max iterations reached/],
    ['MAX_ITERATIONS said', '', '<loop-done>MAX_ITERATIONS</loop-done>', /max iterations reached/],
    ['BLOCKED said', '', '<promise>BLOCKED: no key</promise>', /blocked: no key/],
    ['STUCK said', '', '<loop-done>STUCK</loop-done>', /stuck/],
  ])('that ends otherwise (%s) pops with its outcome, and the outer goes on', async (_, flags, said, why) => {
    const stage = await nested(flags);
    const back = await stage.stop(SAID(said), at);
    expect(back.is).toBe('continue');
    expect(toAgent(back)).toMatch(/The inner task ended undone after 1 iteration: /);
    expect(toAgent(back)).toMatch(why);
    expect(passes(stage)).toEqual([0]);
    await stage.stop(SAID(DONE), at);
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['ESCALATE', '', '<promise>ESCALATE: look</promise>', 'escalated'],
    ['an unprovable check', '--check no-such-program-here', 'not yet', 'escalated'],
  ])('%s ends the whole loop', async (_, flags, said, status) => {
    const stage = await nested(flags);
    await stage.stop(SAID(said), at);
    expect(stage.status()).toBe(status);
  });

  it('time and staleness of the outermost end the whole loop', async () => {
    const timed = await nested('', '--timeout 1h');
    timed.wait(2 * HOUR - MINUTE);
    await timed.stop('late', at);
    expect(timed.loop().status).toEqual({ is: 'exhausted', limit: 'time' });
    const stale = await nested();
    stale.wait(3 * HOUR);
    await stale.stop('later', { from: { prompt: 'p9' } });
    expect(stale.status()).toBe('stuck');
  });
});

describe('a push that is refused', () => {
  it('no live loop in the session', async () => {
    const stage = new Stage();
    const none = await stage.command('start', 'Inner. --nest');
    expect(none).toMatchObject({
      is: 'close',
      toPerson: expect.stringMatching(/no loop.*Leave --nest out/),
    });
    await stage.start('Outer.');
    await stage.prompt('mine', { prompt: 'p2' });
    const paused = await stage.command('start', 'Inner. --nest', { from: { prompt: 'p3' } });
    expect(toPerson(paused)).toMatch(/paused .*can't get an inner task/);
    await stage.command('cancel', '', { from: { prompt: 'p4' } });
    expect((await stage.command('start', 'Inner. --nest', { from: { prompt: 'p5' } })).is).toBe('close');
  });

  it('deeper than eight', async () => {
    const stage = new Stage();
    await stage.start('Outer.');
    for (let n = 2; n <= 8; n++)
      expect((await stage.command('start', 'In. --nest', { from: { prompt: `n${n}` } })).is).toBe('brief');
    const ninth = await stage.command('start', 'In. --nest', { from: { prompt: 'n9' } });
    expect(toPerson(ninth)).toMatch(/8 nested frames already/);
    expect(stage.loop().around).toHaveLength(7);
  });

  it('delivered twice, it is pushed once', async () => {
    const stage = new Stage();
    await stage.start('Outer.');
    const both = await Promise.all([
      stage.command('start', 'Inner. --nest', at),
      stage.command('start', 'Inner. --nest', at),
    ]);
    expect(both.map(({ is }) => is).toSorted()).toEqual(['brief', 'silence']);
    expect(stage.loop().around).toHaveLength(1);
  });

  it('a start without --nest in a session with a loop says how to put it inside', async () => {
    const stage = new Stage();
    await stage.start('Outer.');
    expect(toPerson(await stage.command('start', 'Inner.', at))).toContain('With --nest');
  });
});

describe('the library', () => {
  const env = (stage: Stage) => ({ DACAPO_HOME: stage.home.dir });

  it('pushes while the agent works: the task is given at the next stop, and no iteration is spent', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Outer task.');
    const pushed = await pushFrame({
      loop: id,
      prompt: 'Inner task.',
      maxIterations: 1,
      promise: 'INNER',
      env: env(stage),
    });
    expect(pushed).toEqual({ ok: true, loop: id, depth: 2 });
    const given = await stage.stop(DONE);
    expect(toAgent(given)).toMatch(/An inner task comes first/);
    expect(toAgent(given)).toContain('Inner task.');
    expect(toAgent(given)).toContain('<promise>INNER</promise>');
    expect(passes(stage)).toEqual([0, 0]);
    expect(toAgent(await stage.stop('<promise>INNER</promise>'))).toContain('Back to the task around it');
    await stage.stop(SAID(DONE));
    expect(stage.loop().status).toEqual({ is: 'completed' });
    expect(passes(stage)).toEqual([1]);
  });

  it('refuses what the flags refuse, a loop that is not there, and one that does not run', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Outer.');
    const push = (over: object) => pushFrame({ loop: id, prompt: 'In.', env: env(stage), ...over });
    expect(await push({ maxIterations: 0 })).toMatchObject({ ok: false, code: 'bad-number' });
    expect(await push({ loop: '../x' })).toMatchObject({ ok: false, code: 'no-loop' });
    expect(await push({ chekcs: ['x'] })).toMatchObject({
      ok: false,
      next: expect.stringMatching(/^Did you mean checks\?/),
    });
    expect(await push({ checks: 'x' })).toMatchObject({
      ok: false,
      message: 'checks is "x".',
      next: 'It must be a list of texts.',
    });
    expect(await push({ items: 'nowhere.md' })).toMatchObject({ ok: false, code: 'bad-items' });
    await stage.command('cancel', '', { from: { prompt: 'p2' } });
    expect(await push({})).toMatchObject({ ok: false, code: 'not-live' });
  });
});

describe('the view', () => {
  it('shows the frame at work, and an edit applies to it alone', async () => {
    const stage = await nested('--max-iterations 3');
    expect(stage.view()).toMatch(/^max_iterations: 3$/m);
    expect(stage.view()).toContain('Inner task.');
    stage.edit((content) => content.replace('max_iterations: 3', 'max_iterations: 7'));
    await stage.stop('not yet', at);
    expect(framesOf(stage.loop()).map(({ iterations }) => iterations)).toEqual([50, 7]);
    await stage.stop(DONE, at);
    expect(stage.view()).toMatch(/^max_iterations: 50$/m);
    expect(stage.view()).toContain('Outer task.');
  });

  it('a rendering of another frame is not an edit', async () => {
    const stage = await nested();
    const inner = stage.view();
    await stage.stop(DONE, at);
    stage.write(inner);
    await stage.stop('not yet', at);
    expect(stage.status()).toBe('running');
    expect(stage.journal().some(({ type }) => type === 'amended')).toBe(false);
    expect(stage.view()).toContain('Outer task.');
  });

  it('an edit of a frame that has ended changes no other, and is kept as evidence', async () => {
    const stage = await nested();
    const inner = stage.view();
    await stage.stop(DONE, at);
    stage.write(inner.replace('Inner task.', 'My new inner task.'));
    await stage.stop('not yet', at);
    expect(stage.journal().some(({ type }) => type === 'amended')).toBe(false);
    expect(stage.view()).toContain('Outer task.');
    expect(stage.evidence()).toContainEqual(expect.stringMatching(/^edited-/));
    expect(stage.loop().frame.iterations).toBe(50);
  });
});
