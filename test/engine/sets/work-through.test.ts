/**
 * The set as a machine over its port: which loops begin when, and which branches are merged in which order.
 */
import { expect, test } from 'vitest';
import {
  workThrough,
  type Broken,
  type Merged,
  type SetPort,
  type Worked,
} from '#engine/sets/work-through.ts';

const DONE: Worked = { is: 'completed' };
const BROKEN: Broken = { is: 'broken', why: 'conflict', next: 'mend it', conflicts: ['a'], output: '' };

interface Script {
  readonly work?: (item: string) => Worked;
  readonly merges?: Merged[];
  readonly stop?: AbortController;
}

function port({ work = () => DONE, merges = [], stop = new AbortController() }: Script) {
  const log: string[] = [];
  let [atWork, most, merging] = [0, 0, 0];
  const made: SetPort<string> = {
    stopped: stop.signal,
    work: async (item) => {
      most = Math.max(most, ++atWork);
      log.push(`work ${item}`);
      await new Promise(setImmediate);
      atWork -= 1;
      return work(item);
    },
    merge: async (item) => {
      expect(++merging).toBe(1);
      log.push(`merge ${item}`);
      await new Promise(setImmediate);
      merging -= 1;
      return merges.shift() ?? { is: 'merged' };
    },
    mend: async (item) => {
      log.push(`mend ${item}`);
      return DONE;
    },
  };
  return { port: made, log, most: () => most };
}

const nothing = () => undefined;

test('at most N at once, one merge at a time, and all are merged', async () => {
  const { port: made, most, log } = port({});
  const outcomes = await workThrough(['a', 'b', 'c', 'd', 'e'], 2, made, nothing);
  expect(outcomes.map(({ is }) => is)).toEqual(Array.from({ length: 5 }, () => 'merged'));
  expect(most()).toBe(2);
  expect(log.filter((line) => line.startsWith('merge'))).toHaveLength(5);
});

test('what can’t be merged goes to an agent, and then to a person', async () => {
  const mended = port({ merges: [BROKEN] });
  expect(await workThrough(['a'], 1, mended.port, nothing)).toEqual([{ is: 'merged' }]);
  expect(mended.log).toEqual(['work a', 'merge a', 'mend a', 'merge a']);
  const hopeless = port({ merges: [BROKEN, BROKEN, BROKEN] });
  const [left] = await workThrough(['a'], 1, hopeless.port, nothing);
  expect(left).toMatchObject({ is: 'left', why: 'conflict', next: 'mend it' });
  expect(hopeless.log.filter((line) => line === 'mend a')).toHaveLength(2);
});

test('an item whose loop is not completed is not merged, and the others go on', async () => {
  const left: Worked = { is: 'left', why: 'exhausted', next: null };
  const { port: made, log } = port({ work: (item) => (item === 'a' ? left : DONE) });
  expect(await workThrough(['a', 'b'], 1, made, nothing)).toEqual([left, { is: 'merged' }]);
  expect(log).not.toContain('merge a');
});

test('when it is stopped, no further item begins, and no mending', async () => {
  const stop = new AbortController();
  const { port: made, log } = port({ stop, merges: [BROKEN], work: () => (stop.abort(), DONE) });
  const [first, second] = await workThrough(['a', 'b'], 1, made, nothing);
  expect(first).toMatchObject({ is: 'left', why: 'conflict' });
  expect(second).toMatchObject({ is: 'left', why: 'not begun' });
  expect(log).toEqual(['work a', 'merge a']);
});
