/**
 * A hook that has nothing to say about a stop abstains: its `continue` neither holds up a chain nor replaces
 * what another hook said. It is marked in plain data, because a user's hooks may come from another copy of this
 * library than the one that evaluates them, and may answer from another process.
 */
import type { CheckpointData, StopHookResult } from './types.ts';

export function abstain(reason: string, checkpointData?: CheckpointData): StopHookResult {
  const result: StopHookResult = { action: 'continue', reason, metadata: { abstained: true } };
  return checkpointData === undefined ? result : { ...result, checkpointData };
}

export function isAbstention(result: StopHookResult): boolean {
  return result.action === 'continue' && result.metadata?.['abstained'] === true;
}
