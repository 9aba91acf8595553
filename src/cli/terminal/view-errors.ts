/**
 * Reports views that can't be written: once per cause, not at every iteration. The loop goes on. Errors that occur
 * before a listener is set are kept for it.
 */
import type { Runtime } from '../../store/runtime.ts';
import { sayUnshown } from '../../text/unshown.ts';

export interface Unshown {
  readonly hear: NonNullable<Runtime['unshown']>;
  readonly tellTo: (tell: (text: string) => void) => void;
}

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
