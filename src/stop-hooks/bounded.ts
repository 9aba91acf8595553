/** What hooks said, as the journal keeps it: nothing in it is too long. */
import type { HookRecord as Accounted, HookEvaluation } from '../core/stop-hooks.ts';
import { harmless, headOf } from '../core/words/sanitize.ts';
import type { Evaluation, HookAccount } from './evaluate.ts';

const REASON = 1_000;
/** The continuation has room for this much. */
const NEXT_PROMPT = 4_000;
/** Checkpoints and metadata describe the state of the work; they are not a backup. */
const LARGEST = 256 * 1024;

export function bounded(asked: Evaluation): HookEvaluation {
  return {
    hook: asked.hookId,
    action: asked.action,
    reason: cut(asked.reason, REASON),
    next: asked.nextPrompt === undefined ? null : cut(asked.nextPrompt, NEXT_PROMPT),
    metadata: asked.metadata === undefined ? {} : plain(asked.metadata, 'metadata', asked.hookId),
    account: asked.account.map(accounted),
    checkpoints: asked.checkpoints.map(({ hookId, data }) => ({
      hook: hookId,
      data: plain(data, 'checkpoint', hookId),
    })),
  };
}

function accounted(account: HookAccount): Accounted {
  if (!('result' in account)) return { hook: account.hookId, is: account.is };
  const { hookId, is, ms, result } = account;
  return { hook: hookId, is, action: result.action, reason: cut(result.reason, REASON), ms: Math.round(ms) };
}

function plain(data: object, what: string, hook: string): Record<string, unknown> {
  const written = JSON.stringify(data);
  if (written.length > LARGEST)
    throw new Error(`the ${what} of stop hook ${hook} is larger than ${LARGEST / 1024} KB`);
  return JSON.parse(written) as Record<string, unknown>;
}

function cut(text: string, most: number): string {
  const clean = harmless(text);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
