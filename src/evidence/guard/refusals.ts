/**
 * Tells the agent that it must not write to the files that prove its work: what, why, and what to do instead.
 */
import { oneLine } from '#base/words/sanitize.ts';

export type Forbidden =
  | ForbiddenFile
  | { readonly is: 'command'; readonly command: string }
  /** A call of a tool that writes or runs something, with a field that nobody has classified. */
  | { readonly is: 'unknown'; readonly tool: string }
  /** A shell whose commands would be typed later, where no hook sees them. */
  | { readonly is: 'typed' }
  /** It names the file with the checks that the agent may not see. */
  | { readonly is: 'held-out' }
  /** A shell line that can't be judged in time. */
  | { readonly is: 'too-long' };

export interface ForbiddenFile {
  /**
   * Below $DACAPO_HOME; a view of a loop, which holds what the person asked for; the config; what judges (the
   * host's settings, our programs, the transcript); the folders in which a person answers; a protected file;
   * the list of items.
   */
  readonly is: 'home' | 'definition' | 'config' | 'judge' | 'answers' | 'protected' | 'items';
  readonly path: string;
  /** Only mentioned, in a text that we don't read as a shell would. */
  readonly inText?: boolean;
}

const MAX_PATH_CHARS = 200;

const BLOCKED = "If you can't continue without a person, end with <promise>BLOCKED: why</promise>.";

/** An honest reader has to know how to get through. */
const IN_TEXT =
  ' (This line holds more than plain commands, so what it mentions counts. To read or run the file, ' +
  'use plain commands: no variables, loops, substitutions or code.)';

export function sayForbidden(what: Forbidden, globs: readonly string[]): string {
  const way = 'inText' in what && what.inText ? IN_TEXT : '';
  return `Da Capo refuses this: ${sayWhatIsForbidden(what, globs)}${way}`;
}

function sayWhatIsForbidden(what: Forbidden, globs: readonly string[]): string {
  if (what.is === 'too-long')
    return (
      'the line is too long to be judged. Write files with Write or Edit, put longer steps into a ' +
      `script, and run the rest in several short lines. ${BLOCKED}`
    );
  if (what.is === 'unknown')
    return (
      `this call of ${clipped(what.tool)} has fields that Da Capo does not know, or lacks one that it ` +
      `needs, so it can't tell what would be written. Repeat it with the usual fields only: one path, ` +
      `or one command. ${BLOCKED}`
    );
  if (what.is === 'typed')
    return (
      'it starts a shell into which commands are typed, and protected files are beside it. Run each ' +
      `command in a call of its own. ${BLOCKED}`
    );
  if (what.is === 'held-out')
    return (
      'it names the checks that are held out from you. Do the whole task as it is written, and they ' +
      `pass. ${BLOCKED}`
    );
  if (what.is === 'command')
    return (
      `\`${clipped(what.command)}\` is for a person to say, in a terminal of their own. Continue with ` +
      `the task. ${BLOCKED}`
    );
  const why =
    what.is === 'protected'
      ? `is protected (--protect ${clipped(globs.join(', '))}): it tells whether the task is done. ` +
        'Make the code pass the test instead of changing the test. If the test is wrong, end with ' +
        '<promise>BLOCKED: why</promise>.'
      : REASONS[what.is];
  return `${clipped(what.path)} ${why}`;
}

const REASONS = {
  home:
    'belongs to its own record of your loop, which is not yours to write. The loop ends when the task ' +
    `is proven done: continue with the task. ${BLOCKED}`,
  definition:
    'holds the definition of the loop that you work in, which a person may change and you may not. ' +
    `Continue with the task. ${BLOCKED}`,
  config:
    'says how your work is checked, and stays as it is while the loop runs. Make the code pass the ' +
    `checks instead of changing them. ${BLOCKED}`,
  judge:
    'decides how your work is judged, or records it, and stays as it is while the loop runs. Continue ' +
    `with the task. ${BLOCKED}`,
  answers:
    'holds what a person was asked, and only a person answers there. Continue with the task; if you ' +
    'have to wait for the answer, end your turn.',
  items:
    'lists the items of your loop, and those that have not had their turn stay in it as they are. You ' +
    'may add items, and tick the one that you work on, with Edit or Write. Continue with the task. ' +
    `${BLOCKED}`,
};

/** Calls of the loop need approvals, and something failed before we knew whether this one does. */
export function sayUnjudged(why: string): string {
  return (
    `Da Capo refuses this: whether it needs an approval could not be found out (${clipped(why)}). ` +
    'Continue with the task without it.'
  );
}

function clipped(text: string): string {
  return oneLine(text, MAX_PATH_CHARS);
}
