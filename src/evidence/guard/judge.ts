/**
 * The guard: in a session with a live loop, it keeps the agent from writing to the files that prove its work.
 * It is only a speed bump: the next stop finds what slipped past it (`changed.ts`).
 */
import { dirname, resolve } from 'node:path';
import { globs } from '#base/globs.ts';
import type { Environment, ToolAct, UnknownAct } from '#hosts/port/arrival.ts';
import { readingsOf } from '#hosts/tools/spellings.ts';
import { hashOf, seenFromProject } from '../proofs/protected.ts';
import { HELD_OUT_FILE } from '../proofs/held-out.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isBelow, isSame, type Area, type OwnFile, type ProjectPlace } from './area.ts';
import { keepsItems } from './lists.ts';
import { personsCommand, personsIn, type PersonsCommand } from './persons.ts';
import { canWrite, readShellText, type Variables } from './raw-text.ts';
import type { Forbidden, ForbiddenFile } from './refusals.ts';
import { actsOfLine, type ShellAct } from './shell-acts.ts';
import { awaitsTyping } from './typed-shell.ts';

/** The longest argument that Linux passes to a program. A longer line never reaches a shell. */
const MAX_LINE_CHARS = 128 * 1024;
/** The longest path that Linux opens; other systems allow less. A longer text names no file. */
const MAX_PATH_CHARS = 4_096;
/**
 * Each pattern is compared with every protected file. A line with more patterns than this is not a plain
 * line.
 */
const MAX_PATTERNS = 200;
/** In characters. A longer pattern counts as several. */
const LONG_PATTERN_CHARS = 100;
/** How many texts of an unknown call may be the folder of another. */
const MAX_FOLDERS_TRIED = 16;

export interface LetThrough {
  readonly acts: readonly ToolAct[];
  readonly open: OpenLoop;
  readonly place: () => ProjectPlace;
  readonly variables: () => Variables;
}

/** Null: it writes nothing that it must not write, as far as it shows. */
export function judgeToolAct(act: ToolAct, area: Area, env: Environment): Forbidden | null {
  switch (act.is) {
    case 'write':
      return judgeWrite(act, area);
    case 'shell':
      return judgeLine(act, area, variablesOf([act], area, env));
    case 'unknown':
      return judgeUnknown(act, area, variablesOf([act], area, env));
  }
}

