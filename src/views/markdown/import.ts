/** Imports a state file that a person or the official plugin wrote. In its usual place, the file becomes the view. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { readRegular } from '../../files/read.ts';
import type { Imported } from '../imported.ts';
import { isStateFile } from '../names.ts';
import { DEFAULT_TITLE, STATE_FOLDER } from '../../hosts/names.ts';
import { readHandWritten, type HandWritten } from './format.ts';

const OFFICIAL = `The file is of the official ralph-loop plugin, which would keep driving it as well: disable that plugin first (/plugin in ${DEFAULT_TITLE}).`;

/** The default of a loop. */
const MORE = 50;

export function importMarkdown(path: string, here: string): Imported | Refusal {
  const found = readRegular(path);
  switch (found.is) {
    case 'gone':
      return refuse('not-there', `${path} is not there.`, 'write one.');
    case 'unreadable':
      return refuse(
        'unreadable',
        `${path} can't be read (${found.why}).`,
        'name a regular file, not a link.',
      );
    case 'content': {
      const written = readHandWritten(found.content);
      if (written.is === 'loop') return importedFrom(written, found.bytes, placeOf(path, here));
      return refuse(
        'no-state',
        `${path} is no loop: ${written.why}.`,
        'nothing was changed; correct the file and try again.',
      );
    }
  }
}

/** `file`: the loop's new view, relative to the project; null: the file is only read, and the loop gets a new view. */
export interface MarkdownPlace {
  readonly project: string;
  readonly file: string | null;
}

/** The same grammar and defaults as the start command. A null field was not given. */
export function importedFrom(
  written: Extract<HandWritten, { is: 'loop' }>,
  bytes: Uint8Array,
  { project, file }: MarkdownPlace,
): Imported {
  const { prompt, promise, iteration, session, loopId } = written;
  const passes = Math.max(0, (iteration ?? 1) - 1);
  const iterations = written.endless ? passes + MORE : written.iterations;
  return {
    ok: true,
    project,
    prompt,
    flags: [
      ...(iterations === null ? [] : [`--max-iterations=${iterations}`]),
      ...(promise === null ? [] : [`--completion-promise=${promise}`]),
    ],
    begun: {
      passes,
      places: file === null ? {} : { files: { markdown: file } },
      copies: [{ name: 'adopted-ralph-loop.local.md', bytes }],
    },
    session,
    known: loopId,
    isOurs: true,
    notes: written.official ? officialNotes(written) : [],
  };
}

/** What differs here from the official plugin. */
function officialNotes({ endless, inactive, promise }: Extract<HandWritten, { is: 'loop' }>): string[] {
  return [
    OFFICIAL,
    ...(inactive ? ['It says active: false, so that plugin had stopped it. Here it continues.'] : []),
    ...(endless
      ? [
          `It had no limit (max_iterations: 0). Here it ends after ${MORE} more iterations; write max_iterations: unlimited into the file for no limit.`,
        ]
      : []),
    ...(promise === null ? ['It had no completion promise. Here the promise is COMPLETE.'] : []),
  ];
}

/** Only in the place where hosts look for it. */
function placeOf(path: string, here: string): MarkdownPlace {
  const [folder, name] = [dirname(path), basename(path)];
  if (basename(folder) !== STATE_FOLDER || !isStateFile('markdown', name))
    return { project: here, file: null };
  return { project: realpathSync(dirname(folder)), file: join(STATE_FOLDER, name) };
}
