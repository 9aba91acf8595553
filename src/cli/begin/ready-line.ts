/**
 * Parses the words after `dacapo ready`: a prompt, a file that holds it or a loop folder, plus the flags of `start`.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startRequest, type StartRequest } from '../../flags/arguments.ts';
import type { Reading } from '../../flags/values.ts';
import { parseWords, readFlags, type FlagLine } from '../../flags/words.ts';
import { FLAGS, flagsOf, type Flag, type FlagShape } from '../../flags/table.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { ImportedStart } from '../../views/imported.ts';
import { importProgress, isLoopFolder } from '../../views/progress/import.ts';
import { LOOP_FILES, loopFolderOf } from '../../views/places.ts';
import { here } from '../project.ts';
import { PROMPT_FLAGS, readPromptSource } from './prompt-source.ts';
import { shellWord } from '../../core/words/shell-quote.ts';

export interface ReadyLine {
  readonly request: StartRequest;
  /** Where the prompt was read from. */
  readonly file: string | null;
  readonly imported: ImportedStart | undefined;
  readonly json: boolean;
}

interface ReadyOptions {
  readonly json: boolean;
}

const { alone } = flagsOf<ReadyOptions>();
const OWN_FLAGS: readonly Flag<ReadyOptions>[] = [alone('--json', () => ({ json: true }), 'for programs')];

/** In addition to the flags of a loop. */
export const READY_FLAGS: readonly FlagShape[] = [...PROMPT_FLAGS, ...OWN_FLAGS];

export function readReadyLine(words: readonly string[]): Reading<ReadyLine> {
  const line = parseWords([FLAGS, READY_FLAGS], words);
  if (!line.ok) return line;
  const options = readFlags(OWN_FLAGS, line.value.given, { json: false });
  if (!options.ok) return options;
  const source = readPromptSource(line.value);
  if (!source.ok) return source;
  const { json } = options.value;
  const { file, prompt } = source.value;
  const [word = '', ...more] = line.value.words;
  if (prompt !== null) return ready(startRequest(line.value, prompt), { file, imported: undefined, json });
  if (more.length === 0 && isFolder(word) && isLoopFolder(word)) return fromFolder(word, line.value, json);
  const usual = loopFolderOf(here(), process.env);
  // With nothing said at all, the loop folder is meant if there is one.
  if (word === '' && file === null && existsSync(join(usual, LOOP_FILES.prompt)))
    return fromFolder(usual, line.value, json);
  return ready(startRequest(line.value), { file, imported: undefined, json });
}

/** The settings in another tool's folder apply unless a flag overrides them. */
function fromFolder(folder: string, { given }: FlagLine, json: boolean): Reading<ReadyLine> {
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
  return ready(request, { file: join(folder, LOOP_FILES.prompt), imported: found.imported, json });
}

function ready(
  request: StartRequest | Refusal,
  about: Pick<ReadyLine, 'file' | 'imported' | 'json'>,
): Reading<ReadyLine> {
  return request.ok ? { ok: true, value: { request, ...about } } : request;
}

/** `existsSync` comes first because `statSync` throws on a prompt that is too long to be a path. */
function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
