/** Prompts that the session has scheduled for itself. They wake it only after an allowed stop. */
import { isRecord } from '../../../core/shape.ts';
import type { BackgroundTask } from '../../../core/stop.ts';

/** A recurring wake-up lets a loop wait once, like a background shell. Otherwise the loop would wait for ever. */
export function wakeUpsOf(crons: unknown): BackgroundTask[] {
  if (!Array.isArray(crons)) return [];
  return crons.filter(isRecord).map(({ id, recurring, prompt }) => ({
    id: typeof id === 'string' ? id : '',
    kind: recurring === true ? 'shell' : 'agent',
    description: typeof prompt === 'string' ? prompt : '',
  }));
}
