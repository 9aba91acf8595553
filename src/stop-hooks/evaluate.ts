/**
 * The rule of order: hooks are asked as they were registered; the first `complete` or `escalate` ends it; otherwise
 * the last `continue` stands, one that abstained only where nobody said more. Disabled hooks are skipped.
 */
import { ask, type Asked, type Clock } from './ask.ts';
import type { AgentContext, CheckpointData, StopHook, StopHookResult } from './types.ts';

export interface Candidate {
  readonly id: string;
  readonly enabled: boolean;
  readonly hook: StopHook;
}

/** The verdict, and how it came about. */
export interface Evaluation extends StopHookResult {
  /** Whose verdict it is; `default` where no hook was asked. */
  readonly hookId: string;
  readonly taskId: string;
  readonly iteration: number;
  /** Every registered hook, in order. */
  readonly account: readonly HookAccount[];
  /** Of every hook that was asked, not only of the one whose verdict stands. */
  readonly checkpoints: readonly { readonly hookId: string; readonly data: CheckpointData }[];
}

export type HookAccount =
  | ({ readonly hookId: string } & Asked)
  | { readonly hookId: string; readonly is: 'disabled' | 'not-reached' };

type AskedAccount = Extract<HookAccount, Asked>;

export async function evaluate(
  candidates: readonly Candidate[],
  context: AgentContext,
  clock: Clock,
  timeoutMs: number,
): Promise<Evaluation> {
  const account: HookAccount[] = [];
  let decided = false;
  for (const { id: hookId, enabled, hook } of candidates) {
    if (!enabled) account.push({ hookId, is: 'disabled' });
    else if (decided) account.push({ hookId, is: 'not-reached' });
    else {
      const asked = await ask(hook, context, clock, timeoutMs);
      account.push({ hookId, ...asked });
      decided = asked.result.action !== 'continue';
    }
  }
  const asked = account.filter(wasAsked);
  return {
    ...verdictOf(asked, candidates.length),
    taskId: context.taskId,
    iteration: context.iteration,
    account,
    checkpoints: asked.flatMap(({ hookId, result: { checkpointData } }) =>
      checkpointData === undefined ? [] : { hookId, data: checkpointData },
    ),
  };
}

function verdictOf(asked: readonly AskedAccount[], registered: number): StopHookResult & { hookId: string } {
  const last = asked.findLast(({ is }) => is !== 'abstained') ?? asked.at(-1);
  if (last !== undefined) return { hookId: last.hookId, ...last.result };
  const reason =
    registered === 0
      ? 'No hooks registered for this task'
      : 'All hooks registered for this task are disabled';
  return { hookId: 'default', action: 'continue', reason };
}

function wasAsked(account: HookAccount): account is AskedAccount {
  return 'result' in account;
}
