/**
 * `--setup CMD`: makes the dependencies of a clean room, such as `npm ci` does. What it made is kept for the
 * loop and linked into later rooms, until the files that it reads are others.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash } from '#base/hash.ts';
import { readEnd } from '#base/files/read.ts';
import { supervise } from '#base/process/supervise.ts';
import { findDependencies, linkDependencies } from './dependencies/link-dependencies.ts';
import { digestManifests } from './dependencies/manifests.ts';

export interface Setup {
  readonly command: string;
  /** Where the loop keeps what it made. */
  readonly folder: string;
  readonly runner: string;
}

const SETUP_MS = 15 * 60_000;
const MAX_OUTPUT_CHARS = 300;
/** Written last, so that a setup that was cut short is not taken for a whole one. */
const READY = '.ready';

/** Returns null, or why there are no dependencies. */
export async function setUpRoom(
  { command, folder, runner }: Setup,
  {
    tree,
    cwd,
    env,
  }: { readonly tree: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<string | null> {
  const kept = join(folder, hash(`${command}\n${digestManifests(cwd)}`));
  if (existsSync(join(kept, READY))) {
    linkDependencies(kept, tree);
    return null;
  }
  const tracked = new Set(findDependencies(tree));
  const output = join(folder, 'output.txt');
  writeFileSync(output, '');
  const account = await supervise({ command, cwd, env, timeoutMs: SETUP_MS, output }, runner, signal);
  if (account.is !== 'ended' || account.exit !== 0)
    return `--setup \`${command}\` failed in the clean room: ${readEnd(output, MAX_OUTPUT_CHARS).trim()}`;
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  for (const path of findDependencies(tree).filter((one) => !tracked.has(one))) {
    mkdirSync(join(kept, dirname(path)), { recursive: true });
    renameSync(join(tree, path), join(kept, path));
  }
  writeFileSync(join(kept, READY), '');
  linkDependencies(kept, tree);
  return null;
}
