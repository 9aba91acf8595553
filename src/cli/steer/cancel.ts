/** `dacapo cancel`: ends a loop from any terminal, without a model, and removes its view. */
import type { Loop } from '../../core/loop.ts';
import { cancel, cancelAll, cancelWaiting } from '../../operations/steer/cancel.ts';
import { report } from '../../text/report.ts';
import { sayStatus } from '../../text/status.ts';
import { sayEnded, sayUnbegun, title } from '../../text/to-person.ts';
import { chosenNames } from '../../hosts/names.ts';
import { STATE_FILE } from '../../views/markdown/names.ts';
import { choiceOf, noteUnread } from '../loops.ts';
import { here } from '../project.ts';
import { cliWorld, hand } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';

export interface CancelOptions {
  readonly id: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

export async function runCancel({ id, all, json }: CancelOptions): Promise<number> {
  const world = cliWorld();
  if (all && id !== undefined)
    return fail('an ID and --all contradict each other.', 'give one of the two.', EXIT.usage);
  const done = all ? cancelAll(choiceOf(undefined), hand(), world) : cancel(choiceOf(id), hand(), world);
  if (!done.ok) return failFor(done);
  const { meant, cancelled } = done;
  const place = { project: here(), host: chosenNames().name, prompt: null };
  const waiting =
    cancelled.length === 0 && id === undefined ? await cancelWaiting(place, null, hand(), world) : null;
  if (waiting?.is === 'refused')
    return fail(`${STATE_FILE} stays as it is: ${waiting.why}.`, 'delete it yourself.');
  const ended = waiting === null ? cancelled : [waiting.loop];
  const exit = all && noteUnread(world) ? EXIT.failed : EXIT.ok;
  if (json) sayJson(ended.map((loop) => report(loop, world.now())));
  else if (ended.length > 0)
    say(
      ...ended.map((loop) => sayEnded(loop)),
      ...(waiting === null ? [] : [sayUnbegun(STATE_FILE, waiting.kept)]),
    );
  else if (exit === EXIT.ok) say(nothing(meant));
  return exit;
}

/** Cancelling an ended loop is no error: it is already over, as the person wants. */
function nothing([loop]: readonly Loop[]): string {
  return loop === undefined
    ? 'No active Ralph loop in this project.'
    : `Nothing to cancel: loop ${title(loop)} ${sayStatus(loop)}.`;
}
