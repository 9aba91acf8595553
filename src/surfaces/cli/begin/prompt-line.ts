/**
 * What `start`, `run` and `ready` take beside the flags of a loop: the prompt (words, a file or stdin) and
 * its host.
 */
import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '#base/shape.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import type { FlagTable } from '#input/flag.ts';
import { mapReading, type Reading } from '#input/values.ts';
import { parseWords, readFlags, type FlagLine } from '#input/words.ts';
import { PROMPT_FLAGS } from './flags.ts';

export interface PromptLine extends FlagLine {
  readonly file: string | null;
  readonly host: string | null;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export function readPromptLine(flags: FlagTable, words: readonly string[]): Reading<PromptLine> {
  const line = parseWords(flags, words);
  if (!line.ok) return line;
  const { given } = line.value;
  return mapReading(readFlags(PROMPT_FLAGS, given), ({ file = null, host = null }) => ({
    ...line.value,
    file,
    host,
    dryRun: given.has('--dry-run'),
    json: given.has('--json'),
  }));
}

/** The prompt without white space at its ends; undefined if the words of the line are the prompt. */
export function readPromptSource({ words, file }: PromptLine): Reading<string | undefined> {
  if (file !== null && words.some((word) => word.trim() !== ''))
    return refuse(
      'two-prompts',
      'the prompt is given twice: as words, and by --prompt-file.',
      'leave one of them out.',
    );
  if (file !== null) return readPromptFile(file);
  if (isStdin({ words })) return readStdin();
  return refuseFileName(words) ?? { ok: true, value: undefined };
}

/** One word that names a file is hardly a task, and an agent would be paid to guess. */
function refuseFileName(words: readonly string[]): Refusal | null {
  const [word = '', ...others] = words.join(' ').trim().split(/\s+/);
  if (others.length > 0 || statSync(word, { throwIfNoEntry: false })?.isFile() !== true) return null;
  return refuse(
    'file-as-prompt',
    `the prompt is ${JSON.stringify(word)}, which is the name of a file.`,
    `write --prompt-file ${shellWord(word)} if the task is in that file, or describe the task in a sentence.`,
  );
}

/** An agent reads all of it in every iteration. */
const MOST_PROMPT_BYTES = 256 * 1024;

/** `where`: as part of a sentence. */
function readPromptText(content: string, where: string): Reading<string> {
  const bytes = Buffer.byteLength(content);
  if (content.includes('\0'))
    return refuse('binary-prompt', `${where} is not text.`, 'give a text that describes the task.');
  if (bytes <= MOST_PROMPT_BYTES) return { ok: true, value: content };
  return refuse(
    'long-prompt',
    `${where} has ${Math.round(bytes / 1024)} KB; a prompt has at most ${MOST_PROMPT_BYTES / 1024} KB.`,
    'write a short task that names the file; the agent reads it when needed.',
  );
}

/** Stdin is read to its end for the prompt, so the host needs another one. */
export function isStdin({ words }: Pick<FlagLine, 'words'>): boolean {
  return words.length === 1 && words[0] === '-';
}

function readPromptFile(file: string): Reading<string> {
  try {
    const content = readFileSync(file, 'utf8').trim();
    if (content !== '') return readPromptText(content, file);
    return refuse('empty-file', `${file} is empty.`, 'write the task into it.');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : "can't be read";
    return refuse('no-file', `${file} ${why}.`, 'give a file that contains the prompt.');
  }
}

function readStdin(): Reading<string> {
  const next = 'pipe the task in: cat PROMPT.md | dacapo run -';
  if (process.stdin.isTTY)
    return refuse('no-stdin', '- reads the prompt from stdin, but stdin is a terminal.', next);
  try {
    const content = readFileSync(0, 'utf8').trim();
    return content === '' ? refuse('no-stdin', 'stdin is empty.', next) : readPromptText(content, 'stdin');
  } catch {
    return refuse('no-stdin', "stdin can't be read.", next);
  }
}
