/** A journal, followed as it grows. */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { followLoopEvents, type FollowOrder } from '#engine/look/follow.ts';
import { memoryStore } from '#store/memory/store.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { DONE, Stage } from '../hearing/stage.ts';

const STORES = [
  ['in files', () => new Stage()],
  ['in memory', () => new Stage(memoryStore(null, temporaryFolder))],
] as const;

/** Reads in the background; `seen` grows. */
function following(stage: Stage, order: Omit<FollowOrder, 'loop'> = {}) {
  const answer = followLoopEvents({ loop: stage.loop().id, ...order }, stage.runtime());
  if (!answer.ok) throw new Error(answer.message);
  const seen: string[] = [];
  const over = (async () => {
    for await (const { n, event } of answer.events) seen.push(`${n} ${event.type}`);
  })();
  return { seen, over };
}

describe.each(STORES)('a journal, %s', (_, make) => {
  it('gives the past, then what is written, and ends with the loop', async () => {
    const stage = make();
    await stage.start('Fix it. --check "test -f done"');
    const { seen, over } = following(stage);
    await stage.stop();
    await expect.poll(() => seen.at(-1)).toMatch(/verdict$/);
    expect(seen.slice(0, 2)).toEqual(['1 created', '2 bound']);
    stage.write('', { file: 'done' });
    await stage.stop(DONE, { from: { prompt: 'p2' } });
    await over;
    expect(stage.status()).toBe('completed');
    expect(seen).toHaveLength(stage.loop().events);
  });

  it('goes on after a number, and ends when the caller wants it', async () => {
    const stage = make();
    await stage.start('Fix it.');
    const controller = new AbortController();
    const { seen, over } = following(stage, { after: 1, signal: controller.signal, untilEnded: false });
    await expect.poll(() => seen[0]).toBe('2 bound');
    await stage.command('cancel', '', { from: { prompt: 'p2' } });
    await expect.poll(() => seen.at(-1)).toMatch(/cancelled$/);
    controller.abort();
    await over;
  });

  it('an unknown loop and a bad number are refused', async () => {
    const stage = make();
    const { id } = await stage.start('Fix it.');
    expect(followLoopEvents({ loop: 'none' }, stage.runtime())).toMatchObject({ ok: false, code: 'no-loop' });
    expect(followLoopEvents({ loop: '../x' }, stage.runtime())).toMatchObject({ ok: false, code: 'no-loop' });
    expect(followLoopEvents({ loop: id, after: -1 }, stage.runtime())).toMatchObject({
      ok: false,
      code: 'bad-number',
    });
  });
});

describe('a file', () => {
  it('with an unfinished line gives that event once it is whole', async () => {
    const stage = new Stage();
    await stage.start('Fix it.');
    const line = `\n${JSON.stringify({ type: 'cancelled', at: stage.now(), by: 'terminal', prompt: null })}\n`;
    stage.scribble(line.slice(0, 30));
    const { seen, over } = following(stage);
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).not.toMatch(/cancelled/);
    stage.scribble(line.slice(30));
    await over;
    expect(seen.at(-1)).toMatch(/cancelled$/);
  });

  it('that is removed ends the events', async () => {
    const stage = new Stage();
    await stage.start('Fix it.');
    const { seen, over } = following(stage);
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    rmSync(stage.dir(), { recursive: true });
    await over;
  });
});
