/** The one message at the end of a loop: how it ended, what is still open, and what continues it. */
import type { Missing } from '#law/record/verdict.ts';
import { few, plural, sayOpen } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { framesOf, isCircuitOpen, type Loop, type Status } from '#law/loop.ts';
import { sayGone } from './nesting.ts';
import { sayAdvice } from '../advice.ts';
import { inQuotes, inSession, inTerminal, type Commands } from '../audience.ts';
import { adviseAgain } from '../next-step.ts';
import { sayStatus, title } from './status.ts';

const MAX_MISSING_LISTED = 6;
const MAX_NAMES_LISTED = 5;
const MAX_ITEM_CHARS = 100;

/** The one message at an ending. `here`: the reader is in its session. */
export function sayEnded(loop: Loop, here: Commands | null = null): string {
  const verdict = loop.last?.verdict;
  const lacks = verdict !== undefined && 'missing' in verdict ? verdict.missing : [];
  const missing = lacks.filter((one) => !isTheReason(one, loop.status));
  // If the circuit opened, what is open is the reason itself.
  const stillOpen =
    loop.status.is === 'completed' || missing.length === 0 || isCircuitOpen(loop)
      ? ''
      : ` Still open: ${few(missing, sayOpen, MAX_MISSING_LISTED).join('; ')}.`;
  const summary = sayInner(loop);
  const again = sayAgain(loop, here);
  return (
    `Da Capo: loop ${title(loop)} ` +
    `${sayStatus(loop)}.${summary && ` ${summary}`}${stillOpen}${again && ` ${again}`}`
  );
}

/** To follow `NO_LOOP`: what became of the last loop. */
export function sayLast(loop: Loop, commands: Commands): string {
  const again = sayAgain(loop, commands);
  return `Its last one, ${title(loop)}, ${sayStatus(loop)}.${again && ` ${again}`}`;
}

function sayAgain(loop: Loop, here: Commands | null): string {
  const advice = adviseAgain(loop);
  if (advice === '') return '';
  return sayAdvice(advice, here === null ? inQuotes(inTerminal) : inSession(here, false));
}

export function sayUnbegun(file: string, kept: string): string {
  return `It was ${file}, which no session had begun. A copy is kept in ${kept}.`;
}

export function sayInner(loop: Loop): string {
  return framesOf(loop)
    .flatMap(({ inner, items, gone }) => {
      const ended = inner.complete + inner.exhaust + inner.escalate;
      const left = gone.count === 0 ? [] : [sayGone(gone, loop.id)];
      if (ended === 0) return left;
      const undone = inner.last.filter(({ outcome }) => outcome !== 'complete');
      const unnamed = ended - inner.complete - undone.length;
      const names = [
        // An inner task has no name, so why it ended must do.
        ...undone.map(({ item, why }) =>
          item === null
            ? oneLine(why, MAX_ITEM_CHARS)
            : `${oneLine(item, MAX_ITEM_CHARS)} (${oneLine(why, MAX_ITEM_CHARS)})`,
        ),
        ...(unnamed > 0 ? [`${unnamed} earlier ones`] : []),
      ];
      const [what, how] = items === null ? ['inner task', 'ended undone'] : ['item', 'not completed'];
      const named = few(names, (name) => name, MAX_NAMES_LISTED).join(', ');
      const which = names.length === 0 ? '' : `; ${how}: ${named}`;
      return [`${inner.complete} of ${plural(ended, what)} completed${which}.`, ...left];
    })
    .join(' ');
}

/** The words of a veto are already in the reason. */
function isTheReason(missing: Missing, status: Status): boolean {
  if (status.is !== 'escalated') return false;
  const { why } = status;
  if (why.is === 'unprovable') return missing.gate === 'check' && missing.command === why.command;
  return (why.is === 'vetoed' || why.is === 'unreadable') && 'says' in missing && missing.says === why.why;
}
