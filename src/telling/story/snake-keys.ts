/**
 * Values for programs: the fields of `--json` have names such as `cost_usd`, as in `dacapo status --json`.
 */
import { isRecord } from '#base/shape.ts';

export function withSnakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [snake(key), withSnakeKeys(one)]));
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
