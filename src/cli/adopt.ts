/** `dacapo adopt`: a state file that a person or another tool wrote becomes a loop. Nothing of it is lost. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasEnded } from '../core/loop.ts';
import { report } from '../core/report.ts';
import { TERMINAL, sayStatus, title } from '../core/words-to-person.ts';
import { adopt } from '../hearing/adopt.ts';
import { keepReady } from '../journal/ready.ts';
import type { World } from '../hearing/world.ts';
import { isId } from '../journal/home.ts';
import type { OpenLoop } from '../journal/store.ts';
import { STATE_FILE, readViewFile } from '../views/file.ts';
import { readHandWritten, type HandWritten } from '../views/markdown.ts';
import { EXIT } from './exit-codes.ts';
import { readPrompt, shown, withLoop } from './loops.ts';
import { PLUGIN } from './package.ts';
import { here, projectRoot, shownPath } from './project.ts';
import { promptWord } from './ready.ts';
import { fail, note, paint, say, sayJson } from './terminal.ts';
import { cliWorld } from './world.ts';

export interface AdoptOptions {
  readonly file: string | undefined;
  readonly session: string | undefined;
  readonly json: boolean;
}

type Written = Extract<HandWritten, { is: 'loop' }>;

/** The names under which a loop may show itself in `.claude`. */
const VIEW_NAME = /^ralph-loop(\.[A-Za-z0-9_-]+)?\.local\.md$/;

export async function runAdopt({ file, session, json }: AdoptOptions): Promise<number> {
  const world = cliWorld();
  const path = file === undefined ? defaultFile() : resolve(file);
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
  const known = knownLoop(written, name, world);
  if (known !== null) return known;
  const owner = session ?? written.session;
  if (owner !== null && !isId(owner))
    return fail(
      `${JSON.stringify(owner)} is no session id.`,
      'take the id that /status shows in the session.',
      EXIT.usage,
    );
  const place = placeOf(path);
  const sender =
    owner === null
      ? null
      : { session: owner, process: null, project: place.project, prompt: null, commands: TERMINAL };
  const adopted = adopt(written, found.content, { ...place, owner: sender }, world);
  if (adopted.is !== 'adopted')
    return fail(
      adopted.is === 'refused' ? `${name} can't be adopted: ${adopted.why}` : `${name} was adopted already.`,
      'nothing was changed; dacapo status shows the loops of this project.',
    );
  tell(adopted.open, written, name, json, world);
  adopted.open.close();
  return EXIT.ok;
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

function knownLoop({ loopId }: Written, name: string, world: World): number | null {
  if (loopId === null) return null;
  const loop = withLoop(loopId, world, shown);
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

function tell(open: OpenLoop, written: Written, name: string, json: boolean, world: World): void {
  const loop = shown(open);
  if (loop.owner === null) keepReady(world.home, loop.project, written.prompt, loop.id);
  if (written.official)
    note(
      'The file is of the official ralph-loop plugin, which would go on driving it as well: disable that plugin first (/plugin in Claude Code).',
    );
  if (json) return sayJson(report(loop, world.now()));
  say(`Da Capo: ${name} is now loop ${title(loop)}: it ${sayStatus(loop)}.`);
  say(`What was written is kept in ${join(open.dir, 'evidence')}.`);
  if (loop.owner === null)
    say(
      'It begins when a session in this folder gets its prompt first:',
      '',
      `  ${paint.bold(`claude ${promptWord(readPrompt(open), null, open)}`)}`,
    );
}
