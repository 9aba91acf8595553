/**
 * The guard: in a session with a live loop, the agent does not write where the proof of its own work stands. It fails open,
 * and it is a speed bump: what slips past it shows at the next stop (`slips.ts`).
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { globs, type Matches } from '../core/globs.ts';
import { isLive, type Loop } from '../core/loop.ts';
import { changesBetween, type Listing } from '../core/protected.ts';
import { actsOf, type ShellAct } from '../core/shell-acts.ts';
import { sayForbidden, type Forbidden } from '../core/tampering.ts';
import { actOf } from '../hosts/claude-code/tools.ts';
import { SILENCE, type Answer, type ToolAct, type ToolArrival } from '../hosts/host.ts';
import { readListing } from '../journal/listings.ts';
import { realPath } from '../journal/real-path.ts';
import { sessionEntry } from '../journal/sessions.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { trustedPin } from '../journal/trust.ts';
import { foldsCase, hashOf, listProtected, protects, seenFrom } from '../proofs/protected.ts';
import { keepsItems, listsOf } from './item-lists.ts';
import type { World } from './world.ts';

/** Every view that tells of a loop; the progress file is the agent's own too, and is none. */
const VIEWS = [
  '**/.claude/ralph-loop*.local.md',
  '**/.claude/idle-loop.local.md',
  '**/Ralph_State/RALPH_*.json',
];
const CONFIGS = ['**/dacapo.config.*'];

