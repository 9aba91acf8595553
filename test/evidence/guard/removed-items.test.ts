/** Items that leave their list without a turn: seen at each stop, told, and not counted as done. */
import { outermostOf, framesOf } from '#law/loop.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { resumeLoop } from '#engine/steer/control.ts';
import { acceptLists } from '#evidence/guard/removed-items.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { Stage, toPerson } from '../../engine/hearing/stage.ts';

let nth = 0;
/** Other words each time: the same words in the same chain could be the same stop. */
const done = (): string => `${++nth}. Fixed.\n\n<issue-complete>DONE</issue-complete>`;

async function grind(list: string, flags = ''): Promise<Stage> {
  const stage = new Stage();
  stage.write(list, { file: 'todo.md' });
  await stage.start(`Work on it. --items todo.md ${flags}`);
  return stage;
}

function opened<T>(stage: Stage, act: (open: OpenLoop) => T): T {
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  try {
    return act(open);
  } finally {
    open.close();
  }
}

const resume = (stage: Stage, prompt: string) =>
  opened(stage, (open) =>
    resumeLoop(
      open,
      { by: 'terminal', session: 's1', process: 100, prompt, iterations: null },
      stage.runtime(),
    ),
  );

const accept = (stage: Stage) =>
  opened(stage, (open) => {
    const accepted = acceptLists(open, stage.runtime());
    open.keep();
    return accepted;
  });

const shortenings = (stage: Stage) =>
  stage
    .journal()
    .filter((event): event is Extract<Event, { type: 'shortened' }> => event.type === 'shortened');

describe('a list that a script has shortened', () => {
  it('is an amendment by an unknown hand, told at the next stop, and once', async () => {
    const stage = await grind('alpha\nbeta\ngamma\n');
    stage.write('alpha\ngamma\n', { file: 'todo.md' });
    const first = await stage.stop('not yet');
    expect(toPerson(first)).toMatch(/iteration 2 of 50 on item 1 of 3/);
    expect(toPerson(first)).toContain(
      `1 item left the list without a turn, by an unknown hand: beta. Put them back to work on them. If they were removed on purpose: \`dacapo resume ${stage.loop().id} --accept-changes\`.`,
    );
    expect(shortenings(stage)).toMatchObject([
      { by: 'unknown', frame: 1, file: 'todo.md', count: 1, items: ['beta'] },
    ]);
    expect(toPerson(await stage.stop('still not'))).not.toContain('left the list');
    expect(shortenings(stage)).toHaveLength(1);
  });

  it('is worked off, and does not end as done', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    const end = await stage.stop(done());
    expect(stage.loop().status).toEqual({ is: 'escalated', why: { is: 'undone', items: 0, gone: 1 } });
    expect(toPerson(end)).toMatch(
      /needs you: 1 item left the list without a turn\. 1 of 1 item completed\. 1 item left the list without a turn, by an unknown hand: beta\./,
    );
  });

  it('is told beside what ended undone', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    expect(toPerson(await stage.stop('<promise>BLOCKED: no key</promise>'))).toMatch(
      /needs you: every item had its turn, and 1 of them is not done; 1 item left the list without a turn\./,
    );
  });

  it('counts what was ticked before its turn as well', async () => {
    const stage = await grind('- [ ] alpha\n- [ ] beta\n');
    stage.write('- [x] alpha\n- [x] beta\n', { file: 'todo.md' });
    await stage.stop(done());
    expect(outermostOf(stage.loop()).gone).toEqual({ count: 1, items: ['beta'] });
    expect(stage.status()).toBe('escalated');
  });

  it('and emptied: all that waited is missed', async () => {
    const stage = await grind('alpha\nbeta\ngamma\n');
    stage.write('', { file: 'todo.md' });
    await stage.stop(done());
    expect(stage.loop().status).toMatchObject({ why: { is: 'undone', items: 0, gone: 2 } });
  });

  it('gives an item that is put back its turn, and ends as done', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    await stage.stop('not yet');
    stage.write('alpha\nbeta\n', { file: 'todo.md' });
    expect(toPerson(await stage.stop(done()))).toContain('Item 2 of 2 begins: beta.');
    expect(shortenings(stage).map(({ count }) => count)).toEqual([1, 0]);
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('that can no longer be read, and then can, has lost nothing', async () => {
    const stage = await grind('alpha\nbeta\n');
    rmSync(stage.path('todo.md'));
    await stage.stop('not yet');
    stage.write('alpha\nbeta\n', { file: 'todo.md' });
    await stage.stop('still not');
    expect(shortenings(stage)).toEqual([]);
  });

  it('of which many are missing names the first few', async () => {
    const names = Array.from({ length: 30 }, (_, k) => `item-${k}`);
    const stage = await grind(`first\n${names.join('\n')}\n`);
    stage.write('first\n', { file: 'todo.md' });
    const said = toPerson(await stage.stop('not yet'));
    expect(said).toContain('30 items left the list without a turn, by an unknown hand: item-0, item-1');
    expect(said).toMatch(/, and \d+ more\. Put them back/);
    expect(shortenings(stage)[0]?.items).toHaveLength(20);
  });
});

