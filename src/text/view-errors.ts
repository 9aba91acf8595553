/** Says that a view can't be written. The loop goes on without it. */
import { oneLine } from '../core/words/sanitize.ts';

/** After the reason, Node adds the call and the file, which may be a temporary one. */
const CALL = /, [a-z]+(?: '[^]*)?$/;
const SHOWN = 200;

export function sayViewError(what: string, why: unknown): string {
  const reason = why instanceof Error ? why.message.replace(CALL, '') : String(why);
  return `${oneLine(what, SHOWN)} can't be written (${oneLine(reason, SHOWN)}); the loop continues without it.`;
}
