/**
 * The guard: in a session with a live loop, it keeps the agent from writing to the files that prove its work. It fails
 * open, unless calls of this loop need approvals, and it is only a speed bump: the next stop finds what slipped past it
 * (`changed.ts`).
 */
import { dirname, resolve } from 'node:path';
import { globs } from '../core/globs.ts';
import { isLive } from '../core/loop.ts';
import { endedUnanswered } from '../core/waiting/requests.ts';
import { once } from '../core/shape.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { actsOf, type ShellAct } from './shell-acts.ts';
import { sayForbidden, sayUnjudged, type Forbidden } from './refusals.ts';
import type { Variables } from './shell.ts';
import { SILENCE, type Answer, type Environment, type ToolAct, type ToolArrival } from '../hosts/arrival.ts';
import { hashOf, seenFrom } from '../proofs/protected.ts';
import { areaOf, isBelow, isSame, type Area, type OwnFile, type ProjectPlace } from './area.ts';
import { keepsItems } from './lists.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** The longest path that Linux opens; other systems allow less. A longer text names no file. */
const LONGEST_PATH = 4_096;
/** Each pattern is compared with every protected file. A line with more patterns than this is no plain line. */
const MOST_PATTERNS = 200;
/** In characters. A longer pattern counts as several. */
const LONG_PATTERN = 100;

/** A call that writes nothing forbidden, and what is known about it. */
export interface LetThrough {
  readonly act: ToolAct | null;
  readonly open: OpenLoop;
  readonly place: () => ProjectPlace;
  readonly variables: () => Variables;
}

/** `then`: what else is asked about a call of a loop that has rules for approvals. */
export function hearTool(
  arrival: ToolArrival,
  world: Runtime,
  then: (arrival: ToolArrival, call: LetThrough, world: Runtime) => Answer,
): Answer {
  let needsApprovals = false;
  try {
    const entry = world.store.sessions.find(arrival.from.session);
    const open = entry === null ? null : world.store.open(entry.loop);
    if (open === null) return SILENCE;
    try {
      const loop = open.loop();
      const isOver = !isLive(loop) && !(loop.approvals !== null && endedUnanswered(loop));
      if (isOver || loop.owner?.session !== arrival.from.session) return SILENCE;
      needsApprovals = loop.approvals !== null;
      const act = arrival.act();
      const area = once(() => areaOf(open, arrival.ground(), world));
      const forbidden = act === null ? null : judge(act, area(), world.env);
      if (forbidden === null) {
        if (loop.approvals === null) return SILENCE;
        const variables = () => (act?.is === 'shell' ? variablesOf(act, area(), world.env) : new Map());
        return then(arrival, { act, open, place: area, variables }, world);
      }
      const what = 'path' in forbidden ? forbidden.path : 'command' in forbidden ? forbidden.command : '';
      world.log(
        `PreToolUse session=${arrival.from.session} loop=${loop.id} refused ${forbidden.is}: ${what}`,
      );
      return { is: 'deny', toAgent: sayForbidden(forbidden, loop.protect), toPerson: null };
    } finally {
      open.close();
    }
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    // What the guard keeps safe is compared at the stop. A call that needed an approval can't be taken back.
    if (needsApprovals) {
      world.log(`PreToolUse refused: ${stack ?? message}`);
      return { is: 'deny', toAgent: sayUnjudged(message), toPerson: null };
    }
    world.log(`PreToolUse let through: ${stack ?? message}`);
    return { is: 'tell', toPerson: `Da Capo: the guard could not look (${oneLine(message, 300)}).` };
  }
}

function judge(act: ToolAct, area: Area, env: Environment): Forbidden | null {
  if (act.is === 'write') {
    const named = resolve(act.cwd, act.path);
    if (named.length > LONGEST_PATH) return null;
    const path = area.behindLinks(named);
    const found = forbiddenAt(path, area) ?? area.sameFile(path);
    if (found?.is === 'items') return keepsItems(found.path, area.loop, act) ? null : found;
    return found?.is === 'protected' && act.content !== null && isMended(path, act.content, area)
      ? null
      : found;
  }
  const judged = new Set<string>();
  let patterns = 0;
  for (const one of actsOf(act.line, variablesOf(act, area, env))) {
    if (one.is === 'command' && one.ends && area.loop.approvals === null) continue;
    if (one.is === 'command' || one.is === 'too-long') return one;
    const isWild = one.is === 'write' && one.word.wild;
    const path = resolve(act.cwd, one.folder, one.is === 'write' ? one.word.text : one.text);
    const key = one.is === 'write' ? `${one.how} ${one.tree} ${isWild} ${path}` : path;
    if (judged.has(key)) continue;
    if (isWild && (patterns += 1 + path.length / LONG_PATTERN) > MOST_PATTERNS) return { is: 'too-long' };
    judged.add(key);
    const found = one.is === 'write' ? judgeWord(one, path, area) : ownFileNamed(one.text, path, area);
    if (found !== null) return found;
  }
  return null;
}

