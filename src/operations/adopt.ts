/** What a person wrote by hand, or another tool began, becomes a loop. Nothing of it is lost: what was found is copied first. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasEnded } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { parseStartWords } from '../flags/arguments.ts';
import type { Sender } from '../hosts/arrival.ts';
import { NO_LIMITS } from '../hosts/limits.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { isId } from '../store/file/home.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { World } from '../store/runtime.ts';
import { sayStatus } from '../text/status.ts';
import { TERMINAL, title } from '../text/to-person.ts';
import { readViewFile, replaceViewFile } from '../views/file.ts';
import { findForeign } from '../views/import.ts';
import type { Foreign } from '../views/imported-loop.ts';
import { readHandWritten, renderMarkdown, type HandWritten } from '../views/markdown/format.ts';
import { hideFromGit } from '../views/markdown/view.ts';
import { loopById } from './find.ts';
import { startLoop, type Started } from './start.ts';

export interface AdoptOrder {
  /** A state file, or a folder that another tool works in. */
  readonly path: string;
  /** The path as the person knows it, for the words about it. */
  readonly called: string;
  /** The folder that the person is in. */
  readonly here: string;
  /** The session that will own the loop; null: the one in the file, else the first that gets the prompt. */
  readonly session: string | null;
  readonly host: string;
}

export type AdoptedPath =
  | { readonly ok: true; readonly open: OpenLoop; readonly notes: readonly string[] }
  | Refusal;

/** The names under which a loop may show itself in `.claude`. */
const VIEW_NAME = /^ralph-loop(\.[A-Za-z0-9_-]+)?\.local\.md$/;

const OFFICIAL =
  'The file is of the official ralph-loop plugin, which would go on driving it as well: disable that plugin first (/plugin in Claude Code).';

/** The caller closes what is open. */
export function adoptPath(order: AdoptOrder, world: World): AdoptedPath {
  const found = findForeign(order.path, order.here, world);
  if (!found.ok) return found;
  return 'markdown' in found ? adoptFile(found.markdown, order, world) : adoptFolder(found, order, world);
}

function adoptFile(path: string, order: AdoptOrder, world: World): AdoptedPath {
  const { called } = order;
  const found = readViewFile(path);
  switch (found.is) {
    case 'gone':
      return refuse('not-there', `${called} is not there.`, 'write one.');
    case 'unreadable':
      return refuse(
        'unreadable',
        `${called} can't be read (${found.why}).`,
        'name a regular file, not a link.',
      );
    case 'content':
      break;
  }
  const written = readHandWritten(found.content);
  if (written.is === 'garbage')
    return refuse(
      'no-state',
      `${called} is no loop: ${written.why}.`,
      'nothing was changed; correct the file and try again.',
    );
  const known = refuseKnown(written.loopId, called, true, world);
  if (known !== null) return known;
  const place = placeOf(path, order.here);
  const owner = ownerOf(order.session ?? written.session, place.project, order.host);
  if (owner !== null && 'ok' in owner) return owner;
  const adopted = adopt(written, found.content, { ...place, owner, host: order.host }, world);
  return outcomeOf(adopted, called, written.official ? [OFFICIAL] : []);
}

function adoptFolder(foreign: Foreign, { called, session, host }: AdoptOrder, world: World): AdoptedPath {
  const known = refuseKnown(foreign.known, called, false, world);
  if (known !== null) return known;
  const owner = ownerOf(session, foreign.project, host);
  if (owner !== null && 'ok' in owner) return owner;
  return outcomeOf(adoptForeign(foreign, owner, host, world), called, foreign.notes);
}

function outcomeOf(adopted: Adopted, called: string, notes: readonly string[]): AdoptedPath {
  if (adopted.is === 'adopted') return { ok: true, open: adopted.open, notes };
  return refuse(
    'not-adopted',
    adopted.is === 'refused'
      ? `${called} can't be adopted: ${adopted.why}`
      : `${called} was adopted already.`,
    'nothing was changed; dacapo status shows the loops of this project.',
  );
}

function ownerOf(session: string | null, project: string, host: string): Sender | Refusal | null {
  if (session === null) return null;
  return isId(session)
    ? { host, limits: NO_LIMITS, session, process: null, project, prompt: null, commands: TERMINAL }
    : refuse(
        'no-session-id',
        `${JSON.stringify(session)} is no session id.`,
        'take the id that /status shows in the session.',
      );
}

