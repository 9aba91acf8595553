/** What somebody has asked of a fleet, as the row of the loop keeps it. */
import type { SubmittedRequest } from '#fleet/codec/loop-row.ts';
import { readRunFlags } from '#input/run-request.ts';

export function askedOf(prompt: string, flags: Readonly<Record<string, string>> = {}): SubmittedRequest {
  const given = new Map(Object.entries(flags).map(([flag, value]) => [flag, [value]]));
  const read = readRunFlags(given, prompt, []);
  if (!read.ok) throw new Error(read.message);
  return { ...read.value, host: 'claude-code' };
}