describe('what is not a slip', () => {
  it('the item at work, ticked or taken out', async () => {
    const stage = await grind('- [ ] alpha\n- [ ] beta\n');
    stage.write('- [x] alpha\n- [ ] beta\n', { file: 'todo.md' });
    await stage.stop(done());
    stage.write('', { file: 'todo.md' });
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
    expect(shortenings(stage)).toEqual([]);
  });

  it('what a command lists: it may come and go', async () => {
    const stage = new Stage();
    stage.write('["alpha","beta"]', { file: 'list' });
    await stage.start('Work. --items-from "cat list"');
    stage.write('["alpha"]', { file: 'list' });
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('a record of what waited that is lost: the look begins anew', async () => {
    const stage = await grind('alpha\nbeta\n');
    rmSync(join(stage.dir(), 'waiting-1.json'));
    stage.write('alpha\n', { file: 'todo.md' });
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });
});

describe('a person who took items out on purpose', () => {
  it('accepts that while the loop runs, and it ends as done', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    await stage.stop('not yet');
    expect(accept(stage)).toBe(1);
    expect(shortenings(stage).at(-1)).toMatchObject({ by: 'terminal', count: 0 });
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('accepts it before any stop has seen it', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    expect(accept(stage)).toBe(1);
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('accepts it after the loop has ended, and the next stop completes it', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    await stage.stop(done());
    resume(stage, 'p7');
    expect(accept(stage)).toBe(1);
    await stage.stop('All is done.', { from: { prompt: 'p7' } });
    expect(stage.status()).toBe('completed');
  });

  it('who only resumes is told again', async () => {
    const stage = await grind('alpha\nbeta\n');
    stage.write('alpha\n', { file: 'todo.md' });
    await stage.stop(done());
    resume(stage, 'p7');
    await stage.stop('All is done.', { from: { prompt: 'p7' } });
    expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { is: 'undone', items: 0, gone: 1 } });
  });

  it('has nothing to accept where nothing is missing', async () => {
    const stage = await grind('alpha\nbeta\n');
    expect(accept(stage)).toBe(0);
    expect(shortenings(stage)).toEqual([]);
  });
});

it('inside another loop, a shortened list ends undone, and the task around it goes on', async () => {
  const stage = new Stage();
  stage.write('alpha\nbeta\n', { file: 'todo.md' });
  await stage.start('Outer task.');
  const from = { prompt: 'p2' };
  await stage.command('start', 'Each. --items todo.md --nest', { from });
  stage.write('alpha\n', { file: 'todo.md' });
  expect(toPerson(await stage.stop(done(), { from }))).toMatch(
    /The list of items ended undone after 1 iteration: 1 item left the list without a turn\./,
  );
  expect(framesOf(stage.loop()).map(({ mode }) => mode)).toEqual(['loop']);
});
