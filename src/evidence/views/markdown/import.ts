/**
 * Imports a state file that a person, the official plugin or a like tool wrote, as front matter or as JSON.
 * In its usual place, the file becomes the view.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isRecord, parseAs, text, textOrNull } from '#base/shape.ts';
import { readRegular } from '#base/files/read.ts';
import { CORRECT_FILE, type Imported } from '../imported.ts';
import { isStateFile } from '../names.ts';
import { OFFICIAL_PLUGIN_OFF } from '#hosts/tables/names.ts';
import { STATE_FILE } from '../places.ts';
import { STATE_FOLDER } from '../state-folder.ts';
import { loopIn, readHandWritten, type HandWrittenLoop, type FrontMatter } from './format.ts';

const OFFICIAL =
  'The file is of the official ralph-loop plugin, which would keep driving it as well: disable that ' +
  `plugin first (${OFFICIAL_PLUGIN_OFF}).`;

const OTHER = 'The file is the state of another tool: end its loop there first, or both will work on it.';

/** The default of a loop. */
const DEFAULT_ITERATIONS = 50;
/** opencode's ids. Its sessions are none of ours. */
const ELSEWHERE = /^ses_/;

export function importMarkdown(path: string, here: string): Imported | Refusal {
  const found = readRegular(path);
  if (found.is === 'gone') return refuse('not-there', `${path} is not there.`, 'write one.');
  if (found.is === 'unreadable')
    return refuse('unreadable', `${path} can't be read (${found.why}).`, 'name a regular file, not a link.');
  const json = /\.json$/i.test(path) ? readJsonState(found.content) : null;
  const written = json === null ? readHandWritten(found.content) : loopIn(json);
  if (written.is === 'garbage')
    return refuse('no-state', `${path} is not a loop: ${written.why}.`, CORRECT_FILE);
  const copy = { name: basename(path), bytes: found.bytes };
  const imported = importedFrom(written, copy, findPlace(path, here));
  return { ...imported, notes: [...imported.notes, ...(json === null ? [] : leftOut(json))] };
}

/** The same fields as in front matter, in any spelling (`maxIterations`), and the prompt. */
function readJsonState(content: string): FrontMatter | null {
  const state = parseAs(isRecord, content.replace(/^\uFEFF/, ''));
  if (state === null) return null;
  const meta = isRecord(state['_meta']) ? state['_meta'] : {};
  const fields = Object.entries({ ...meta, ...state }).filter(([, value]) => !isRecord(value));
  return {
    fields: new Map(
      fields.map(([key, value]) => [
        snakeCase(key),
        value === null || text(value) ? value : JSON.stringify(value),
      ]),
    ),
    body: textOrNull(state['prompt']) ?? '',
  };
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function leftOut({ fields }: FrontMatter): string[] {
  const left = [
    fields.get('tasks_mode') === 'true' && 'its tasks mode (--features FILE takes a list of tasks)',
    Number(fields.get('min_iterations') ?? 0) > 1 && 'its least number of iterations (--min-iterations N)',
    Boolean(fields.get('abort_promise')) && 'its promise to abort',
  ].filter((words) => words !== false);
  return left.length === 0 ? [] : [`Not taken over: ${left.join(', ')}.`];
}

/**
 * A state file in the usual place that belongs to no loop, not to the official plugin, and to no other
 * session. `session`: null if it may name any.
 */
export function findHandWritten(project: string, session: string | null = null) {
  const path = join(project, STATE_FILE);
  const file = readRegular(path);
  if (file.is !== 'content') return null;
  const written = readHandWritten(file.content);
  const isElses =
    written.is === 'loop' &&
    (written.official ||
      written.loopId !== null ||
      (session !== null && (written.session ?? session) !== session));
  return isElses ? null : { path, file, written };
}

export function importHandWritten(
  written: HandWrittenLoop,
  { bytes }: { readonly bytes: Uint8Array },
  project: string,
): Imported {
  return importedFrom(written, { name: basename(STATE_FILE), bytes }, { project, file: STATE_FILE });
}

/** The same grammar and defaults as the start command. A null field was not given. */
function importedFrom(
  written: HandWrittenLoop,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { project, file }: ReturnType<typeof findPlace>,
): Imported {
  const { prompt, promise, iteration, session, loopId, official } = written;
  const passes = Math.max(0, (iteration ?? 1) - 1);
  const iterations = written.endless ? passes + DEFAULT_ITERATIONS : written.iterations;
  return {
    ok: true,
    project,
    prompt,
    fields: {
      ...(iterations !== null && { maxIterations: iterations }),
      ...(promise !== null && { promise }),
    },
    imported: {
      passes,
      places: file === null ? {} : { files: { markdown: file } },
      copies: [{ name: `adopted-${name}`, bytes }],
    },
    session: session !== null && ELSEWHERE.test(session) ? null : session,
    known: loopId,
    isOurs: true,
    notes: official ? [file === null ? OTHER : OFFICIAL, ...otherNotes(written)] : [],
  };
}

function otherNotes({ endless, inactive, promise, iterations, session }: HandWrittenLoop): string[] {
  const limit = `Here it ends after ${DEFAULT_ITERATIONS}${endless ? ' more' : ''} iterations`;
  return [
    inactive && 'It says active: false, so that tool had stopped it. Here it continues.',
    endless &&
      `It had no limit (max_iterations: 0). ${limit}; write max_iterations: unlimited into the file ` +
        'for no limit.',
    !endless && iterations === null && `It names no limit. ${limit}.`,
    promise === null && 'It had no completion promise. Here the promise is COMPLETE.',
    session !== null &&
      ELSEWHERE.test(session) &&
      `Its session ${session} is one of another program, so the loop begins in the first session ` +
        'that gets its prompt.',
  ].filter((note) => note !== false);
}

/**
 * `file`: the loop's new view, relative to the project, if it is in the place where hosts look for it. Null:
 * the file is only read, and the loop gets a new view.
 */
function findPlace(path: string, here: string) {
  const [folder, name] = [dirname(path), basename(path)];
  if (basename(folder) !== STATE_FOLDER || !isStateFile('markdown', name))
    return { project: here, file: null };
  return { project: realpathSync(dirname(folder)), file: join(STATE_FOLDER, name) };
}
