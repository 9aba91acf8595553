/** People who submit loops and steer them, from machines with a network of their own. */
import { applyInFleet } from '#fleet/actions.ts';
import { submit } from '#fleet/submit.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import { NO_AMENDMENT } from '#engine/steer/amend.ts';
import { askedOf } from '../asked.ts';
import type { Word } from './facts.ts';
import { SimProcess } from './time.ts';
import type { World } from './world.ts';

const REQUEST = askedOf('Work.', { '--max-iterations': '50' });

/** As often as it takes: the same id is the same loop. */
export async function submitLoop(world: World, id: string, account: string): Promise<void> {
  const process = new SimProcess('submitter', world.scheduler);
  const database = world.server.connect(process, 'dacapo_person');
  const asked = { request: REQUEST, repo: 'sim', ref: 'main', needs: [], account, setup: null, points: null };
  for (;;) {
    try {
      await submit(database, { ...asked, priority: 0, branch: null, commits: true }, id);
      return;
    } catch {
      await process.sleep(500);
    }
  }
}

/** Says it once. Where the answer is lost, nobody knows. */
export async function say(world: World, loop: string, is: Word['is'], request = ''): Promise<void> {
  const { scheduler, facts } = world;
  const process = new SimProcess(`person-${facts.words.length + 1}`, scheduler);
  const database = world.server.connect(process, 'dacapo_person');
  const words = `word-${facts.words.length + 1}`;
  const word: Word = { loop, is, words, sentAt: scheduler.now, answeredAt: null, outcome: 'open' };
  facts.words.push(word);
  try {
    const done = await applyInFleet(database, loop, actionOf(word, request), () => undefined);
    word.outcome = done.ok ? 'done' : 'refused';
  } catch {
    word.outcome = 'unknown';
  }
  word.answeredAt = scheduler.now;
  scheduler.trace(`${process.name}: ${is} ${words} of ${loop} is ${word.outcome}`);
}

function actionOf({ is, words }: Word, request: string): LoopAction {
  switch (is) {
    case 'steer':
      return { is, words };
    case 'answer':
      return { is, request, answer: 'text', note: words };
    case 'amend':
      // Each is another number, so it can be told from the others.
      return { is, ...NO_AMENDMENT, limits: { iterations: 100 + Number(words.slice(5)) } };
    case 'cancel':
    case 'pause':
    case 'resume':
      return { is };
  }
}