/** Where hosts look for it, the file itself becomes the view; any other file is only read. */
function placeOf(path: string, here: string): Pick<Adoption, 'project' | 'file'> {
  const folder = dirname(path);
  if (basename(folder) !== '.claude' || !VIEW_NAME.test(basename(path))) return { project: here, file: null };
  return { project: realpathSync(dirname(folder)), file: join('.claude', basename(path)) };
}

/** `ours`: only Da Capo writes such an id; in other formats it may be another tool's. */
function refuseKnown(id: string | null, called: string, ours: boolean, world: World): Refusal | null {
  const loop = id === null ? null : loopById(id, world);
  if (id === null || (loop === null && !ours)) return null;
  if (loop === null)
    return refuse(
      'unknown-loop',
      `${called} names loop ${id}, which is not known here.`,
      'take out its loop_id line to make a new loop of it.',
    );
  return hasEnded(loop)
    ? refuse(
        'ended',
        `${called} belongs to loop ${title(loop)}, which has ended (${sayStatus(loop)}).`,
        `dacapo resume ${loop.id} reopens it; to make a new loop of the file, take out its loop_id line.`,
      )
    : refuse(
        'view-already',
        `${called} is the view of loop ${title(loop)} already (${sayStatus(loop)}).`,
        `dacapo status ${loop.id} shows it.`,
      );
}

export interface Adoption {
  readonly project: string;
  readonly host: string;
  /** Null: the first session that gives its prompt. */
  readonly owner: Sender | null;
  /** The file that becomes the loop's view, as seen from the project; null: it stays as it is, and the loop gets a view of its own. */
  readonly file: string | null;
}

export type Adopted =
  | { readonly is: 'adopted'; readonly open: OpenLoop }
  | { readonly is: 'again' }
  | { readonly is: 'refused'; readonly why: string };

/** A state file stays where it is, rendered anew; what the person wrote is copied first. */
export function adopt(
  written: Extract<HandWritten, { is: 'loop' }>,
  content: string | Uint8Array,
  adoption: Adoption,
  world: World,
): Adopted {
  const request = requestOf(written);
  if (!request.ok) return { is: 'refused', why: inFull(request) };
  const passes = Math.max(0, (written.iteration ?? 1) - 1);
  if (request.maxIterations !== null && passes >= request.maxIterations)
    return {
      is: 'refused',
      why: `it is at iteration ${passes + 1} of ${request.maxIterations}: none is left. Raise max_iterations.`,
    };
  const started = startLoop(
    {
      request,
      project: adoption.project,
      host: adoption.host,
      hand: 'view',
      from: adoption.owner,
      owns: 'adopt',
      view: adoption.file === null,
      begun: { passes },
    },
    world,
  );
  if (started.is !== 'started') return notAdopted(started);
  const { open } = started;
  keepEvidence(open.dir, 'adopted-ralph-loop.local.md', content);
  if (adoption.file !== null) becomeView(open, adoption.file, written.prompt, world);
  open.keep();
  return { is: 'adopted', open };
}

/** What another tool began goes on here, in the views that it has. */
export function adoptForeign(foreign: Foreign, owner: Sender | null, host: string, world: World): Adopted {
  const request = parseStartWords([...foreign.flags, '--', foreign.prompt]);
  if (!request.ok) return { is: 'refused', why: inFull(request) };
  const started = startLoop(
    {
      request,
      project: foreign.project,
      host,
      hand: 'view',
      from: owner,
      owns: 'adopt',
      view: true,
      begun: foreign.begun,
    },
    world,
  );
  return started.is === 'started' ? { is: 'adopted', open: started.open } : notAdopted(started);
}

function notAdopted(started: Exclude<Started, { is: 'started' }>): Adopted {
  // The reason goes on after a colon, and the next step is to look at that other loop.
  return started.is === 'again' ? started : { is: 'refused', why: started.message.replace(/\.$/, '') };
}

function inFull({ message, next }: Refusal): string {
  return `${message} ${next}`;
}

function becomeView(open: OpenLoop, file: string, prompt: string, world: World): void {
  const loop = open.loop();
  replaceViewFile(join(loop.project, file), renderMarkdown({ ...loop, events: loop.events + 1 }, prompt));
  open.write({ type: 'viewed', at: world.now(), kind: 'markdown', file });
  hideFromGit(loop, world);
}

/** The same grammar and defaults as the start command: a field that is null was not given. */
function requestOf({
  prompt,
  iterations,
  promise,
}: Extract<HandWritten, { is: 'loop' }>): ReturnType<typeof parseStartWords> {
  const flags = [
    ...(iterations === null ? [] : [`--max-iterations=${iterations}`]),
    ...(promise === null ? [] : [`--completion-promise=${promise}`]),
  ];
  return parseStartWords([...flags, '--', prompt]);
}
