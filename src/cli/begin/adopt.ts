/** `dacapo adopt`: what a person or another tool wrote becomes a loop. Nothing of it is lost. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayStatus } from '../../text/status.ts';
import { sayWarnings, title } from '../../text/to-person.ts';
import { adopt, adoptForeign, type Adopted } from '../../operations/adopt.ts';
import { findForeign } from '../../views/import.ts';
import type { Foreign } from '../../views/imported-loop.ts';
import type { Sender } from '../../hosts/arrival.ts';
import { COMING } from '../../hosts/default-host.ts';
import { keepReady } from '../../store/file/ready.ts';
import type { World } from '../../store/runtime.ts';
import { isId } from '../../store/file/home.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { STATE_FILE, readViewFile } from '../../views/file.ts';
import { readHandWritten } from '../../views/markdown/format.ts';
import { STACK_TOPIC } from '../../views/stack/format.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { readPrompt, shown, withLoop } from '../loops.ts';
import { PLUGIN } from '../package.ts';
import { here, projectRoot, shownPath } from '../project.ts';
import { promptWord } from './ready.ts';
import { shellWord } from '../terminal/shell.ts';
import { fail, note, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld } from '../runtime.ts';

export interface AdoptOptions {
  readonly file: string | undefined;
  readonly session: string | undefined;
  readonly json: boolean;
}

/** The names under which a loop may show itself in `.claude`. */
const VIEW_NAME = /^ralph-loop(\.[A-Za-z0-9_-]+)?\.local\.md$/;

export async function runAdopt({ file, session, json }: AdoptOptions): Promise<number> {
  const world = cliWorld();
  const found = findForeign(file === undefined ? defaultFile() : resolve(file), here(), world);
  if (!found.ok) return fail(shorter(found.message), shorter(found.next));
  return 'markdown' in found
    ? adoptFile(found.markdown, session, json, world)
    : adoptElse(found, file ?? '.', session, json, world);
}

function adoptFile(path: string, session: string | undefined, json: boolean, world: World): number {
  const name = shownPath(path);
  const found = readViewFile(path);
  switch (found.is) {
    case 'gone':
      return fail(
        `${name} is not there.`,
        `write one; ${join(PLUGIN, 'templates', basename(STATE_FILE))} is a template.`,
      );
    case 'unreadable':
      return fail(`${name} can't be read (${found.why}).`, 'name a regular file, not a link.');
    case 'content':
      break;
  }
  const written = readHandWritten(found.content);
  if (written.is === 'garbage')
    return fail(
      `${name} is no loop: ${written.why}.`,
      'nothing was changed; correct the file and try again.',
    );
  const known = knownLoop(written.loopId, name, true, world);
  if (known !== null) return known;
  const place = placeOf(path);
  const owner = ownerOf(session ?? written.session, place.project);
  if (owner === 'none') return noSession(session ?? written.session);
  const adopted = adopt(written, found.content, { ...place, owner }, world);
  const notes = written.official ? [OFFICIAL] : [];
  return tell(adopted, { name, notes }, json, world);
}

/** A folder or a state of another seed. */
function adoptElse(
  foreign: Foreign,
  path: string,
  session: string | undefined,
  json: boolean,
  world: World,
): number {
  const name = path === STACK_TOPIC ? `the topic ${path}` : shownPath(resolve(path));
  const known = knownLoop(foreign.known, name, false, world);
  if (known !== null) return known;
  const owner = ownerOf(session ?? null, foreign.project);
  if (owner === 'none') return noSession(session ?? null);
  return tell(adoptForeign(foreign, owner, world), { name, notes: foreign.notes }, json, world);
}

function ownerOf(session: string | null, project: string): Sender | null | 'none' {
  if (session === null) return null;
  return isId(session) ? { ...COMING, session, project } : 'none';
}

