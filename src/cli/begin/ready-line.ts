/** The words behind `dacapo ready`: a prompt, a file that holds it, or a loop folder, and the flags of start. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startRequest, type StartRequest } from '../../flags/arguments.ts';
import { readPath, type Reading } from '../../flags/values.ts';
import { parseWords, readFlags, type Line } from '../../flags/words.ts';
import { FLAGS, flagsOf, type Flag } from '../../flags/table.ts';
import { codeOf } from '../../core/error-code.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Begun } from '../../views/imported.ts';
import { importProgress, isLoopFolder } from '../../views/progress/import.ts';
import { LOOP_FILES } from '../../views/progress/names.ts';
import { here } from '../project.ts';
import { shellWord } from '../terminal/shell.ts';

export interface ReadyLine {
  readonly request: StartRequest;
  /** Where the prompt was read from. */
  readonly file: string | null;
  readonly begun: Begun | undefined;
  readonly json: boolean;
}

interface ReadyOptions {
  readonly file: string | null;
  readonly json: boolean;
}

const { one, alone } = flagsOf<ReadyOptions>();
const READY_FLAGS: readonly Flag<ReadyOptions>[] = [
  {
    ...one('--prompt-file FILE', 'file', readPath, 'the file that holds the prompt'),
    ifMissing: 'Write --prompt-file RALPH_PROMPT.md.',
  },
  alone('--json', () => ({ json: true }), 'for programs'),
];

export function readReadyLine(words: readonly string[]): Reading<ReadyLine> {
  const line = parseWords([FLAGS, READY_FLAGS], words);
  if (!line.ok) return line;
  const options = readFlags(READY_FLAGS, line.value.given, { file: null, json: false });
  if (!options.ok) return options;
  const { file, json } = options.value;
  const [word = '', ...more] = line.value.words;
  if (file !== null) return fromFile(file, line.value, json);
  if (more.length === 0 && isFolder(word) && isLoopFolder(word)) return fromFolder(word, line.value, json);
  return ready(startRequest(line.value), { file, begun: undefined, json });
}

function fromFile(file: string, line: Line, json: boolean): Reading<ReadyLine> {
  const read = readPromptFile(file);
  if (!read.ok) return read;
  if (line.words.some((word) => word.trim() !== ''))
    return refuse('two-prompts', 'there is a prompt beside --prompt-file.', 'give one of the two.');
  return ready(startRequest(line, read.value.trim()), { file, begun: undefined, json });
}

/** What the folder of another tool says holds where no flag says otherwise. */
function fromFolder(folder: string, { given }: Line, json: boolean): Reading<ReadyLine> {
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
  const request = startRequest({ ...own.value, given: new Map([...own.value.given, ...given]) });
  return ready(request, { file: join(folder, LOOP_FILES.prompt), begun: found.begun, json });
}

function ready(
  request: StartRequest | Refusal,
  about: Pick<ReadyLine, 'file' | 'begun' | 'json'>,
): Reading<ReadyLine> {
  return request.ok ? { ok: true, value: { request, ...about } } : request;
}

/** A prompt may be too long for a path: asked for its status, such a path throws. */
function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function readPromptFile(file: string): Reading<string> {
  try {
    const content = readFileSync(file, 'utf8');
    if (content.trim() !== '') return { ok: true, value: content };
    return refuse('empty-file', `${file} is empty.`, 'write the task into it.');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'is not there' : "can't be read";
    return refuse('no-file', `${file} ${why}.`, 'name a file that holds the prompt.');
  }
}
