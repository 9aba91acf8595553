import { describe, expect, it } from 'vitest';
import { hash } from '#base/hash.ts';
import { hearArrival } from '#engine/hearing/hear.ts';
import { DONE, MINUTE, Stage, toPerson } from './stage.ts';

describe('exactly once', () => {
  it('one stop that is delivered twice is judged once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const [first, second] = [stage.runtime(), stage.runtime()];
    expect((await stage.hear(stage.stopArrival(), first)).is).toBe('continue');
    expect(await stage.hear(stage.stopArrival(), second)).toEqual({ is: 'silence' });
    expect(stage.passes()).toBe(1);
  });

  it('two real stops with the very same words are two', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect((await stage.stop('Done.')).is).toBe('continue');
    expect((await stage.stop('Done.')).is).toBe('continue');
    expect(stage.passes()).toBe(2);
  });

  it('twenty deliveries at once count one, and one of them answers', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const worlds = Array.from({ length: 20 }, () => stage.runtime());
    const answers = await Promise.all(
      worlds.map((runtime) => hearArrival(stage.stopArrival(), runtime.store, () => runtime)),
    );
    expect(answers.filter(({ is }) => is === 'continue')).toHaveLength(1);
    expect(answers.filter(({ is }) => is === 'silence')).toHaveLength(19);
    expect(stage.passes()).toBe(1);
  });

  it('twenty different stops at once count twenty', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, k) => stage.stop(`stop ${k}`, { from: { prompt: `q${k}` } })),
    );
    expect(answers.map(({ is }) => is)).toEqual(Array.from({ length: 20 }, () => 'continue'));
    expect(stage.passes()).toBe(20);
  });

  it('a completion that is delivered twice is told once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const [first, second] = [stage.runtime(), stage.runtime()];
    expect((await stage.hear(stage.stopArrival(DONE), first)).is).toBe('tell');
    expect(await stage.hear(stage.stopArrival(DONE), second)).toEqual({ is: 'silence' });
  });
});

describe('a hook that died while it heard a stop', () => {
  function crash(stage: Stage, message: string, process: number): void {
    const { session, prompt } = stage.sender;
    stage.append({
      type: 'stop',
      at: stage.now(),
      n: stage.loop().stops + 1,
      session,
      prompt,
      words: hash(message),
      process,
      started: stage.now(),
      continuedByHook: false,
    });
    stage.dead.add(process);
  }

  it('is closed as lost and spends nothing; the next stop is heard', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    crash(stage, 'Working on it.', 777);
    expect((await stage.stop('Something else.')).is).toBe('continue');
    expect(stage.journal().some((event) => event.type === 'lost')).toBe(true);
    expect(stage.passes()).toBe(1);
  });

  it('does not swallow a next stop with the very same words', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    crash(stage, 'Done.', 777);
    expect((await stage.stop('Done.')).is).toBe('continue');
    expect(stage.passes()).toBe(1);
  });

  it('is known by its start where our own process got its number', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    crash(stage, 'Done.', 888);
    stage.dead.delete(888);
    stage.wait(MINUTE);
    const answer = await stage.hear(stage.stopArrival('Done.'), stage.runtime({ process: 888 }));
    expect(answer.is).toBe('continue');
  });

  it('or hangs for longer than any hook may', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    crash(stage, 'Done.', 999);
    stage.dead.delete(999);
    stage.wait(12 * MINUTE);
    expect((await stage.stop('Done.')).is).toBe('continue');
  });
});

describe('what a person does during a hearing comes first', () => {
  it('a cancel that precedes the verdict voids it', async () => {
    const stage = new Stage();
    await stage.start(`Fix. --check '"${process.execPath}" -e "setTimeout(() => process.exit(1), 400)"'`);
    const hearing = stage.stop();
    await new Promise((resolve) => setTimeout(resolve, 150));
    stage.append({ type: 'cancelled', at: stage.now(), by: 'terminal', prompt: null });
    const answer = await hearing;
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/cancelled after 0 iterations \(from a terminal\)/);
    expect(stage.passes()).toBe(0);
    expect(stage.hasView()).toBe(false);
  });

  it('a pause stands, and the stop is allowed', async () => {
    const stage = new Stage();
    await stage.start(`Fix. --check '"${process.execPath}" -e "setTimeout(() => process.exit(1), 400)"'`);
    const hearing = stage.stop();
    await new Promise((resolve) => setTimeout(resolve, 150));
    stage.append({ type: 'paused', at: stage.now(), by: 'terminal', why: 'command' });
    expect((await hearing).is).toBe('tell');
    expect(stage.status()).toBe('paused');
  });
});
