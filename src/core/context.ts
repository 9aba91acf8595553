/**
 * How full an agent's context is. When it is nearly full, the host compacts it, and anything not written down is lost.
 */
import type { Context } from './record/events.ts';

/** Hosts compact a little above this, so the agent still has time to write things down. */
const CROWDED = 0.8;

export function isCrowded(context: Context | null): boolean {
  return context !== null && context.window !== null && context.tokens >= CROWDED * context.window;
}
