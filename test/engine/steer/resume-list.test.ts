/**
 * A list that ended with items undone, resumed: those get another turn, once each, and what is done stays
 * done.
 */
import { framesOf } from '#law/loop.ts';
import { describe, expect, it } from 'vitest';
import { resumeLoop } from '#engine/steer/control.ts';
import { continueList } from '#engine/asked/items.ts';
import { Stage, toAgent, toPerson } from '../hearing/stage.ts';

let nth = 0;
/** Other words each time: the same words in the same chain could be the same stop. */
const done = (): string => `${++nth}. Fixed.\n\n<issue-complete>DONE</issue-complete>`;
const blocked = (): string => `${++nth}. <promise>BLOCKED: no key</promise>`;

/** Of three items the first and the last are undone. */
async function ended(): Promise<Stage> {
  const stage = new Stage();
  stage.write('alpha\nbeta\ngamma\n', { file: 'todo.txt' });
  await stage.start('Work on it. --items todo.txt');
  for (const words of [blocked(), done(), blocked()]) await stage.stop(words);
  expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { is: 'undone', items: 2 } });
  return stage;
}

const at = { from: { prompt: 'p7' } };

describe('/resume-ralph after a list that ended undone', () => {
  it('begins with the first that is undone, at once', async () => {
    const stage = await ended();
    const answer = await stage.command('resume', '', at);
    expect(toAgent(answer)).toMatch(/This is item 2 of 3\. Work on this one alone:\s+alpha/);
    expect(toPerson(answer)).toContain('item 2 of 3');
    expect(framesOf(stage.loop()).map(({ mode }) => mode)).toEqual(['grind', 'issue']);
    expect(toAgent(await stage.stop(done(), at))).toContain('Item 3 of 3 begins: gamma.');
    const end = await stage.stop(done(), at);
    expect(stage.status()).toBe('completed');
    expect(toPerson(end)).toContain('3 of 3 items completed.');
  });

  it('tries each once for each resume', async () => {
    const stage = await ended();
    await stage.command('resume', '', at);
    await stage.stop(done(), at);
    const end = await stage.stop(blocked(), at);
    expect(toPerson(end)).toMatch(
      /every item had its turn, and 1 of them is not done\. 2 of 3 items completed; not completed: gamma/,
    );
    const again = { from: { prompt: 'p8' } };
    expect(toAgent(await stage.command('resume', '', again))).toMatch(/This is item 3 of 3\..*\s+gamma/);
    await stage.stop(done(), again);
    expect(stage.status()).toBe('completed');
  });

  it('takes what is ticked or taken out by then as settled by its person', async () => {
    const stage = await ended();
    stage.write('beta\ngamma\n', { file: 'todo.txt' });
    expect(toAgent(await stage.command('resume', '', at))).toMatch(/This is item 2 of 2\..*\s+gamma/);
    await stage.stop(done(), at);
    expect(stage.status()).toBe('completed');
  });

  it('does not reopen for another session', async () => {
    const stage = await ended();
    await stage.command('resume', '', { from: { session: 's2', prompt: 'p7' } });
    expect(stage.status()).toBe('escalated');
  });
});

describe('dacapo resume after a list that ended undone', () => {
  const open = (stage: Stage) => {
    const opened = stage.store.open(stage.loop().id);
    if (opened === null) throw new Error('no loop');
    return opened;
  };
  const actor = { by: 'terminal', session: 's1', process: 100, prompt: 'p7', iterations: null } as const;

  it('gives them out at the next stop of the session', async () => {
    const stage = await ended();
    const loop = open(stage);
    resumeLoop(loop, actor, stage.runtime());
    loop.close();
    expect(toAgent(await stage.stop('I am here.', at))).toContain('Item 2 of 3 begins: alpha.');
  });

  it('in a run, the first pass is on an item', async () => {
    const stage = await ended();
    const loop = open(stage);
    resumeLoop(loop, { ...actor, prompt: null }, stage.runtime());
    const now = await continueList(loop, 'terminal', null, stage.runtime());
    loop.close();
    expect(now.frame.item).toMatchObject({ title: 'alpha', n: 2, of: 3 });
  });

  it('a list without anything left is taken up as it is', async () => {
    const stage = await ended();
    stage.write('', { file: 'todo.txt' });
    const loop = open(stage);
    resumeLoop(loop, actor, stage.runtime());
    expect((await continueList(loop, 'terminal', null, stage.runtime())).around).toHaveLength(0);
    loop.close();
  });
});

it('a list that is paused in its middle goes on where it was: what is undone waits for the end', async () => {
  const stage = new Stage();
  stage.write('alpha\nbeta\n', { file: 'todo.txt' });
  await stage.start('Work on it. --items todo.txt');
  await stage.stop(blocked());
  await stage.command('cancel');
  const loop = stage.store.open(stage.loop().id);
  if (loop === null) throw new Error('no loop');
  resumeLoop(
    loop,
    { by: 'terminal', session: 's1', process: 100, prompt: 'p7', iterations: null },
    stage.runtime(),
  );
  loop.close();
  await stage.stop(done(), at);
  expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { is: 'undone', items: 1 } });
});
