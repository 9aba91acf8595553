/**
 * Tells the person that a loop has ended, rests, can't be trusted or can't be shown, and cleans up after it.
 */
import { hasEnded, type Loop } from '#law/loop.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { sayPaused } from '#telling/person/to-person.ts';
import { SILENCE, type Answer, type Sender, type Arrival } from '#hosts/port/arrival.ts';
import { keepEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayViewError } from '#telling/person/fault.ts';

/** Whichever process removes the session entry reports the ending, so the person hears it exactly once. */
export function sayEnd(open: OpenLoop, loop: Loop, from: Sender, runtime: Runtime): Answer {
  showAndKeep(open, runtime);
  const first = loop.session.owner === null || runtime.store.sessions.drop(loop.session.owner.session);
  return first ? { is: 'tell', toPerson: sayEnded(loop, from.commands) } : SILENCE;
}

/** The view was deleted or damaged between stops. A prompt or a new session finds that out. */
export function endedMeanwhile(loop: Loop, from: Sender, runtime: Runtime): Answer {
  if (loop.session.owner !== null) runtime.store.sessions.drop(loop.session.owner.session);
  return { is: 'tell', toPerson: sayEnded(loop, from.commands) };
}

/** A second process with the same session is let through, and its person is told. */
export function sayHeld(loop: Loop): Answer {
  return {
    is: 'tell',
    toPerson:
      `Da Capo: loop ${title(loop)} is held by process ${loop.session.owner?.process ?? '?'} with this ` +
      'same session; this one is let through.',
  };
}

export function sayStanding(loop: Loop): Answer {
  return { is: 'tell', toPerson: `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.` };
}

/** A pause is reported at the stop of the pass that was under way, and at no later stop. */
export function notLive(open: OpenLoop, loop: Loop, from: Sender, runtime: Runtime): Answer {
  const { status } = loop;
  const { chain } = loop.session;
  if (hasEnded(loop)) return sayEnd(open, loop, from, runtime);
  const underWay = status.is === 'paused' && status.why === 'command' && chain === from.prompt;
  // Reported once, even if the hook is registered twice.
  const news = underWay && runtime.store.once.isNews(`${from.session} ${loop.id} paused ${loop.updatedAt}`);
  return news ? { is: 'tell', toPerson: sayPaused(loop, from.commands) } : SILENCE;
}

/** Rule 4: the journal has a line that is not an event. We copy the journal as found and end the loop. */
export function abortBroken(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  const evidence = keepEvidence(open.blobs, 'broken-journal.jsonl', open.journal.raw());
  const detail = `the journal has a line that is not an event: ${open.broken() ?? ''}`;
  return sayEnd(
    open,
    open.write({ type: 'aborted', at: runtime.now(), why: 'journal', detail, evidence }),
    from,
    runtime,
  );
}

/**
 * Rule 4, if not even the start of the journal can be read. We leave it unchanged and release the session.
 */
export function releaseSession(loop: string, session: string, runtime: Runtime): Answer {
  runtime.store.sessions.drop(session);
  const dir = runtime.store.place(loop);
  runtime.log(`Stop session=${session} loop=${loop} let go: ${dir} can't be read`);
  return { is: 'tell', toPerson: `Da Capo: loop ${loop} is released: ${dir} can't be read.` };
}

export interface ViewError {
  readonly what: string;
  readonly why: unknown;
}

/** Once per cause: a view of the loop can't be written. */
export function withViewErrors(
  answer: Answer,
  viewErrors: readonly ViewError[],
  { is, from }: Arrival,
  { store }: Runtime,
): Answer {
  // Nobody reads the answer to these, and a call that is let through has no words for the person.
  if (is === 'session-end' || is === 'fault' || answer.is === 'permit') return answer;
  const words = viewErrors.map(({ what, why }) => sayViewError(what, why));
  const news = [...new Set(words)].filter((line) => store.once.isNews(`${from.session} ${line}`));
  if (news.length === 0) return answer;
  const notes = news.map((line) => `Note: ${line}`).join('\n');
  return answer.is === 'silence'
    ? { is: 'tell', toPerson: `Da Capo: ${news.join(' ')}` }
    : { ...answer, toPerson: answer.toPerson === null ? notes : `${answer.toPerson}\n${notes}` };
}