export function hearTool(arrival: ToolArrival, world: World): Answer {
  try {
    const entry = sessionEntry(world.home, arrival.from.session);
    const open = entry === null ? null : openLoop(world.home, entry.loop);
    if (open === null) return SILENCE;
    try {
      const loop = open.loop();
      if (!isLive(loop) || loop.owner?.session !== arrival.from.session) return SILENCE;
      const act = actOf(arrival.use);
      const forbidden = act === null ? null : judge(act, areaOf(open, world));
      if (forbidden === null) return SILENCE;
      const what = 'path' in forbidden ? forbidden.path : forbidden.command;
      world.log(
        `PreToolUse session=${arrival.from.session} loop=${loop.id} refused ${forbidden.is}: ${what}`,
      );
      return { is: 'deny', toAgent: sayForbidden(forbidden, loop.protect), toPerson: null };
    } finally {
      open.close();
    }
  } catch (error) {
    world.log(
      `PreToolUse let through: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return SILENCE;
  }
}

/** All that is forbidden ground for one loop. */
interface Area {
  readonly loop: Loop;
  readonly home: string;
  readonly project: string;
  readonly foldCase: boolean;
  readonly isView: Matches;
  readonly isConfig: Matches;
  readonly isProtected: Matches;
  /** What this loop itself is made of, file by file: its views, its config and all that was trusted with it. */
  readonly own: readonly OwnFile[];
  /** The lists that it works off: forbidden ground as far as an act takes from them what waits. */
  readonly lists: readonly OwnFile[];
  /** What the protected files were. */
  readonly begun: () => Listing;
}

interface OwnFile {
  readonly is: 'definition' | 'config' | 'items';
  /** As it is shown, and where it really lies. */
  readonly path: string;
  readonly place: string;
}

function areaOf(open: OpenLoop, world: World): Area {
  const loop = open.loop();
  const project = behindLinks(loop.project);
  const foldCase = foldsCase(project);
  let begun: Listing | null = null;
  return {
    loop,
    home: behindLinks(world.home.dir),
    project,
    foldCase,
    isView: globs(VIEWS, foldCase),
    isConfig: globs(CONFIGS, foldCase),
    own: ownFiles(loop, project, world),
    lists: listsOf(loop).map(ownFile('items', project)),
    isProtected: loop.protect.length === 0 ? () => false : protects(loop.protect, project),
    begun: () => (begun ??= (loop.baseline === null ? null : readListing(open.dir, loop.baseline)) ?? []),
  };
}

function ownFiles(loop: Loop, project: string, { home }: World): OwnFile[] {
  // What the agent notes in the progress file is its own.
  const views = loop.views.filter(({ kind }) => kind !== 'progress').map(({ file }) => file);
  const shown = loop.view === null ? views : [loop.view, ...views];
  const config = loop.config?.file ?? null;
  const pin = config === null ? null : trustedPin(home, realPath(loop.project), config);
  const trusted = pin?.files.map(({ file }) => file) ?? (config === null ? [] : [config]);
  return [...shown.map(ownFile('definition', project)), ...trusted.map(ownFile('config', project))];
}

function ownFile(is: OwnFile['is'], project: string): (path: string) => OwnFile {
  return (path) => ({ is, path, place: behindLinks(resolve(project, path)) });
}

function judge(act: ToolAct, area: Area): Forbidden | null {
  if (act.is === 'write') {
    const path = behindLinks(resolve(act.cwd, act.path));
    const found = groundOf(path, area);
    if (found?.is === 'items') return keepsItems(found.path, area.loop, act) ? null : found;
    return found?.is === 'protected' && act.content !== null && isMended(path, act.content, area)
      ? null
      : found;
  }
  for (const one of actsOf(act.line, variablesOf(act.cwd, area))) {
    const found = one.is === 'command' ? one : judgeWord(one, act.cwd, area);
    if (found !== null) return found;
  }
  return null;
}

/** What the shell would put in for the names that lead to forbidden ground. */
function variablesOf(cwd: string, { home, loop }: Area): Map<string, string> {
  const { HOME, USERPROFILE, DACAPO_HOME } = process.env;
  return new Map([
    ['HOME', HOME ?? USERPROFILE ?? '~'],
    ['DACAPO_HOME', DACAPO_HOME ?? home],
    ['CLAUDE_PROJECT_DIR', loop.project],
    ['PWD', cwd],
  ]);
}

type Write = Extract<ShellAct, { is: 'write' }>;

function judgeWord(act: Write, cwd: string, area: Area): Forbidden | null {
  const from = act.within.reduce((folder, step) => resolve(folder, step), cwd);
  const path = behindLinks(resolve(from, act.word.text));
  const found = act.word.wild
    ? groundOfPattern(resolve(from, act.word.text), area)
    : (groundOf(path, area) ?? (act.tree ? belowFor(act.how, path, area) : null));
  if (found?.is === 'items')
    return act.how === 'append' || keepsItems(found.path, area.loop, null) ? null : found;
  return found?.is === 'protected' && mends(act.how, path, area) ? null : found;
}

function groundOf(path: string, area: Area): Forbidden | null {
  if (isOwnRecord(path, area)) return { is: 'home', path };
  const seen = seenFrom(area.project, path);
  if (area.isView(seen)) return { is: 'definition', path: seen };
  if (area.isConfig(seen)) return { is: 'config', path: seen };
  const own = area.own.find(({ place }) => isSame(place, path, area.foldCase));
  if (own !== undefined) return { is: own.is, path: own.path };
  if (area.isProtected(seen)) return { is: 'protected', path: seen };
  const list = area.lists.find(({ place }) => isSame(place, path, area.foldCase));
  return list === undefined ? null : { is: list.is, path: list.path };
}

/** Below $DACAPO_HOME. The work tree of a run with --worktree lies there as well, and is where its agent works. */
function isOwnRecord(path: string, { home, project, foldCase }: Area): boolean {
  const isWorkTree = isBelow(project, home, foldCase) && isBelow(path, project, foldCase);
  return isBelow(path, home, foldCase) && !isWorkTree;
}

/**
 * Of a folder, git puts back what it keeps, and cleans away what it does not keep. Views and our records it does not keep;
 * a config that it puts back is held against what was trusted.
 */
function belowFor(how: Write['how'], path: string, area: Area): Forbidden | null {
  switch (how) {
    case 'restore':
      return protectedBelow(path, area);
    case 'clean':
      return ownBelow(path, area, (is) => is === 'definition');
    case 'write':
    case 'append':
    case 'remove':
      return groundBelow(path, area);
  }
}

function ownBelow(path: string, area: Area, isMeant: (is: OwnFile['is']) => boolean): Forbidden | null {
  if (isBelow(area.home, path, area.foldCase)) return { is: 'home', path: area.home };
  const own = area.own.find(({ is, place }) => isMeant(is) && isBelow(place, path, area.foldCase));
  return own === undefined ? null : { is: own.is, path: own.path };
}

function protectedBelow(path: string, area: Area): Forbidden | null {
  const file = area.begun().find((one) => isBelow(join(area.project, one.path), path, area.foldCase));
  return file === undefined ? null : { is: 'protected', path: file.path };
}

/** A folder that goes takes along what is in it. */
function groundBelow(path: string, area: Area): Forbidden | null {
  const ground = ownBelow(path, area, () => true) ?? protectedBelow(path, area);
  if (ground !== null) return ground;
  const list = area.lists.find(({ place }) => isBelow(place, path, area.foldCase));
  return list === undefined ? null : { is: list.is, path: list.path };
}

/** A pattern of the shell's: what it may stand for. */
function groundOfPattern(pattern: string, area: Area): Forbidden | null {
  const matches = globs([seenFrom(area.project, pattern)], area.foldCase);
  const file = area.begun().find(({ path }) => matches(path));
  if (file !== undefined) return { is: 'protected', path: file.path };
  const isMeant = ({ place }: OwnFile): boolean => matches(seenFrom(area.project, place));
  const own = area.own.find(isMeant);
  if (own !== undefined) return { is: own.is, path: own.path };
  if (isOwnRecord(literalFolder(pattern), area)) return { is: 'home', path: pattern };
  const found = groundOf(pattern, area);
  const list = area.lists.find(isMeant);
  return found ?? (list === undefined ? null : { is: list.is, path: list.path });
}

function literalFolder(pattern: string): string {
  return behindLinks(dirname(pattern.slice(0, pattern.search(/[*?{]/)) + 'x'));
}

/** The agent may put back what is not as it was: what it was is known. */
function mends(how: Write['how'], path: string, area: Area): boolean {
  if ((how !== 'restore' && how !== 'remove') || area.loop.baseline === null) return false;
  const now = listProtected(area.loop.protect, area.project);
  if (!now.ok) return false;
  const touched = (file: { readonly path: string }): boolean =>
    isBelow(join(area.project, file.path), path, area.foldCase);
  const changes = changesBetween(area.begun(), now.files).filter(touched);
  if (how === 'restore') return changes.length > 0;
  const added = changes.filter((change) => change.how === 'added').length;
  return added > 0 && added === now.files.filter(touched).length;
}

function isMended(path: string, content: string, area: Area): boolean {
  const seen = seenFrom(area.project, path);
  return area.begun().some((file) => file.path === seen && file.hash === hashOf(content));
}

function isSame(path: string, other: string, foldCase: boolean): boolean {
  return foldCase ? path.toLowerCase() === other.toLowerCase() : path === other;
}

function isBelow(path: string, folder: string, foldCase: boolean): boolean {
  const [inner, outer] = foldCase ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder];
  const way = relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Links resolved, also where the file itself is yet to be made. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(behindLinks(folder), basename(path));
  }
}
