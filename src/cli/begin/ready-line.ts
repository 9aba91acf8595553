/**
 * Parses the words after `dacapo ready`: a prompt, a file that holds it or a loop folder, plus the flags of `start`.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startRequest, type StartRequest } from '../../flags/arguments.ts';
import type { Reading } from '../../flags/values.ts';
import { parseWords } from '../../flags/words.ts';
import { FLAGS } from '../../flags/table.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { ImportedStart } from '../../views/imported.ts';
import { importProgress, isLoopFolder } from '../../views/progress/import.ts';
import { LOOP_FILES, loopFolderOf } from '../../views/progress/names.ts';
import { here } from '../project.ts';
import { READY_FLAGS, readPromptLine, readPromptSource, type PromptLine } from './prompt-line.ts';
import { shellWord } from '../../core/words/shell-quote.ts';

export interface ReadyLine {
  readonly request: StartRequest;
  /** Where the prompt was read from. */
  readonly file: string | null;
  readonly imported: ImportedStart | undefined;
  readonly json: boolean;
}

export function readReadyLine(words: readonly string[]): Reading<ReadyLine> {
  const read = readPromptLine([FLAGS, READY_FLAGS], words);
  if (!read.ok) return read;
  const line = read.value;
  const prompt = readPromptSource(line);
  if (!prompt.ok) return prompt;
  const { file } = line;
  const [word = '', ...more] = line.words;
  if (prompt.value === undefined) {
    if (more.length === 0 && isFolder(word) && isLoopFolder(word)) return fromFolder(word, line);
    const usual = loopFolderOf(here(), process.env);
    // With nothing said at all, the loop folder is meant if there is one.
    if (word === '' && existsSync(join(usual, LOOP_FILES.prompt))) return fromFolder(usual, line);
  }
  return ready(startRequest(line, prompt.value), file, undefined, line);
}

/** The settings in another tool's folder apply unless a flag overrides them. */
function fromFolder(folder: string, line: PromptLine): Reading<ReadyLine> {
  const found = importProgress(realpathSync(folder), here());
  if (!found.ok) return found;
  if (found.project !== here())
    return refuse(
      'elsewhere',
      `${folder} belongs to ${found.project}.`,
      `go there first: cd ${shellWord(found.project)}`,
    );
  const own = parseWords([FLAGS], [...found.flags, '--', found.prompt]);
  if (!own.ok) return own;
  const request = startRequest({ ...own.value, given: new Map([...own.value.given, ...line.given]) });
  return ready(request, join(folder, LOOP_FILES.prompt), found.imported, line);
}

function ready(
  request: StartRequest | Refusal,
  file: string | null,
  imported: ImportedStart | undefined,
  { json }: PromptLine,
): Reading<ReadyLine> {
  return request.ok ? { ok: true, value: { request, file, imported, json } } : request;
}

/** `existsSync` comes first because `statSync` throws on a prompt that is too long to be a path. */
function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
