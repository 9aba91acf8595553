/** The read model over loops that real hearings have made. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { evidenceNamed, evidenceNames } from '#engine/look/evidence.ts';
import { openIndex } from '#engine/look/loop-index.ts';
import { openStory } from '#engine/look/fold-story.ts';
import type { StoryIteration } from '#telling/story/story.ts';
import { watchLoops } from '#engine/look/watch.ts';
import { answer } from '#engine/requests/answer.ts';
import { openRequest } from '#engine/requests/ask.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { DONE, MINUTE, Stage } from '../hearing/stage.ts';

const TASK = 'Fix the parser. --check "test -f done.txt" --completion-promise COMPLETE --max-iterations 9';

async function worked(): Promise<Stage> {
  const stage = new Stage();
  await stage.start(TASK);
  stage.wait(MINUTE);
  await stage.stop('Working.');
  stage.wait(MINUTE);
  await stage.stop(DONE, { from: { prompt: 'p2' } });
  return stage;
}

function openOf(stage: Stage): OpenLoop {
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  return open;
}

function iterations(open: OpenLoop): StoryIteration[] {
  return openStory(open)
    .all()
    .filter((entry) => entry.is === 'iteration');
}

describe('the index', () => {
  it('shows a loop as a card', async () => {
    const stage = await worked();
    const { cards, unread } = openIndex(null, stage.runtime()).look();
    expect(unread).toEqual([]);
    expect(cards).toHaveLength(1);
    expect(cards[0]).toMatchObject({
      project: stage.project,
      task: 'Fix the parser.',
      status: 'running',
      tone: 'working',
      says: 'is running, iteration 3 of 9',
      iteration: 3,
      iterations: 9,
      iterationsInAll: 2,
      gates: [
        { kind: 'promise', label: 'promise', is: 'held' },
        { kind: 'check', label: 'test -f done.txt', is: 'failing', seen: 'failed with exit code 1' },
      ],
      isWorking: true,
      hasEnded: false,
      endedAt: null,
      requests: [],
    });
  });

  it('shows what a person has to answer', async () => {
    const stage = await worked();
    const runtime = stage.runtime();
    const open = openOf(stage);
    const what = { tool: 'Bash', digest: 'd', text: 'git push' };
    openRequest(open, { kind: 'approval', what, why: 'a rule asks for it' }, runtime);
    const [card] = openIndex(null, stage.runtime()).look().cards;
    expect(card).toMatchObject({
      status: 'waiting',
      tone: 'needs-you',
      group: 'needs-you',
      requests: [{ kind: 'approval', what: 'git push', why: 'a rule asks for it' }],
    });
    answer({ id: card?.requests[0]?.id ?? '', answer: 'approved', note: '', by: 'view' }, null, runtime);
    expect(openIndex(null, stage.runtime()).look().cards[0]).toMatchObject({
      requests: [],
      tone: 'working',
      group: 'working',
    });
    const told = openStory(open)
      .all()
      .flatMap((entry) => (entry.is === 'moment' ? [entry.type] : []));
    expect(told.slice(-2)).toEqual(['requested', 'answered']);
  });

  it('sees what other processes did since, and forgets what was removed', async () => {
    const stage = await worked();
    const index = openIndex(stage.project, stage.runtime());
    expect(index.look().cards[0]?.status).toBe('running');
    await stage.command('cancel', '', { from: { prompt: 'p3' } });
    const [card] = index.look().cards;
    expect(card).toMatchObject({ status: 'cancelled', tone: 'over', group: 'ended', hasEnded: true });
    expect(card?.endedAt).toBe(card?.updatedAt);
    stage.store.remove(stage.loop().id);
    expect(index.look().cards).toEqual([]);
  });

  it('shows a loop whose process is gone as interrupted', async () => {
    const stage = await worked();
    stage.dead.add(100);
    expect(openIndex(null, stage.runtime()).look().cards[0]).toMatchObject({
      status: 'interrupted',
      tone: 'resting',
      group: 'resting',
      isWorking: false,
    });
  });

  it('knows only the loops of its folder', async () => {
    const stage = await worked();
    expect(openIndex(join(stage.project, 'elsewhere'), stage.runtime()).look().cards).toEqual([]);
    expect(openIndex(stage.project, stage.runtime()).look().cards).toHaveLength(1);
  });

  it('names what it can not read', async () => {
    const stage = await worked();
    const { id } = stage.loop();
    stage.newer();
    const listing = openIndex(null, stage.runtime()).look();
    expect(listing.cards).toEqual([]);
    expect(listing.unread[0]).toMatchObject({ id, why: expect.stringContaining('Update Da Capo') });
  });
});

describe('the story', () => {
  it('tells each iteration: claim, proof, verdict, rule', async () => {
    const stage = await worked();
    stage.write('', { file: 'done.txt' });
    await stage.stop(DONE, { from: { prompt: 'p3' } });
    const open = openOf(stage);
    const [first, second, third, ...more] = iterations(open);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ iteration: 1, claim: 'none', checks: [] });
    expect(first?.verdict).toMatchObject({ is: 'continue', rule: { number: 15 }, isVoid: false });
    expect(first?.verdict?.reasons[0]?.words).toContain('has not been given');
    expect(second).toMatchObject({
      iteration: 2,
      claim: 'done',
      checks: [{ command: 'test -f done.txt', is: 'failed', evidence: 'stop-2-check.txt' }],
    });
    expect(third).toMatchObject({ iteration: 3, claim: 'done', checks: [{ is: 'passed' }] });
    expect(third?.verdict).toMatchObject({ is: 'complete', rule: { name: 'done' } });
    expect(Date.parse(second?.stoppedAt ?? '') - Date.parse(second?.beganAt ?? '')).toBeGreaterThanOrEqual(
      MINUTE,
    );
  });

  it('tells what happened between, and leaves out our bookkeeping', async () => {
    const stage = await worked();
    await stage.prompt('Something else.', { prompt: 'q1' });
    await stage.command('resume', '', { from: { prompt: 'p4' } });
    await stage.command('cancel', '', { from: { prompt: 'p5' } });
    const moments = openStory(openOf(stage))
      .all()
      .filter((entry) => entry.is === 'moment');
    expect(moments.map(({ type, tone }) => [type, tone])).toEqual([
      ['created', 'plain'],
      ['bound', 'plain'],
      ['paused', 'person'],
      ['resumed', 'person'],
      ['cancelled', 'bad'],
    ]);
    expect(moments.map(({ seq }) => seq)).toEqual([0, 1, 4, 5, 6]);
  });

  it('comes in pages, and a second look reads only what is new', async () => {
    const stage = await worked();
    const open = openOf(stage);
    const story = openStory(open);
    expect(story.page({ most: 2 })).toMatchObject({ total: 4, entries: [{ seq: 2 }, { seq: 3 }] });
    expect(story.page({ before: 2, most: 9 }).entries.map(({ seq }) => seq)).toEqual([0, 1]);
    await stage.stop('More.', { from: { prompt: 'p3' } });
    expect(story.page({ from: 4 }).entries).toMatchObject([{ seq: 4, iteration: 3 }]);
    expect(story.all()[4]).toMatchObject({ stop: 3 });
    expect(story.asked()).toBe('Fix the parser.');
  });
});

describe('evidence', () => {
  it('is read by its name, and nothing else is', async () => {
    const stage = await worked();
    const open = openOf(stage);
    const folder = join(stage.dir(), 'evidence');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'note.txt'), 'a <b>\u001b[31m red\n');
    writeFileSync(join(stage.dir(), 'secret.txt'), 'secret');
    symlinkSync(join(stage.dir(), 'secret.txt'), join(folder, 'link.txt'));
    expect(evidenceNamed(open, 'note.txt')).toEqual({ name: 'note.txt', text: 'a <b> red\n', cut: 0 });
    expect(evidenceNames(open)).toEqual(['note.txt', 'stop-2-check.txt']);
    for (const name of [
      '../secret.txt',
      '..',
      '.',
      '',
      'link.txt',
      'absent.txt',
      '/etc/passwd',
      'a/b',
      'a\0b',
      '..\\x',
    ])
      expect([name, evidenceNamed(open, name)]).toEqual([name, null]);
  });

  it('is cut in the middle where it is long', async () => {
    const stage = await worked();
    const open = openOf(stage);
    writeFileSync(join(stage.dir(), 'evidence', 'long.txt'), `begin${'x'.repeat(1_000_000)}end`);
    const found = evidenceNamed(open, 'long.txt');
    expect(found?.cut).toBeGreaterThan(500_000);
    expect(found?.text).toMatch(/^begin.*\n…\n.*end$/s);
  });
});

describe('watching', () => {
  it('tells of new, changed and removed loops, until it is ended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stage = new Stage();
    const ended = new AbortController();
    let told = 0;
    watchLoops(ended.signal, stage.runtime(), () => told++);
    const toldAfter = async (change: () => unknown): Promise<number> => {
      await change();
      vi.advanceTimersByTime(2_000);
      return told;
    };
    expect(await toldAfter(() => undefined)).toBe(0);
    expect(await toldAfter(() => stage.start('Fix it.'))).toBe(1);
    expect(await toldAfter(() => stage.stop('Working.'))).toBe(2);
    expect(await toldAfter(() => stage.store.remove(stage.loop().id))).toBe(3);
    ended.abort();
    expect(await toldAfter(() => stage.start('Fix that.'))).toBe(3);
    vi.useRealTimers();
  });

  it('looks at nothing while there is nobody to tell, and tells of it afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stage = new Stage();
    const { store } = stage.runtime();
    const ended = new AbortController();
    let [told, looks, isHeard] = [0, 0, false];
    const stamps = () => {
      looks++;
      return store.stamps();
    };
    watchLoops(
      ended.signal,
      { store: Object.assign(Object.create(store), { stamps }) },
      () => told++,
      () => isHeard,
    );
    await stage.start('Fix it.');
    vi.advanceTimersByTime(2_000);
    expect([told, looks]).toEqual([0, 1]);
    isHeard = true;
    vi.advanceTimersByTime(2_000);
    expect(told).toBe(1);
    ended.abort();
    vi.useRealTimers();
  });
});
