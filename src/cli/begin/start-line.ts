/** Parses the words after `dacapo start`: a prompt or a file that holds it, and the flags. */
import { startRequest, type StartRequest } from '../../flags/arguments.ts';
import { FLAGS, flagsOf, type Flag, type FlagShape } from '../../flags/table.ts';
import type { Reading } from '../../flags/values.ts';
import { parseWords, readFlags } from '../../flags/words.ts';
import { refuse } from '../../core/refusal.ts';
import { PROMPT_FLAGS, readPromptSource } from './prompt-source.ts';
import { DRY_RUN_HELP } from './run-line.ts';

interface StartShow {
  readonly dryRun: boolean;
  readonly json: boolean;
}

export interface StartLine extends StartShow {
  readonly request: StartRequest;
  readonly isStdin: boolean;
}

const { alone } = flagsOf<StartShow>();
const SHOW_FLAGS: readonly Flag<StartShow>[] = [
  alone('--dry-run', () => ({ dryRun: true }), DRY_RUN_HELP),
  alone('--json', () => ({ json: true }), 'with --dry-run, for programs'),
];

/** In addition to the flags of a loop. */
export const START_FLAGS: readonly FlagShape[] = [...PROMPT_FLAGS, ...SHOW_FLAGS];

export function readStartLine(words: readonly string[]): Reading<StartLine> {
  const line = parseWords([FLAGS, START_FLAGS], words);
  if (!line.ok) return line;
  const show = readFlags(SHOW_FLAGS, line.value.given, { dryRun: false, json: false });
  if (!show.ok) return show;
  if (show.value.json && !show.value.dryRun)
    return refuse('json-of-a-session', '--json needs --dry-run: a session is for a person.', 'Leave it out.');
  const source = readPromptSource(line.value);
  if (!source.ok) return source;
  const request = startRequest(line.value, source.value.prompt ?? undefined);
  return request.ok
    ? { ok: true, value: { request, isStdin: source.value.isStdin, ...show.value } }
    : request;
}