/** The values that the shell would insert for variables that lead to forbidden files. */
export function variablesOf(acts: readonly ToolAct[], { home }: Area, env: Environment): Variables {
  const act = acts.find(({ is }) => is !== 'write');
  if (act === undefined) return new Map();
  const variables = {
    ...('env' in act ? act.env : {}),
    HOME: env['HOME'] ?? env['USERPROFILE'] ?? '~',
    DACAPO_HOME: env['DACAPO_HOME'] ?? home,
    PWD: act.cwd,
  };
  return new Map(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function judgeWrite(act: Extract<ToolAct, { is: 'write' }>, area: Area): Forbidden | null {
  const named = resolve(act.cwd, act.path);
  if (named.length > MAX_PATH_CHARS) return null;
  const path = area.behindLinks(named);
  const found = forbiddenAt(path, area) ?? area.sameFile(path);
  if (found?.is === 'items') return keepsItems(found.path, area.loop, act) ? null : found;
  return found?.is === 'protected' && act.content !== null && isMended(path, act.content, area)
    ? null
    : found;
}

/**
 * Each text may be a path, a folder for the others, or something that runs. A tool that acts has no business
 * here.
 */
function judgeUnknown(
  { tool, isActing, texts, cwd }: UnknownAct,
  area: Area,
  variables: Variables,
): Forbidden | null {
  if (isActing && area.loop.protection.protect.length > 0) return { is: 'unknown', tool };
  if (texts.some((text) => text.includes(HELD_OUT_FILE))) return { is: 'held-out' };
  const once = judgesOnce();
  const paths = texts.flatMap(readingsOf).filter((text) => text.length <= MAX_PATH_CHARS);
  const folders = ['', ...paths.slice(0, MAX_FOLDERS_TRIED)];
  for (const path of paths)
    for (const folder of folders) {
      const named = resolve(cwd, folder, path);
      const found = once(named, 'unknown', false, () => mentioned(named, false, area));
      if (found !== null) return found;
    }
  const text = { is: 'text', text: texts.join('\n'), folder: '', runs: true } as const;
  return text.text.length > MAX_LINE_CHARS
    ? { is: 'too-long' }
    : judgeText(text, { cwd, area, variables, once });
}

function judgeLine(
  { line, cwd, isTypedInto }: Extract<ToolAct, { is: 'shell' }>,
  area: Area,
  variables: Variables,
): Forbidden | null {
  if (line.length > MAX_LINE_CHARS) return { is: 'too-long' };
  if (line.includes(HELD_OUT_FILE)) return { is: 'held-out' };
  if (isTypedInto && area.loop.protection.protect.length > 0 && awaitsTyping(line)) return { is: 'typed' };
  const once = judgesOnce();
  for (const one of actsOfLine(line, variables.get('HOME') ?? '~')) {
    const found = judgeAct(one, { cwd, area, variables, once });
    if (found !== null) return found;
  }
  return null;
}

type PathJudge = ReturnType<typeof judgesOnce>;

/** Judges each path of a line only once, and no more patterns than there is time for. */
function judgesOnce() {
  const known = new Set<string>();
  let patterns = 0;
  return (path: string, how: string, isWild: boolean, judged: () => Forbidden | null): Forbidden | null => {
    const key = `${how} ${path}`;
    if (path.length > MAX_PATH_CHARS || known.has(key)) return null;
    if (isWild && (patterns += 1 + path.length / LONG_PATTERN_CHARS) > MAX_PATTERNS)
      return { is: 'too-long' };
    known.add(key);
    return judged();
  };
}

/** Where the acts of one line happen. */
interface LineScene {
  readonly cwd: string;
  readonly area: Area;
  readonly variables: Variables;
  readonly once: PathJudge;
}

function judgeAct(act: ShellAct, scene: LineScene): Forbidden | null {
  const { cwd, area, once } = scene;
  switch (act.is) {
    case 'write': {
      const path = resolve(cwd, act.folder, act.word.text);
      const how = `${act.how} ${act.tree} ${act.word.wild}`;
      return once(path, how, act.word.wild, () => judgeWord(act, path, area));
    }
    case 'run':
      return act.reads && !act.verb.startsWith('dacapo')
        ? null
        : refusedTo(personsCommand(act.verb, act.args), area);
    case 'text':
      return judgeText(act, scene);
  }
}

function refusedTo(found: PersonsCommand | null, { loop }: Area): Forbidden | null {
  return found === null || (found.ends && loop.people.approvals === null)
    ? null
    : { is: 'command', command: found.command };
}

/**
 * A text that we don't read as a shell would. To mention a file of ours, or a command that is for a person,
 * is enough. A file that is compared at the stop, or a folder of the project that holds one, must stand
 * beside something that can write.
 */
function judgeText(
  { text: source, folder, runs }: Extract<ShellAct, { is: 'text' }>,
  { cwd, area, variables, once }: LineScene,
): Forbidden | null {
  const text = readShellText(source, variables);
  const persons = runs ? refusedTo(personsIn(text), area) : null;
  if (persons !== null) return persons;
  const view = area.viewIn(text.text);
  if (view !== null) return { is: 'definition', path: view, inText: runs };
  const writes = runs && canWrite(text);
  const folders = ['', ...(runs ? text.folders : [])].map((inside) => resolve(cwd, folder, inside));
  const user = variables.get('HOME') ?? '';
  for (const token of text.tokens) {
    // Code builds paths: `os.homedir() + "/.claude/settings.json"`. A name alone could be anything.
    const fromHome = /[^/]\//.test(token) ? [resolve(user, `./${token}`)] : [];
    const isWild = /[*?]/.test(token);
    for (const path of [...folders.map((one) => resolve(one, token)), ...fromHome]) {
      const found = once(
        path,
        `text ${writes}`,
        isWild && writes,
        () => ownFileAt(area.behindLinks(path), area) ?? (writes ? mentioned(path, isWild, area) : null),
      );
      if (found !== null) return 'path' in found ? { ...found, inText: runs } : found;
    }
  }
  return null;
}

function mentioned(named: string, isWild: boolean, area: Area): Forbidden | null {
  const path = area.behindLinks(named);
  // Everything is below the project's folder: `.` says nothing.
  const isAbove = isBelow(area.project, path, area.foldCase);
  const found = isWild
    ? forbiddenByPattern(named, area)
    : (forbiddenAt(path, area) ?? (isAbove ? null : forbiddenBelow(path, area)));
  return found?.is === 'items' && keepsItems(found.path, area.loop, null) ? null : found;
}

type Write = Extract<ShellAct, { is: 'write' }>;

function judgeWord(act: Write, named: string, area: Area): Forbidden | null {
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

/** One of our own files, which nothing compares later. */
function ownFileAt(path: string, area: Area): ForbiddenFile | null {
  if (isOwnRecord(path, area)) return { is: 'home', path };
  const seen = seenFromProject(area.project, path);
  if (area.isView(seen)) return { is: 'definition', path: seen };
  const holds = ({ is, place }: OwnFile) =>
    (is === 'judge' || is === 'answers') && isBelow(path, place, area.foldCase);
  return area.own.find(holds) ?? null;
}

function forbiddenAt(path: string, area: Area): ForbiddenFile | null {
  const own = ownFileAt(path, area);
  if (own !== null) return own;
  const seen = seenFromProject(area.project, path);
  if (area.isConfig(seen)) return { is: 'config', path: seen };
  const isIt = ({ place }: OwnFile) => isSame(place, path, area.foldCase);
  const file = area.own.find(isIt);
  if (file !== undefined) return file;
  return area.isProtected(seen) ? { is: 'protected', path: seen } : (area.lists.find(isIt) ?? null);
}

/**
 * Below $DACAPO_HOME. The work tree of a run with --worktree is there too, and on a worker the home of the
 * loop, but its agent may write in them.
 */
function isOwnRecord(path: string, { home, loopHome, project, foldCase }: Area): boolean {
  const isWorkTree = isBelow(project, home, foldCase) && isBelow(path, project, foldCase);
  const isItsHome = loopHome !== null && isBelow(path, loopHome, foldCase);
  return isBelow(path, home, foldCase) && !isWorkTree && !isItsHome;
}

/**
 * In a folder, git restores the files it tracks and cleans away those it does not. It does not track views
 * and our records. A restored config is compared with the trusted one.
 */
function belowFor(how: Write['how'], path: string, area: Area): Forbidden | null {
  if (how === 'restore') return protectedBelow(path, area);
  return how === 'clean' ? ownBelow(path, area, (is) => is === 'definition') : forbiddenBelow(path, area);
}

function ownBelow(path: string, area: Area, isMeant: (is: OwnFile['is']) => boolean): Forbidden | null {
  if (isBelow(area.home, path, area.foldCase)) return { is: 'home', path: area.home };
  return area.own.find(({ is, place }) => isMeant(is) && isBelow(place, path, area.foldCase)) ?? null;
}

function protectedBelow(path: string, area: Area): Forbidden | null {
  const file = area.protectedIn(path);
  return file === null ? null : { is: 'protected', path: file };
}

/** Removing a folder also removes what is in it. */
function forbiddenBelow(path: string, area: Area): Forbidden | null {
  return (
    ownBelow(path, area, () => true) ??
    protectedBelow(path, area) ??
    area.lists.find(({ place }) => isBelow(place, path, area.foldCase)) ??
    null
  );
}

function forbiddenByPattern(pattern: string, area: Area): Forbidden | null {
  const matches = globs([seenFromProject(area.project, pattern)], area.foldCase);
  const file = area.atStart().find(({ path }) => matches(path));
  if (file !== undefined) return { is: 'protected', path: file.path };
  const isMeant = ({ place }: OwnFile): boolean => matches(seenFromProject(area.project, place));
  const own = area.own.find(isMeant);
  if (own !== undefined) return own;
  const literalFolder = dirname(pattern.slice(0, pattern.search(/[*?{[]/)) + 'x');
  if (isOwnRecord(area.behindLinks(literalFolder), area)) return { is: 'home', path: pattern };
  return forbiddenAt(pattern, area) ?? area.lists.find(isMeant) ?? null;
}

/** The agent may restore a changed protected file, because the baseline is known. */
function mends(how: Write['how'], path: string, area: Area): boolean {
  if (how !== 'restore' && how !== 'remove') return false;
  const since = area.since();
  if (since === null) return false;
  const touched = (file: { readonly path: string }) => isBelow(area.placeOf(file.path), path, area.foldCase);
  const changes = since.changes.filter(touched);
  if (how === 'restore') return changes.length > 0;
  const added = changes.filter((change) => change.how === 'added').length;
  return added > 0 && added === since.now.filter(touched).length;
}

function isMended(path: string, content: string, area: Area): boolean {
  const seen = seenFromProject(area.project, path);
  return area.atStart().some((file) => file.path === seen && file.hash === hashOf(content));
}
