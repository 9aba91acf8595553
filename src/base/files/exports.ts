/**
 * Folders for exported trees, in the home: `exports/HOST.PID.RANDOM`. They are not in the folder for
 * temporary files, where any program may put files above them that a host obeys. One that a killed process
 * left behind goes with the next export or with `dacapo prune`.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../shape.ts';
import { isIn, namesIn, realPath } from './paths.ts';

/** Its process may run on another machine that shares the home. No export is in use for this long. */
const OTHERS_LEFT_MS = 24 * 60 * 60_000;
const EXPORT_FOLDER_NAME = /^(?<host>.*)\.(?<pid>\d+)\.[^.]+$/;

export interface ExportHome {
  readonly home: string;
  readonly isAlive: (process: number) => boolean;
}

/** The folder is empty, open to this user only, and removed at the end. */
export async function withExportFolder<T>(
  { home, isAlive }: ExportHome,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  for (const left of findLeftExports(home, isAlive, Date.now())) removeExport(left);
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(folderOf(home), `${machineName()}.${process.pid}.`));
  try {
    return await use(folder);
  } finally {
    removeExport(folder);
  }
}

export function findLeftExports(home: string, isAlive: ExportHome['isAlive'], now: number): string[] {
  return namesIn(folderOf(home)).flatMap((name) => {
    const path = join(folderOf(home), name);
    const { host, pid } = EXPORT_FOLDER_NAME.exec(name)?.groups ?? {};
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const isLeft =
      host === machineName() ? !isAlive(Number(pid)) : now - (stat?.mtimeMs ?? now) > OTHERS_LEFT_MS;
    return isLeft ? [path] : [];
  });
}

function folderOf(home: string): string {
  return join(home, 'exports');
}

/** Part of the name of a folder. */
function machineName(): string {
  return hostname().replaceAll(/[^\w-]/g, '-');
}

const WRITE_BITS = 0o222;
const OWNER_BITS = 0o700;

/**
 * Nothing in it can be written, made, renamed or removed, until somebody gives the right back. Links stay as
 * they are.
 */
export function makeReadOnly(folder: string | Buffer): void {
  for (const entry of listEntries(folder))
    if (entry.isFolder) makeReadOnly(entry.path);
    else if (entry.isFile) chmodSync(entry.path, readMode(entry.path) & ~WRITE_BITS);
  chmodSync(folder, readMode(folder) & ~WRITE_BITS);
}

/**
 * Removes links to what is not in the folder: whoever works there would stand elsewhere behind them. A link
 * to nothing leads out too.
 */
export function removeLinksOut(folder: string): void {
  const root = realPath(folder);
  const visit = (at: string | Buffer) => {
    for (const { path, isFolder, isLink } of listEntries(at))
      if (isFolder) visit(path);
      else if (isLink && !attempt(() => isIn(realpathSync(path), root), false)) unlinkSync(path);
  };
  visit(root);
}

/** Fails silently: what is left goes with the next export. */
export function removeExport(path: string): void {
  attempt(() => {
    // In a read-only folder nothing can be removed.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) openFolders(path);
    rmSync(path, { recursive: true, force: true });
  }, undefined);
}

function openFolders(folder: string | Buffer): void {
  chmodSync(folder, readMode(folder) | OWNER_BITS);
  for (const { path, isFolder } of listEntries(folder)) if (isFolder) openFolders(path);
}

/** Names need not be UTF-8. */
function listEntries(folder: string | Buffer) {
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    path: Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name]),
    isFolder: entry.isDirectory(),
    isFile: entry.isFile(),
    isLink: entry.isSymbolicLink(),
  }));
}

function readMode(path: string | Buffer): number {
  return lstatSync(path).mode & 0o777;
}
