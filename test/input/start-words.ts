/** A start as a person types it in a shell, for tests that need the request. */
import type { Granted } from '#base/refusal.ts';
import { startRequest, type StartRequest } from '#input/arguments.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { parseWords } from '#input/words.ts';

export function parseStartWords(words: readonly string[]): Granted<StartRequest> {
  const line = parseWords(LOOP_FLAGS, words);
  return line.ok ? startRequest(line.value) : line;
}
