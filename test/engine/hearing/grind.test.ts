/** Working off a list: one frame an item, the list read again after each, and a summary at the end. */
import { framesOf } from '#law/loop.ts';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { statusOf } from '#telling/loop-status.ts';
import { resumeLoop } from '#engine/steer/control.ts';
import { Stage, toAgent, toPerson } from './stage.ts';

const ITEM_DONE = 'Fixed.\n\n<issue-complete>DONE</issue-complete>';

let nth = 0;
/** Other words each time: the same words in the same chain could be the same stop. */
const done = (): string => `${++nth}. ${ITEM_DONE}`;

async function grind(list: string, flags = '', file = 'todo.txt'): Promise<Stage> {
  const stage = new Stage();
  stage.write(list, { file });
  await stage.start(`Work on it. --items ${file} ${flags}`);
  return stage;
}

describe('grind', () => {
  it('gives each item a frame of its own, in order, and completes after the last', async () => {
    const stage = new Stage();
    stage.write('alpha\nbeta\ngamma\n', { file: 'todo.txt' });
    const begun = await stage.command('start', 'Work on it. --items todo.txt --max-iterations 2');
    expect(toAgent(begun)).toMatch(/This is item 1 of 3\. Work on this one alone:\s+alpha/);
    expect(toAgent(begun)).toContain('<issue-complete>DONE</issue-complete>');
    expect(toAgent(begun)).toContain('iteration 1 of 2 on item 1 of 3');
    expect(toPerson(begun)).toMatch(
      /Item 1 of 3: alpha\. Done when: <issue-complete>DONE.*at most 2 iterations for each item/,
    );
    const second = await stage.stop(done());
    expect(toAgent(second)).toMatch(
      /Item 1 of 3 \(alpha\) is done after 1 iteration\. Item 2 of 3 begins: beta\./,
    );
    expect(toAgent(second)).toMatch(/The task:\s+Work on it\.\s+This is item 2 of 3/);
    expect(toPerson(second)).toContain('Item 2 of 3 begins: beta.');
    expect(toPerson(await stage.stop('not yet'))).toContain('iteration 2 of 2 on item 2 of 3');
    const third = await stage.stop('still not');
    expect(toAgent(third)).toMatch(
      /Item 2 of 3 \(beta\) ended undone after 2 iterations: max iterations reached\. Item 3 of 3 begins: gamma\./,
    );
    const end = await stage.stop(done());
    expect(toPerson(end)).toMatch(
      /stopped after 4 iterations and needs you: every item had its turn, and 1 of them is not done\. 2 of 3 items completed; not completed: beta \(max iterations reached\)\./,
    );
    expect(stage.loop().around).toHaveLength(0);
    expect(stage.loop().last?.verdict).toMatchObject({
      is: 'escalate',
      why: { is: 'undone', items: 1 },
      popped: [{ item: 'gamma' }],
    });
  });

  it('a list that the agent breaks goes back to it once, with the item still at work', async () => {
    const list = '[\n{"id": 1, "title": "alpha"},\n{"id": 2, "title": "beta"}\n]';
    const stage = await grind(list, '', 'todo.json');
    stage.write(list.replace('},', '}'), { file: 'todo.json' });
    const back = await stage.stop(done());
    expect(toAgent(back)).toMatch(
      /todo\.json is not JSON \(line 3: .*Correct the list, and keep all of its items/,
    );
    expect(stage.loop().frame.item?.title).toBe('1: alpha');
    stage.write(list, { file: 'todo.json' });
    expect(toAgent(await stage.stop(done()))).toContain('Item 2 of 2 begins: 2: beta.');
    stage.write('[', { file: 'todo.json' });
    expect((await stage.stop(done())).is).toBe('continue');
    expect(toPerson(await stage.stop(done()))).toMatch(/needs you: todo\.json is not JSON/);
  });

  it('a failing check never lets an item pass', async () => {
    const stage = await grind('alpha\nbeta\n', '--check "test -f made"');
    expect(toAgent(await stage.stop(done()))).toContain('check `test -f made` failed');
    expect(stage.loop().frame.item?.title).toBe('alpha');
    stage.write('', { file: 'made' });
    expect(toAgent(await stage.stop(done()))).toContain('Item 2 of 2 begins: beta.');
  });

  it('an item that is blocked or stuck is passed over, and the summary names it', async () => {
    const stage = await grind('alpha\nbeta\n');
    expect(toAgent(await stage.stop('<promise>BLOCKED: no key</promise>'))).toContain('Item 2 of 2 begins');
    const end = await stage.stop('<loop-done>STUCK</loop-done>');
    expect(stage.status()).toBe('escalated');
    expect(toPerson(end)).toMatch(
      /0 of 2 items completed; not completed: alpha \(.*no key\), beta \(.*stuck\)/,
    );
  });

  it('reads the list again after each item: what was added is worked off too', async () => {
    const stage = await grind('alpha\n');
    stage.write('gamma\ndelta\nalpha\n', { file: 'todo.txt' });
    expect(toAgent(await stage.stop(done()))).toContain('Item 2 of 3 begins: gamma.');
    expect(toAgent(await stage.stop(done()))).toContain('Item 3 of 3 begins: delta.');
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('the item limit reached with items left is exhausted', async () => {
    const stage = await grind('alpha\nbeta\ngamma\n', '--max-items 2');
    await stage.stop(done());
    const end = await stage.stop(done());
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'items' });
    expect(toPerson(end)).toMatch(
      /stopped: max items reached \(2, in 2 iterations\)\. 2 of 2 items completed\./,
    );
  });

  it('as many items as the limit allows, and none left, is complete', async () => {
    const stage = await grind('alpha\nbeta\n', '--max-items 2');
    await stage.stop(done());
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it('a list that can no longer be read escalates, and nothing is lost: mended, it goes on with the next item', async () => {
    const stage = await grind('alpha\nbeta\n');
    rmSync(stage.path('todo.txt'));
    const end = await stage.stop(done());
    expect(toPerson(end)).toMatch(/needs you: todo\.txt is not there .*1 of 1 item completed/);
    expect(stage.status()).toBe('escalated');
    stage.write('alpha\nbeta\n', { file: 'todo.txt' });
    const open = stage.store.open(stage.loop().id);
    if (open === null) throw new Error('no loop');
    const hand = { by: 'terminal', session: 's1', process: 100, prompt: 'p7', iterations: null } as const;
    resumeLoop(open, hand, stage.runtime());
    open.close();
    const next = await stage.stop('I am here.', { from: { prompt: 'p7' } });
    expect(toAgent(next)).toContain('Item 2 of 2 begins: beta.');
    expect(framesOf(stage.loop()).map(({ passes }) => passes)).toEqual([0, 0]);
  });

  it.each([
    ['an empty list', '', /no open item/],
    ['a list of what is done', '- [x] alpha\n', /no open item/],
    ['a broken list', '[{"id": 1}]', /without a title or description/],
  ])('%s is refused at the start', async (_, list, why) => {
    const stage = new Stage();
    stage.write(list, { file: 'todo.md' });
    const answer = await stage.command('start', 'Work. --items todo.md');
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(why);
    expect(stage.loops()).toEqual([]);
  });

  it('a file that is not there is refused at the start', async () => {
    const stage = new Stage();
    expect(toPerson(await stage.command('start', 'Work. --items nowhere.md'))).toMatch(
      /nowhere\.md is not there/,
    );
    expect(stage.loops()).toEqual([]);
  });

  it("the list's own gates are asked for when no item is left", async () => {
    const stage = await grind('alpha\n', '--completion-promise "ALL DONE"');
    const left = await stage.stop(`<promise>ALL DONE</promise>\n\n${done()}`);
    expect(toAgent(left)).toMatch(/No item is left, but the work as a whole is not proven done yet/);
    expect(toAgent(left)).toContain('<promise>ALL DONE</promise>');
    expect(toAgent(await stage.stop('not yet'))).toContain('iteration 2 of 50');
    await stage.stop('<promise>ALL DONE</promise>');
    expect(stage.status()).toBe('completed');
  });

  it('time ends it in the middle of an item', async () => {
    const stage = await grind('alpha\nbeta\n', '--timeout 1m');
    stage.wait(120_000);
    await stage.stop('not yet');
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'time' });
  });

  it('is reported with its frames, its item and what became of the others', async () => {
    const stage = await grind('alpha\nbeta\n');
    await stage.stop(done());
    expect(statusOf(stage.loop(), stage.now())).toMatchObject({
      iteration: 1,
      gates: [{ gate: 'signal', wanted: '<issue-complete>DONE</issue-complete>', holds: null }],
      frames: [
        { mode: 'grind', item: null, inner: { complete: 1, last: [{ item: 'alpha', outcome: 'complete' }] } },
        { mode: 'issue', iteration: 1, item: { title: 'beta', n: 2, of: 2 } },
      ],
    });
  });

  it('inside another loop: the list ends, and the task around it goes on', async () => {
    const stage = new Stage();
    stage.write('alpha\n', { file: 'todo.txt' });
    await stage.start('Outer task.');
    const from = { prompt: 'p2' };
    const begun = await stage.command('start', 'Each. --items todo.txt --nest', { from });
    expect(toAgent(begun)).toContain('item 1 of 1');
    expect(framesOf(stage.loop()).map(({ mode }) => mode)).toEqual(['loop', 'grind', 'issue']);
    const back = await stage.stop(done(), { from });
    expect(toAgent(back)).toMatch(
      /Item 1 of 1 \(alpha\) is done after 1 iteration\. The list of items is done after 1 iteration\. Back to the task around it: iteration 1 of 50/,
    );
    expect(framesOf(stage.loop()).map(({ passes }) => passes)).toEqual([0]);
  });
});

describe('items from a command', () => {
  it('JSON lines on stdout, whatever is said on stderr', async () => {
    const stage = new Stage();
    stage.write('{"id":7,"title":"alpha","body":"Do it well."}\n{"id":8,"title":"beta"}\n', { file: 'list' });
    const loop = await stage.start(`Work. --items-from "echo warning >&2; cat list"`);
    expect(loop.frame.item).toEqual({ id: '7', title: '7: alpha', n: 1, of: 2 });
    const second = await stage.stop(done());
    expect(toAgent(second)).toContain('Item 2 of 2 begins: 8: beta.');
    stage.write('', { file: 'list' });
    await stage.stop(done());
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['fails', 'echo no network >&2; exit 3', /failed with exit code 3: no network/],
    ['is not there', 'no-such-program-here', /could not be run/],
    ['prints plain text', 'echo No issues found', /prints no JSON/],
  ])('one that %s is refused at the start', async (_, command, why) => {
    const stage = new Stage();
    const answer = await stage.command('start', `Work. --items-from "${command}"`);
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(why);
  });

  it('one that fails later escalates with its reason', async () => {
    const stage = new Stage();
    stage.write('["alpha","beta"]', { file: 'list' });
    await stage.start('Work. --items-from "cat list"');
    rmSync(stage.path('list'));
    expect(toPerson(await stage.stop(done()))).toMatch(
      /needs you: `cat list`, which lists the items, failed/,
    );
  });
});
