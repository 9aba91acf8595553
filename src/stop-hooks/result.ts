/** What a hook returned, read strictly: user code in plain JavaScript may return anything. */
import type { StopHookResult } from './types.ts';

/** Throws with what is wrong. `null` stands for an absent field, as it does in the JSON of other programs. */
export function readResult(value: unknown): StopHookResult {
  if (!isRecord(value)) throw new TypeError(`a stop hook must return a result, but returned ${named(value)}`);
  const { action, reason, nextPrompt, checkpointData, metadata } = value;
  if (action !== 'complete' && action !== 'continue' && action !== 'escalate') {
    throw new TypeError(
      `the action of a stop hook must be complete, continue or escalate, but is ${named(action)}`,
    );
  }
  if (typeof reason !== 'string') {
    throw new TypeError(`the reason of a stop hook must be a text, but is ${named(reason)}`);
  }
  const result: StopHookResult = { action, reason };
  if (isGiven(nextPrompt)) {
    if (typeof nextPrompt !== 'string') {
      throw new TypeError(`the nextPrompt of a stop hook must be a text, but is ${named(nextPrompt)}`);
    }
    result.nextPrompt = nextPrompt;
  }
  if (isGiven(checkpointData)) {
    if (!isRecord(checkpointData)) {
      throw new TypeError(
        `the checkpointData of a stop hook must be an object, but is ${named(checkpointData)}`,
      );
    }
    result.checkpointData = checkpointData;
  }
  if (isGiven(metadata)) {
    if (!isRecord(metadata)) {
      throw new TypeError(`the metadata of a stop hook must be an object, but is ${named(metadata)}`);
    }
    result.metadata = metadata;
  }
  return result;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Enough of a value to recognise it by. */
export function named(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
