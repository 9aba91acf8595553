/** The messages about a context that is nearly full. */
import type { Context } from '../../core/record/events.ts';
import { sayContext } from '../usage.ts';

export function sayCrowded(context: Context | null): { readonly toAgent: string; readonly toPerson: string } {
  const full = context === null ? 'nearly full' : sayContext(context);
  return {
    toAgent: `Your context is at ${full}, and will soon be compacted. What is only in the context is then lost. Note your progress, what you have learnt and what comes next in files of the project now.`,
    toPerson: `The context is at ${full}; the agent is told to note its progress in files.`,
  };
}