/** The values that the shell would insert for variables that lead to forbidden files. */
function variablesOf(shell: ShellUse, { home }: Area, env: Environment): Map<string, string> {
  const variables = {
    ...shell.env,
    HOME: env['HOME'] ?? env['USERPROFILE'] ?? '~',
    DACAPO_HOME: env['DACAPO_HOME'] ?? home,
    PWD: shell.cwd,
  };
  return new Map(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

type ShellUse = Extract<ToolAct, { is: 'shell' }>;
type Write = Extract<ShellAct, { is: 'write' }>;

function judgeWord(act: Write, named: string, area: Area): Forbidden | null {
  if (named.length > LONGEST_PATH) return null;
  const path = area.behindLinks(named);
  const found = act.word.wild
    ? forbiddenByPattern(named, area)
    : (forbiddenAt(path, area) ??
      (act.tree ? belowFor(act.how, path, area) : null) ??
      (act.how === 'write' || act.how === 'append' ? area.sameFile(path) : null));
  if (found?.is === 'items')
    return act.how === 'append' || keepsItems(found.path, area.loop, null) ? null : found;
  return found?.is === 'protected' && mends(act.how, path, area) ? null : found;
}

/** One of our own files that a text is, or names. */
function ownFileNamed(text: string, named: string, area: Area): Forbidden | null {
  const path = named.length > LONGEST_PATH ? area.project : area.behindLinks(named);
  if (isOwnRecord(path, area)) return { is: 'home', path };
  const seen = seenFrom(area.project, path);
  if (area.isView(seen)) return { is: 'definition', path: seen };
  const own = area.own.find(
    ({ is, place }) => (is === 'judge' || is === 'answers') && isBelow(path, place, area.foldCase),
  );
  return own === undefined ? area.namedIn(text) : { is: own.is, path: own.path };
}

function forbiddenAt(path: string, area: Area): Forbidden | null {
  if (isOwnRecord(path, area)) return { is: 'home', path };
  const seen = seenFrom(area.project, path);
  if (area.isView(seen)) return { is: 'definition', path: seen };
  if (area.isConfig(seen)) return { is: 'config', path: seen };
  const own = area.own.find(({ is, place }) =>
    is === 'judge' || is === 'answers'
      ? isBelow(path, place, area.foldCase)
      : isSame(place, path, area.foldCase),
  );
  if (own !== undefined) return { is: own.is, path: own.path };
  if (area.isProtected(seen)) return { is: 'protected', path: seen };
  const list = area.lists.find(({ place }) => isSame(place, path, area.foldCase));
  return list === undefined ? null : { is: list.is, path: list.path };
}

/** Below $DACAPO_HOME. The work tree of a run with --worktree is there too, but its agent may write in it. */
function isOwnRecord(path: string, { home, project, foldCase }: Area): boolean {
  const isWorkTree = isBelow(project, home, foldCase) && isBelow(path, project, foldCase);
  return isBelow(path, home, foldCase) && !isWorkTree;
}

/**
 * In a folder, git restores the files it tracks and cleans away those it does not. It does not track views and our
 * records. A restored config is compared with the trusted one.
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
      return forbiddenBelow(path, area);
  }
}

function ownBelow(path: string, area: Area, isMeant: (is: OwnFile['is']) => boolean): Forbidden | null {
  if (isBelow(area.home, path, area.foldCase)) return { is: 'home', path: area.home };
  const own = area.own.find(({ is, place }) => isMeant(is) && isBelow(place, path, area.foldCase));
  return own === undefined ? null : { is: own.is, path: own.path };
}

function protectedBelow(path: string, area: Area): Forbidden | null {
  const file = area.protectedIn(path);
  return file === null ? null : { is: 'protected', path: file };
}

/** Removing a folder also removes what is in it. */
function forbiddenBelow(path: string, area: Area): Forbidden | null {
  const found = ownBelow(path, area, () => true) ?? protectedBelow(path, area);
  if (found !== null) return found;
  const list = area.lists.find(({ place }) => isBelow(place, path, area.foldCase));
  return list === undefined ? null : { is: list.is, path: list.path };
}

/** What a shell pattern may match. */
function forbiddenByPattern(pattern: string, area: Area): Forbidden | null {
  const matches = globs([seenFrom(area.project, pattern)], area.foldCase);
  const file = area.begun().find(({ path }) => matches(path));
  if (file !== undefined) return { is: 'protected', path: file.path };
  const isMeant = ({ place }: OwnFile): boolean => matches(seenFrom(area.project, place));
  const own = area.own.find(isMeant);
  if (own !== undefined) return { is: own.is, path: own.path };
  if (isOwnRecord(area.behindLinks(literalFolder(pattern)), area)) return { is: 'home', path: pattern };
  const found = forbiddenAt(pattern, area);
  const list = area.lists.find(isMeant);
  return found ?? (list === undefined ? null : { is: list.is, path: list.path });
}

function literalFolder(pattern: string): string {
  return dirname(pattern.slice(0, pattern.search(/[*?{[]/)) + 'x');
}

/** The agent may restore a changed protected file, because the baseline is known. */
function mends(how: Write['how'], path: string, area: Area): boolean {
  if (how !== 'restore' && how !== 'remove') return false;
  const since = area.since();
  if (since === null) return false;
  const touched = (file: { readonly path: string }): boolean =>
    isBelow(area.placeOf(file.path), path, area.foldCase);
  const changes = since.changes.filter(touched);
  if (how === 'restore') return changes.length > 0;
  const added = changes.filter((change) => change.how === 'added').length;
  return added > 0 && added === since.now.filter(touched).length;
}

function isMended(path: string, content: string, area: Area): boolean {
  const seen = seenFrom(area.project, path);
  return area.begun().some((file) => file.path === seen && file.hash === hashOf(content));
}
