/** What a hook returned, read strictly: user code in plain JavaScript may return anything. */
import { isRecord, oneOf, text, type Shape } from '../core/shape.ts';
import { named } from './refusal.ts';
import type { StopHookResult } from './types.ts';

const action = oneOf('complete', 'continue', 'escalate');

/** Throws with what is wrong. */
export function readResult(value: unknown): StopHookResult {
  if (!isRecord(value)) throw new TypeError(`a stop hook must return a result, but returned ${named(value)}`);
  const must = <T>(key: string, shape: Shape<T>, wanted: string) =>
    read(value[key], shape, `the ${key} of a stop hook must be ${wanted}`);
  const may = <T>(key: string, shape: Shape<T>, wanted: string) =>
    isGiven(value[key]) ? must(key, shape, wanted) : undefined;
  const nextPrompt = may('nextPrompt', text, 'a text');
  const checkpointData = may('checkpointData', isRecord, 'an object');
  const metadata = may('metadata', isRecord, 'an object');
  return {
    action: must('action', action, 'complete, continue or escalate'),
    reason: must('reason', text, 'a text'),
    ...(nextPrompt !== undefined && { nextPrompt }),
    ...(checkpointData && { checkpointData }),
    ...(metadata && { metadata }),
  };
}

/** A value of this shape. `rule` says what it must be, for the one who wrote the hook. */
export function read<T>(value: unknown, shape: Shape<T>, rule: string): T {
  if (shape(value)) return value;
  throw new TypeError(`${rule}, but is ${named(value)}`);
}

/** `null` stands for an absent field, as it does in the JSON of other programs. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
