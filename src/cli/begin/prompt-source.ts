/** Where the prompt of `start`, `run` and `ready` comes from: the words, a file (`--prompt-file`), or stdin (`-`). */
import { readFileSync } from 'node:fs';
import { codeOf } from '../../core/thrown.ts';
import { refuse } from '../../core/refusal.ts';
import { flagsOf, type Flag } from '../../flags/table.ts';
import { mapReading, readPath, type Reading } from '../../flags/values.ts';
import { readFlags, type FlagLine } from '../../flags/words.ts';

export interface PromptSource {
  /** The text without white space at its ends; null if the words on the command line are the prompt. */
  readonly prompt: string | null;
  readonly file: string | null;
  /** Stdin has been read to its end, so the host needs another one. */
  readonly isStdin: boolean;
}

interface FileOption {
  readonly file: string | null;
}

const STDIN = '-';
const { one } = flagsOf<FileOption>();

export const PROMPT_FLAGS: readonly Flag<FileOption>[] = [
  {
    ...one(
      '--prompt-file FILE',
      'file',
      readPath,
      'read the prompt from this file (- as the prompt: from stdin)',
    ),
    ifMissing: 'Write --prompt-file PROMPT.md.',
  },
];

export function readPromptSource({ words, given }: FlagLine): Reading<PromptSource> {
  const options = readFlags(PROMPT_FLAGS, given, { file: null });
  if (!options.ok) return options;
  const { file } = options.value;
  const isStdin = words.length === 1 && words[0] === STDIN;
  if (file !== null && words.some((word) => word.trim() !== ''))
    return refuse('two-prompts', 'there is a prompt beside --prompt-file.', 'give one of the two.');
  if (file !== null) return mapReading(readPromptFile(file), (prompt) => ({ prompt, file, isStdin: false }));
  if (isStdin) return mapReading(readStdin(), (prompt) => ({ prompt, file: null, isStdin }));
  return { ok: true, value: { prompt: null, file: null, isStdin: false } };
}

function readPromptFile(file: string): Reading<string> {
  try {
    const content = readFileSync(file, 'utf8').trim();
    if (content !== '') return { ok: true, value: content };
    return refuse('empty-file', `${file} is empty.`, 'write the task into it.');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'is not there' : "can't be read";
    return refuse('no-file', `${file} ${why}.`, 'name a file that holds the prompt.');
  }
}

function readStdin(): Reading<string> {
  const next = 'pipe the task in, as in: cat PROMPT.md | dacapo run -';
  if (process.stdin.isTTY)
    return refuse('no-stdin', '- reads the prompt from stdin, which is a terminal.', next);
  try {
    const content = readFileSync(0, 'utf8').trim();
    return content === '' ? refuse('no-stdin', 'stdin is empty.', next) : { ok: true, value: content };
  } catch {
    return refuse('no-stdin', "stdin can't be read.", next);
  }
}
