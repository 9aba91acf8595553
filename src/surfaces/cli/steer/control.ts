/**
 * `dacapo cancel`, `pause`, `steer` and `amend`: what a person does to a loop from any terminal, without a
 * model.
 */
import { type Loop, hasEnded } from '#law/loop.ts';
import { cancel, cancelAll, pause, steer } from '#engine/steer/control.ts';
import { cancelWaiting } from '#engine/begin/adopt.ts';
import { statusOf } from '#telling/loop-status.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayEnded, sayUnbegun, sayPaused, sayAmended } from '#telling/person/to-person.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import { STATE_FILE } from '#evidence/views/places.ts';
import { noteUnread, replyFor, sayResume, here, choiceOf, actor } from '../context.ts';
import { EXIT, fail, failFor, say, sayJson, failUsage } from '../terminal/terminal.ts';
import { TERMINAL } from '#telling/audience.ts';
import { loopsUnder } from '#engine/look/loops.ts';
import { amendHere, amendmentIn } from '#engine/steer/amend.ts';
import type { Call, Given } from '../command.ts';
import type { Runtime } from '#store/runtime.ts';

export async function runCancel(
  { id, all, json }: Given<'all' | 'json', 'id'>,
  { runtime }: Call,
): Promise<number> {
  if (all && id !== undefined) return failUsage("an ID can't be given with --all.", 'leave one of them out.');
  const done = all
    ? cancelAll(choiceOf(undefined), actor(), runtime)
    : cancel(choiceOf(id), actor(), runtime);
  if (!done.ok) return failFor(done);
  const { meant, cancelled } = done;
  const waiting = cancelled.length === 0 && id === undefined ? await cancelUnbegun(runtime) : null;
  if (waiting?.is === 'refused')
    return fail(`${STATE_FILE} stays as it is: ${waiting.why}.`, 'delete it yourself.');
  const ended = waiting === null ? cancelled : [waiting.loop];
  const exit = all && noteUnread(runtime) ? EXIT.failed : EXIT.ok;
  if (json) sayJson(ended.map((loop) => statusOf(loop, runtime.now())));
  else if (ended.length > 0)
    say(
      ...ended.map((loop) => sayEnded(loop)),
      ...(waiting === null ? [] : [sayUnbegun(STATE_FILE, waiting.kept)]),
    );
  else if (exit === EXIT.ok) say(nothing(meant));
  return exit;
}

/** A state file in this folder that no session has begun. */
function cancelUnbegun(runtime: Runtime) {
  const place = { project: here(), host: chosenNames().name, prompt: null };
  return cancelWaiting(place, null, actor(), runtime);
}

/** Cancelling an ended loop is not an error: it is already over, as the person wants. */
function nothing([loop]: readonly Loop[]): string {
  return loop === undefined
    ? 'No active Ralph loop in this project.'
    : `Nothing to cancel: loop ${title(loop)} ${sayStatus(loop)}.`;
}

export async function runPause({ id, json }: Given<'json', 'id'>, { runtime }: Call): Promise<number> {
  const paused = pause(choiceOf(id), actor(), runtime);
  if (!paused.ok) return failFor(paused);
  const { loop } = paused;
  const next = { resume: `${TERMINAL.resume} ${loop.id}`, cancel: `${TERMINAL.cancel} ${loop.id}` };
  return replyFor(loop, json, runtime, hasEnded(loop) ? sayEnded(loop) : sayPaused(loop, next));
}

export async function runSteer(
  { loop: first, words: second, json }: Given<'json', 'loop' | 'words'>,
  { runtime }: Call,
): Promise<number> {
  // One argument is what to say, unless it is a loop.
  const isLoop = (word: string) =>
    loopsUnder(null, runtime).some(({ id, name }) => id === word || name === word);
  const isId = second !== undefined || (first !== undefined && isLoop(first));
  const [id, words = ''] = isId ? [first, second] : [undefined, first];
  if (words.trim() === '')
    return failUsage('the message is empty.', ['dacapo steer', id, '"…"'].filter(Boolean).join(' '));
  const steered = steer({ ...choiceOf(id), words, by: actor() }, runtime);
  if (!steered.ok) return failFor(steered);
  const { loop } = steered;
  const given = `Da Capo: the agent of loop ${title(loop)} gets that with its next iteration.`;
  return replyFor(loop, json, runtime, given, ...sayResume(loop));
}

export async function runAmend(
  options: Given<'json', 'id'> & Parameters<typeof amendmentIn>[0],
  { runtime }: Call,
): Promise<number> {
  const order = { ...choiceOf(options.id), by: actor(), ...amendmentIn(options) };
  const amended = await amendHere(order, runtime);
  if (!amended.ok) return failFor(amended);
  const { loop } = amended;
  const resume = hasEnded(loop) ? [`dacapo resume ${loop.id} continues with it.`] : [];
  return replyFor(loop, options.json, runtime, sayAmended(loop), ...resume);
}
