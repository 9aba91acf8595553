/**
 * The clean room: a tree of its own with what git knows of the loop's work, and a ground that the caller
 * chooses. Nothing of the project is written. All rooms of one look go away together: some file systems make
 * files very slowly just after as many were removed. If this process is killed, the next room or
 * `dacapo prune` removes them.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRefusal } from '#base/refusal.ts';
import { attempt } from '#base/shape.ts';
import { isIn, realPath } from '#base/files/paths.ts';
import { exportTree, type ExportSource } from '#evidence/git/worktree/export.ts';
import { linkDependencies } from './dependencies/link-dependencies.ts';
import { PART, type GroundFile } from './list.ts';
import { mixedFile } from './parts/mixed.ts';
import { inRoom, roomEnvironment } from './room-environment.ts';
import { setUpRoom, type Setup } from './set-up.ts';

export interface RoomOrder {
  readonly project: string;
  /** Where it is made: `withExportFolder`. */
  readonly folder: string;
  /** The code: the loop's work, or a tree of the start. */
  readonly code: ExportSource;
  /** The ground in the room. */
  readonly ground: readonly GroundFile[];
  /** Ground of the code. Of these files the room has only what `ground` holds. */
  readonly replaced: readonly GroundFile[];
  /** How its dependencies are made. Null: those of the project are linked. */
  readonly setup: Setup | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface CleanRoom {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The same command for the room. */
  readonly command: (command: string) => string;
}

/** A text says why it could not be made. */
export async function makeRoom(order: RoomOrder): Promise<CleanRoom | string> {
  const folder = mkdtempSync(join(order.folder, 'room-'));
  const [tree, home] = [join(folder, 'tree'), join(folder, 'home')];
  mkdirSync(tree);
  mkdirSync(home);
  const made = await fillRoom(order, tree);
  if (typeof made !== 'object') return made;
  const { cwd, root } = made;
  const places = { project: realPath(order.project), cwd, home };
  const env = roomEnvironment(order.env, places);
  if (order.setup === null) linkDependencies(root, tree);
  const trouble = order.setup && (await setUpRoom(order.setup, { tree, cwd, env }, order.signal));
  return trouble ?? { cwd, env, command: (command) => inRoom(command, places) };
}

/** `root`: what the room is a copy of. The project may lie deeper in its repository. */
async function fillRoom(
  order: RoomOrder,
  tree: string,
): Promise<(Pick<CleanRoom, 'cwd'> & { root: string }) | string> {
  const { project, code, signal } = order;
  const exported = await exportTree({ project, from: code, to: tree, signal });
  if (isRefusal(exported)) return exported.message;
  const cwd = exported.project;
  layGround(order, { tree, cwd });
  const depth = relative(tree, cwd);
  return { cwd, root: depth === '' ? project : project.slice(0, -depth.length - 1) };
}

/** Of a mixed file only the part that decides is replaced. The rest is work. */
function layGround(
  { ground, replaced }: RoomOrder,
  { tree, cwd }: { readonly tree: string; readonly cwd: string },
): void {
  const laid = new Map(ground.map((file) => [file.path, file]));
  const whole = new Set(replaced.filter(isWholeGround).map(({ path }) => path));
  for (const path of new Set([...replaced.map((file) => file.path), ...laid.keys()])) {
    const [file, target] = [laid.get(path), join(cwd, path)];
    // Of a repository that ignores the project, the room has nothing.
    if (!isIn(target, tree)) continue;
    const mixed = mixedFile(path);
    if (file !== undefined && isLaid(file, cwd)) continue;
    const isWhole = file === undefined ? whole.has(path) : isWholeGround(file);
    const now = mixed === null || isWhole ? null : textAt(cwd, path);
    makeRealFolder(cwd, dirname(path));
    rmSync(target, { recursive: true, force: true });
    if (now !== null && mixed !== null)
      writeFileSync(target, mixed.withDeciding(now, file?.content.toString('utf8') ?? ''));
    else if (file?.mode === 'link') symlinkSync(file.content.toString('utf8'), target);
    else if (file !== undefined) {
      writeFileSync(target, file.content);
      chmodSync(target, file.mode === 'executable' ? 0o755 : 0o644);
    }
  }
}

/** Most are as the code has them already. */
function isLaid({ path, mode, content }: GroundFile, cwd: string): boolean {
  const target = join(cwd, path);
  const isSameKind = attempt(() => {
    const stat = lstatSync(target);
    const isExecutable = (stat.mode & 0o111) !== 0;
    return stat.isFile() && stat.size === content.length && isExecutable === (mode === 'executable');
  }, false);
  if (mode === 'link' || !isSameKind || realPath(target) !== join(realPath(cwd), path)) return false;
  return attempt(() => readFileSync(target).equals(content), false);
}

/** Part of the ground by its place, such as a `package.json` among the fixtures. */
function isWholeGround({ hash }: GroundFile): boolean {
  return !hash.startsWith(PART);
}

/** Null: there is no such file in the room, or it is behind a link. */
function textAt(cwd: string, path: string): string | null {
  const target = join(cwd, path);
  const isThere = attempt(
    () => lstatSync(target).isFile() && realPath(target) === join(realPath(cwd), path),
    false,
  );
  return isThere ? attempt(() => readFileSync(target, 'utf8'), null) : null;
}

/** The agent may have put a link where a folder was. Through it we would write into the project. */
function makeRealFolder(cwd: string, folder: string): void {
  if (folder === '.') return;
  makeRealFolder(cwd, dirname(folder));
  const path = join(cwd, folder);
  if (attempt(() => lstatSync(path).isDirectory(), false)) return;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
}
