/** Short phrases that both the agent and the person read, so both get the same wording. */
import type { CheckProof, Escalation, Missing } from '../record/verdict.ts';
import type { EventOf } from '../record/events.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { FrameRecord } from '../record/definition.ts';
import { reviewsOf } from '../gates.ts';
import { type Frame, type Loop } from '../loop.ts';
import { sayQuestioned } from '../proof/news.ts';

const MAX_COMMAND_CHARS = 120;

export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Of the open pass, if no other is named. */
export function ofIterations(loop: Loop, iteration = loop.frame.passes + 1): string {
  const { iterations, item } = loop.frame;
  const where = item
    ? ` on item ${item.n} of ${item.of}`
    : loop.around.length > 0
      ? ' of the inner task'
      : '';
  return `${iteration}${iterations === null ? ' (no limit)' : ` of ${iterations}`}${where}`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

export function sayCheck({ name, command }: Pick<CheckProof, 'name' | 'command'>): string {
  return `${name === null ? '' : `${name} `}\`${oneLine(command, MAX_COMMAND_CHARS)}\``;
}

/** Enough to recognise them. */
const MAX_HOOKS_LISTED = 6;

export function sayHooks({ names }: { readonly names: readonly string[] }): string {
  return `the stop hooks agree (${few(names, (name) => oneLine(name, 60), MAX_HOOKS_LISTED).join(', ')})`;
}

export function sayReviewer({ host, model }: Pick<EventOf<'reviewed'>, 'host' | 'model'>): string {
  return model === null ? host : `${host} (${oneLine(model, 60)})`;
}

export function sayReviews(frame: Frame): string[] {
  return reviewsOf(frame).map((review) => `${sayReviewer(review)} approves`);
}

export function sayMissing(missing: Missing): string {
  if ('says' in missing) return missing.says;
  if (missing.gate === 'check') return `check ${sayCheck(missing)} ${missing.outcome}`;
  const { seen, wanted, questioned } = missing;
  const promise = `the promise <promise>${wanted}</promise>`;
  return seen ?? (questioned ? sayQuestioned(promise, questioned) : `${promise} has not been given`);
}

/**
 * The agent gets the details of a near miss, and what to do. The person only needs to know that it did not
 * count.
 */
export function sayOpen(missing: Missing): string {
  if (missing.gate === 'confirmed') return `the gates hold; confirmed ${missing.times} of ${missing.of}`;
  if (missing.gate === 'promise' && missing.seen !== null)
    return `the promise <promise>${missing.wanted}</promise> has not been given in the way that counts`;
  const said = sayMissing(missing);
  return said.endsWith('.') ? said.slice(0, -1) : said;
}

/** It may not know more of a check that is held out from it. */
export function sayMissingToAgent(missing: Missing): string {
  return missing.gate === 'check' && missing.heldOut
    ? `a check that you can't see ${missing.outcome} (${missing.command})`
    : sayMissing(missing);
}

/** What is asked for beside the gates, to follow them. */
export function sayNotBefore({ atLeast, confirm }: Pick<FrameRecord, 'atLeast' | 'confirm'>): string {
  const least = atLeast > 1 ? `, not before iteration ${atLeast}` : '';
  const sure = confirm === undefined ? '' : `, confirmed by ${plural(confirm, 'iteration')} without a change`;
  return `${least}${sure}`;
}

export function sayEscalation(why: Escalation): string {
  const words = 'words' in why ? oneLine(why.words, 300) : '';
  switch (why.is) {
    case 'blocked':
    case 'asked': {
      const says = why.is === 'asked' ? 'the agent asks for a person' : 'the agent says that it is blocked';
      return words === '' ? says : `${says}: ${words}`;
    }
    case 'stuck':
      return 'the agent says that it is stuck';
    case 'undone':
      return sayUndone(why.items, why.gone ?? 0);
    case 'fatal':
      return `the host reports an error that no retry can fix (${words})`;
    case 'planted':
      return sayPlanted(why);
    case 'unanswered':
      return `nobody answered in time: ${words}`;
    case 'unreadable':
      return `${oneLine(why.why, 300)}, so nothing can be proven`;
    case 'vetoed':
    case 'unreviewed':
    case 'uncounted':
      return oneLine(why.why, 500);
    case 'unprovable':
      return (
        `check \`${oneLine(why.command, MAX_COMMAND_CHARS)}\` could not be run ` +
        `(${oneLine(why.error, 200)}), so nothing can be proven`
      );
  }
}

const MAX_PLANTED_LISTED = 5;

export function sayPlanted({
  host,
  files,
}: {
  readonly host: string;
  readonly files: readonly string[];
}): string {
  const names = few(files, (file) => oneLine(file, 160), MAX_PLANTED_LISTED).join(', ');
  return `files that ${host} runs or obeys by itself have changed since the run began: ${names}`;
}

/** A file that matches later counts as added, so the pattern still has an effect. */
export function sayUnmatched(globs: readonly string[]): string {
  return (
    `no file matches --protect ${oneLine(globs.join(', '), MAX_COMMAND_CHARS)}, so there is nothing to ` +
    'keep; making such a file counts as a change.'
  );
}

function sayUndone(items: number, gone: number): string {
  const undone = `every item had its turn, and ${items} of them ${items === 1 ? 'is' : 'are'} not done`;
  if (gone === 0) return undone;
  return `${items === 0 ? '' : `${undone}; `}${plural(gone, 'item')} left the list without a turn`;
}

export function sayProtect(globs: readonly string[]): string {
  const stay = globs.length === 1 ? 'stays as it is' : 'stay as they are';
  return `${oneLine(globs.join(', '), MAX_COMMAND_CHARS)} ${stay}`;
}

export function few<T>(items: readonly T[], say: (item: T) => string, most: number): string[] {
  const more = items.length - most;
  return [...items.slice(0, most).map(say), ...(more > 0 ? [`and ${more} more`] : [])];
}

const MAX_FILES_LISTED = 5;
const MAX_FILE_CHARS = 120;

/**
 * File names in a sentence: only a few of them, shortened, and without control characters for the terminal.
 */
export function sayNames(files: readonly string[]): string {
  return few(files, (file) => oneLine(file, MAX_FILE_CHARS), MAX_FILES_LISTED).join(', ');
}
