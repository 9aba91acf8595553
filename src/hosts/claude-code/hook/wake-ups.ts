/** Prompts that the session has scheduled for itself. They wake it only after an allowed stop. */
import { isRecord } from '../../../core/shape.ts';
import type { BackgroundTask } from '../../../core/stop.ts';

/** One that rings again and again holds a loop once, like a shell: it would hold it for ever. */
export function wakeUpsOf(crons: unknown): BackgroundTask[] {
  if (!Array.isArray(crons)) return [];
  return crons.filter(isRecord).map(({ id, recurring, prompt }) => ({
    id: typeof id === 'string' ? id : '',
    kind: recurring === true ? 'shell' : 'agent',
    description: typeof prompt === 'string' ? prompt : '',
  }));
}
