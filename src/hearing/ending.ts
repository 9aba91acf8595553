/** What the person is told of a loop that has ended, rests or can't be trusted, and what goes with it. */
import { hasEnded, type Loop } from '../core/loop.ts';
import { sayStatus } from '../text/status.ts';
import { sayEnded, sayPaused, title } from '../text/to-person.ts';
import { SILENCE, type Answer, type Sender } from '../hosts/arrival.ts';
import { keepEvidence } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { showViews } from '../views/views.ts';
import type { Runtime } from '../store/runtime.ts';

/** The session's entry stands until its person has read how the loop ended: whoever takes it away, tells. */
export function sayEnd(open: OpenLoop, loop: Loop, from: Sender, world: Runtime): Answer {
  showViews(open, world);
  open.keep();
  const first = loop.owner === null || world.store.sessions.drop(loop.owner.session);
  return first ? { is: 'tell', toPerson: sayEnded(loop, from.commands) } : SILENCE;
}

/** Its view was deleted or spoiled while nobody looked: a prompt or a new session finds that out. */
export function endedMeanwhile(loop: Loop, from: Sender, world: Runtime): Answer {
  if (loop.owner !== null) world.store.sessions.drop(loop.owner.session);
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
export function notLive(open: OpenLoop, loop: Loop, from: Sender, world: Runtime): Answer {
  const { status, chain } = loop;
  if (hasEnded(loop)) return sayEnd(open, loop, from, world);
  const underWay = status.is === 'paused' && status.why === 'command' && chain === from.prompt;
  return underWay ? sayPausedOnce(loop, from, world) : SILENCE;
}

/** Once, also where the hook is registered twice. */
function sayPausedOnce(loop: Loop, { session, commands }: Sender, world: Runtime): Answer {
  const news = world.store.once.isNews(`${session} ${loop.id} paused ${loop.updatedAt}`);
  return news ? { is: 'tell', toPerson: sayPaused(loop, commands) } : SILENCE;
}

/** Rule 4: the record has a line that is no event. It is copied as it was found, and the loop ends. */
export function abortBroken(open: OpenLoop, from: Sender, world: Runtime): Answer {
  const evidence = keepEvidence(open.blobs, 'broken-journal.jsonl', open.journal.raw());
  const detail = `the journal has a line that is no event: ${open.broken() ?? ''}`;
  return sayEnd(
    open,
    open.write({ type: 'aborted', at: world.now(), why: 'journal', detail, evidence }),
    from,
    world,
  );
}

/** Rule 4, where not even the beginning of the record can be read: it stays as it is, and nobody is held by it. */
export function letGo(loop: string, session: string, world: Runtime): Answer {
  world.store.sessions.drop(session);
  const dir = world.store.place(loop);
  world.log(`Stop session=${session} loop=${loop} let go: ${dir} can't be read`);
  return { is: 'tell', toPerson: `Da Capo: loop ${loop} is let go: ${dir} can't be read.` };
}