function noSession(session: string | null): number {
  return fail(
    `${JSON.stringify(session)} is no session id.`,
    'take the id that /status shows in the session.',
    EXIT.usage,
  );
}

/** With paths as a person would type them from here. */
function shorter(words: string): string {
  return words.replaceAll(`${here()}${sep}`, '');
}

function defaultFile(): string {
  const near = join(here(), STATE_FILE);
  return readViewFile(near).is === 'gone' ? join(projectRoot(), STATE_FILE) : near;
}

/** Where hosts look for it, the file itself becomes the view; any other file is only read. */
function placeOf(path: string): { readonly project: string; readonly file: string | null } {
  const folder = dirname(path);
  if (basename(folder) !== '.claude' || !VIEW_NAME.test(basename(path)))
    return { project: here(), file: null };
  const project = realpathSync(dirname(folder));
  return { project, file: join('.claude', basename(path)) };
}

/** `ours`: only Da Capo writes such an id; in other formats it may be another tool's. */
function knownLoop(loopId: string | null, name: string, ours: boolean, world: World): number | null {
  if (loopId === null) return null;
  const loop = withLoop(loopId, world, shown);
  if (loop === null && !ours) return null;
  if (loop === null)
    return fail(
      `${name} names loop ${loopId}, which is not known here.`,
      'take out its loop_id line to make a new loop of it.',
    );
  return hasEnded(loop)
    ? fail(
        `${name} belongs to loop ${title(loop)}, which has ended (${sayStatus(loop)}).`,
        `dacapo resume ${loop.id} reopens it; to make a new loop of the file, take out its loop_id line.`,
      )
    : fail(
        `${name} is the view of loop ${title(loop)} already (${sayStatus(loop)}).`,
        `dacapo status ${loop.id} shows it.`,
      );
}

const OFFICIAL =
  'The file is of the official ralph-loop plugin, which would go on driving it as well: disable that plugin first (/plugin in Claude Code).';

interface Told {
  readonly name: string;
  readonly notes: readonly string[];
}

function tell(adopted: Adopted, { name, notes }: Told, json: boolean, world: World): number {
  if (adopted.is !== 'adopted')
    return fail(
      adopted.is === 'refused' ? `${name} can't be adopted: ${adopted.why}` : `${name} was adopted already.`,
      'nothing was changed; dacapo status shows the loops of this project.',
    );
  const { open } = adopted;
  const loop = shown(open);
  if (loop.owner === null) keepReady(world.home, loop.project, readPrompt(open), loop.id);
  for (const line of notes) note(line);
  if (json) sayJson(report(loop, world.now()));
  else say(...inWords(open, loop, name));
  open.close();
  return EXIT.ok;
}

/** Of a stack the innermost task is given first, which may surprise; and the fallback file has room for one frame only. */
function sayFrames({ frames, views }: Loop): string[] {
  if (frames.length === 1) return [];
  const file = views.find(({ kind }) => kind === 'stack')?.file ?? STACK_TOPIC;
  const shows =
    file === STACK_TOPIC ? '' : ` ${file} shows the one at work only; dacapo status shows all of them.`;
  return [
    `All the ${frames.length} frames of its stack were taken. The innermost is at work; the one around it goes on when it is done.${shows}`,
  ];
}

function inWords(open: OpenLoop, loop: Loop, name: string): string[] {
  const away = loop.project === here() ? '' : `cd ${shellWord(loop.project)} && `;
  return [
    `Da Capo: ${name} is now loop ${title(loop)}: it ${sayStatus(loop)}.`,
    ...sayWarnings(loop),
    ...sayFrames(loop),
    `What was written is kept in ${join(open.dir, 'evidence')}.`,
    ...(loop.owner === null
      ? [
          `It begins when a session in ${away === '' ? 'this folder' : 'its folder'} gets its prompt first:`,
          '',
          `  ${paint.bold(`${away}claude ${promptWord(readPrompt(open), null, open)}`)}`,
        ]
      : []),
  ];
}
