/** The loops of this machine, for the verbs: does what a person asked for, and tells what came of it. */
import { type Loop, hasEnded } from '#law/loop.ts';
import { cancel, cancelAll, pause, steer } from '#engine/steer/control.ts';
import { statusOf } from '#telling/loop-status.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayEnded, sayUnbegun } from '#telling/person/ended.ts';
import { sayPaused, sayAmended } from '#telling/person/to-person.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import { STATE_FILE } from '#evidence/views/places.ts';
import { noteUnread, replyFor, sayResume, here, choiceOf, actor } from '../context.ts';
import { EXIT, fail, failFor, printLines, sayJson, failUsage } from '../terminal/terminal.ts';
import type { ActedOn } from '#engine/look/find.ts';
import { onlyRequest, requestsToActOn } from '#engine/requests/answer.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import type { Amendment } from '#engine/steer/amend.ts';
import { inTerminal, TERMINAL } from '#telling/audience.ts';
import { loopsUnder } from '#engine/look/loops.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import type { ActionRecord } from './verbs.ts';
import type { Runtime } from '#store/runtime.ts';

export function machineRecord(runtime: Runtime): ActionRecord {
  return {
    audience: inTerminal,
    isLoop: (word) => loopsUnder(null, runtime).some(({ id, name }) => id === word || name === word),
    onlyRequest: (answer) => onlyRequest(requestsToActOn(choiceOf(undefined), runtime), answer, TERMINAL),
    act: (id, action, json) => actOnMachine(id, action, json, runtime),
  };
}

async function actOnMachine(
  id: string | undefined,
  action: LoopAction,
  json: boolean,
  runtime: Runtime,
): Promise<number> {
  switch (action.is) {
    case 'cancel':
      return cancelOnMachine(id, json, runtime);
    case 'pause':
      return tellPaused(pause(choiceOf(id), actor(), runtime), json, runtime);
    case 'steer':
      return tellSteered(
        steer({ ...choiceOf(id), words: action.words, by: actor() }, runtime),
        json,
        runtime,
      );
    case 'amend':
      return tellAmended(await amend(id, action, runtime), json, runtime);
    case 'resume':
      return (await import('./resume.ts')).resumeOnMachine(id, action, json, runtime);
    case 'answer':
      return (await import('../answer/approvals.ts')).answerOnMachine(id ?? null, action, json, runtime);
    case 'trust':
      throw new Error('dacapo trust agrees to the files of this machine');
  }
}

/** Loaded for this verb alone: it tries new checks and takes measures. */
async function amend(id: string | undefined, action: Amendment, runtime: Runtime): Promise<ActedOn> {
  const { amendHere } = await import('#engine/steer/amend.ts');
  return amendHere({ ...choiceOf(id), ...action, by: actor() }, runtime);
}

export async function runCancelHere(
  { id, all, json }: GivenFlags<'all' | 'json', 'id'>,
  { runtime }: CommandCall,
): Promise<number> {
  if (!all) return cancelOnMachine(id, json, runtime);
  if (id !== undefined) return failUsage("an ID can't be given with --all.", 'leave one of them out.');
  const done = cancelAll(choiceOf(undefined), actor(), runtime);
  return tellCancelled(done, { isOne: false, json }, runtime, noteUnread(runtime));
}

function cancelOnMachine(id: string | undefined, json: boolean, runtime: Runtime): Promise<number> {
  const done = cancel(choiceOf(id), actor(), runtime);
  return tellCancelled(done, { isOne: id !== undefined, json }, runtime);
}

async function tellCancelled(
  done: ReturnType<typeof cancel>,
  { isOne, json }: { readonly isOne: boolean; readonly json: boolean },
  runtime: Runtime,
  isPartial = false,
): Promise<number> {
  if (!done.ok) return failFor(done);
  const { meant, cancelled } = done;
  const waiting = cancelled.length === 0 && !isOne ? await cancelUnbegun(runtime) : null;
  if (waiting?.is === 'refused')
    return fail(`${STATE_FILE} stays as it is: ${waiting.why}.`, 'delete it yourself.');
  const ended = waiting === null ? cancelled : [waiting.loop];
  const exit = isPartial ? EXIT.failed : EXIT.ok;
  if (json) sayJson(ended.map((loop) => statusOf(loop, runtime.now())));
  else if (ended.length > 0)
    printLines(
      ...ended.map((loop) => sayEnded(loop)),
      ...(waiting === null ? [] : [sayUnbegun(STATE_FILE, waiting.kept)]),
    );
  else if (exit === EXIT.ok) printLines(nothing(meant));
  return exit;
}

/** A state file in this folder that no session has begun. */
async function cancelUnbegun(runtime: Runtime) {
  const { cancelWaiting } = await import('#engine/begin/adopt.ts');
  const place = { project: here(), host: chosenNames().name, prompt: null };
  return cancelWaiting(place, null, actor(), runtime);
}

/** Cancelling an ended loop is not an error: it is already over, as the person wants. */
function nothing([loop]: readonly Loop[]): string {
  return loop === undefined
    ? 'No active Ralph loop in this project.'
    : `Nothing to cancel: loop ${title(loop)} ${sayStatus(loop)}.`;
}

function tellPaused(paused: ActedOn, json: boolean, runtime: Runtime): number {
  if (!paused.ok) return failFor(paused);
  const { loop } = paused;
  const next = { resume: `${TERMINAL.resume} ${loop.id}`, cancel: `${TERMINAL.cancel} ${loop.id}` };
  return replyFor(loop, json, runtime, hasEnded(loop) ? sayEnded(loop) : sayPaused(loop, next));
}

function tellSteered(steered: ActedOn, json: boolean, runtime: Runtime): number {
  if (!steered.ok) return failFor(steered);
  const { loop } = steered;
  const given = `Da Capo: the agent of loop ${title(loop)} gets that with its next iteration.`;
  return replyFor(loop, json, runtime, given, ...sayResume(loop));
}

function tellAmended(amended: ActedOn, json: boolean, runtime: Runtime): number {
  if (!amended.ok) return failFor(amended);
  const { loop } = amended;
  const resume = hasEnded(loop) ? [`dacapo resume ${loop.id} continues with it.`] : [];
  return replyFor(loop, json, runtime, sayAmended(loop), ...resume);
}
