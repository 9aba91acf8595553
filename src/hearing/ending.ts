/** What the person is told of a loop that has ended, rests or can't be trusted, and what goes with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Loop } from '../core/loop.ts';
import { sayStatus } from '../text/status.ts';
import { sayEnded, sayPaused, title } from '../text/to-person.ts';
import { SILENCE, type Answer, type Sender } from '../hosts/host.ts';
import { isNews } from '../store/file/once.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { dropSession } from '../store/file/sessions.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { showViews } from '../views/views.ts';
import type { World } from '../store/runtime.ts';

/** The session's entry stands until its person has read how the loop ended: whoever takes it away, tells. */
export function sayEnd(open: OpenLoop, loop: Loop, from: Sender, world: World): Answer {
  showViews(open, world);
  open.keep();
  const first = loop.owner === null || dropSession(world.home, loop.owner.session);
  return first ? { is: 'tell', toPerson: sayEnded(loop, from.commands) } : SILENCE;
}

/** Its view was deleted or spoiled while nobody looked: a prompt or a new session finds that out. */
export function endedMeanwhile(loop: Loop, from: Sender, world: World): Answer {
  if (loop.owner !== null) dropSession(world.home, loop.owner.session);
  return { is: 'tell', toPerson: sayEnded(loop, from.commands) };
}

/** A second process with the same session: it is let through, and told. */
export function sayHeld(loop: Loop): Answer {
  return {
    is: 'tell',
    toPerson: `Da Capo: loop ${title(loop)} is held by process ${loop.owner?.process ?? '?'} with this same session; this one is let through.`,
  };
}

export function sayStanding(loop: Loop): Answer {
  return { is: 'tell', toPerson: `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.` };
}

/** A pause is said at the stop of the pass that was under way, and not at every one after it. */
export function notLive(open: OpenLoop, loop: Loop, from: Sender, world: World): Answer {
  const { status, chain } = loop;
  if (hasEnded(loop)) return sayEnd(open, loop, from, world);
  const underWay = status.is === 'paused' && status.why === 'command' && chain === from.prompt;
  return underWay ? sayPausedOnce(loop, from, world) : SILENCE;
}

/** Once, also where the hook is registered twice. */
function sayPausedOnce(loop: Loop, { session, commands }: Sender, world: World): Answer {
  const news = isNews(world.home, `${session} ${loop.id} paused ${loop.updatedAt}`);
  return news ? { is: 'tell', toPerson: sayPaused(loop, commands) } : SILENCE;
}

/** Rule 4: the record has a line that is no event. It is copied as it was found, and the loop ends. */
export function abortBroken(open: OpenLoop, from: Sender, world: World): Answer {
  const evidence = keepEvidence(
    open.dir,
    'broken-journal.jsonl',
    readFileSync(join(open.dir, 'journal.jsonl')),
  );
  const detail = `the journal has a line that is no event: ${open.broken() ?? ''}`;
  return sayEnd(
    open,
    open.write({ type: 'aborted', at: world.now(), why: 'journal', detail, evidence }),
    from,
    world,
  );
}

/** Rule 4, where not even the beginning of the record can be read: it stays as it is, and nobody is held by it. */
export function letGo(loop: string, session: string, world: World): Answer {
  dropSession(world.home, session);
  const dir = join(world.home.loops, loop);
  world.log(`Stop session=${session} loop=${loop} let go: ${dir} can't be read`);
  return { is: 'tell', toPerson: `Da Capo: loop ${loop} is let go: ${dir} can't be read.` };
}
