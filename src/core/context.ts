/** How full an agent's context is. Near the end its host compacts it, and what stands nowhere else is lost. */
import type { Context } from './record/events.ts';

/** Hosts compact by themselves somewhat above this: there is time left to write things down. */
const CROWDED = 0.8;

export function isCrowded(context: Context | null): boolean {
  return context !== null && context.window !== null && context.tokens >= CROWDED * context.window;
}
