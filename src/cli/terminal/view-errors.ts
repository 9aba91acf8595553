/**
 * Reports views that can't be written: once per cause, not at every iteration. The loop goes on. Errors that occur
 * before a listener is set are kept for it.
 */
import { oneLine } from '../../core/words/sanitize.ts';
import type { Runtime } from '../../store/runtime.ts';

export interface Unshown {
  readonly hear: NonNullable<Runtime['unshown']>;
  readonly tellTo: (tell: (text: string) => void) => void;
}

/** After the reason, Node adds the call and the file, which may be a temporary one. */
const CALL = /, [a-z]+(?: '[^]*)?$/;
const SHOWN = 200;

export function openUnshown(): Unshown {
  const told = new Set<string>();
  const waiting: string[] = [];
  let tell = (text: string): unknown => waiting.push(text);
  return {
    hear: (what, why) => {
      const text = sayUnshown(what, why);
      if (told.has(text)) return;
      told.add(text);
      tell(text);
    },
    tellTo: (listener) => {
      tell = listener;
      for (const text of waiting.splice(0)) listener(text);
    },
  };
}

function sayUnshown(what: string, why: unknown): string {
  const reason = why instanceof Error ? why.message.replace(CALL, '') : String(why);
  return `${oneLine(what, SHOWN)} can't be written (${oneLine(reason, SHOWN)}); the loop continues without it.`;
}
