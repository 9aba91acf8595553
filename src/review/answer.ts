/** Reads the answer of a reviewer by its structure. */
import { flag, list, parseAs, record, text } from '../core/shape.ts';
import type { EventOf } from '../core/record/events.ts';

const MOST_POINTS = 20;
/** No answer is longer. */
const LONGEST = 20_000;

const spoken = record({ approve: flag, missing: list(text) });

/** The last object in the message that has this form: models put words and fences around it. Null: there is none. */
export function readAnswer(message: string): Pick<EventOf<'reviewed'>, 'answer' | 'words'> | null {
  const said = message.slice(-LONGEST);
  const end = said.lastIndexOf('}') + 1;
  for (let from = end; from > 0;) {
    from = said.lastIndexOf('{', from - 1);
    const found = from < 0 ? null : parseAs(spoken, said.slice(from, end));
    if (found === null) continue;
    // An agent that names something missing has not approved.
    if (found.missing.length > 0) return { answer: 'objected', words: found.missing.slice(0, MOST_POINTS) };
    return found.approve ? { answer: 'approved', words: ['nothing is missing'] } : null;
  }
  return null;
}
