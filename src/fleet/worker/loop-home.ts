/**
 * The home of one loop on a worker, so that what its tests and its agent leave in a home, a cache or a
 * temporary folder does not reach the next loop. It holds copies of what the worker lends, and settings of
 * git that include the worker's. It stays as long as the work tree of the loop does.
 */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { HOST_FOLDERS } from '#hosts/tables/login-files.ts';
import { isAlive } from '#store/runtime.ts';
import { matchOneOf } from '#base/words/word-list.ts';
import { gitFolder, homeOf, lendTo, stampsFile, type LentFile } from './lent-files.ts';

/**
 * Variables that name a home, a folder of settings or a cache. Those of the worker would be shared by its
 * loops.
 */
const TEMPORARY = /^(?:TMPDIR|TMP|TEMP)$/;
const HOMES = matchOneOf(
  `HOME USERPROFILE APPDATA LOCALAPPDATA XDG_(?:CONFIG|CACHE|DATA|STATE)_HOME XDG_RUNTIME_DIR
  GIT_CONFIG_GLOBAL`,
);
const CACHES = matchOneOf(
  `.*_CACHE_(?:DIR|FOLDER|HOME|PATH) npm_config_(?:cache|userconfig) GOPATH GOCACHE GOMODCACHE CARGO_HOME
  CCACHE_DIR DENO_DIR GRADLE_USER_HOME NUGET_PACKAGES COMPOSER_HOME`,
  'i',
);

export interface LoopHome {
  /** For the driver of the loop, and everything that it starts. */
  readonly env: Environment;
  /** For git on its way to a repository: the worker's own settings, and credentials. */
  readonly network: Readonly<Record<string, string>>;
  /** Removes the temporary folder. The home stays. */
  readonly close: () => void;
}

/** What a loop has where homes are shared. */
export function sharedHome(env: Environment): LoopHome {
  return { env, network: {}, close: () => undefined };
}

/** Throws what the file system says. */
export function openLoopHome(dir: string, env: Environment, lent: readonly LentFile[]): LoopHome {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  lendTo(dir, lent);
  includeSettings(dir, env);
  const temporary = mkdtempSync(join(tmpdir(), temporaryName()));
  const isOfWorker = (name: string) =>
    TEMPORARY.test(name) || HOMES.test(name) || HOST_FOLDERS.test(name) || CACHES.test(name);
  const rest = Object.entries(env).filter(([name]) => !isOfWorker(name));
  const onWindows =
    env['USERPROFILE'] === undefined
      ? {}
      : {
          USERPROFILE: dir,
          APPDATA: join(dir, 'AppData', 'Roaming'),
          LOCALAPPDATA: join(dir, 'AppData', 'Local'),
          TEMP: temporary,
          TMP: temporary,
        };
  return {
    env: { ...Object.fromEntries(rest), ...onWindows, HOME: dir, TMPDIR: temporary },
    network: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        HOMES.test(name) && value !== undefined ? [[name, value]] : [],
      ),
    ),
    close: () => void remove(temporary),
  };
}

/** A loop writes its own file, and reads the worker's through it. */
function includeSettings(dir: string, env: Environment): void {
  const own = join(dir, '.gitconfig');
  if (lstatSync(own, { throwIfNoEntry: false }) !== undefined) return;
  const chosen = env['GIT_CONFIG_GLOBAL'];
  const files = chosen ? [chosen] : [join(gitFolder(env), 'config'), join(homeOf(env), '.gitconfig')];
  const there = files.filter((file) => existsSync(file));
  writeFileSync(own, there.map((file) => `[include]\n\tpath = ${JSON.stringify(file)}\n`).join(''));
}

export async function dropLoopHome(dir: string): Promise<void> {
  await Promise.all([stampsFile(dir), dir].map(remove));
}

/** A worker has leases to renew meanwhile: caches are large. What stays only takes room. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
}

/** Short: programs put sockets there, whose paths have 100 characters at most. */
function temporaryName(): string {
  return `dacapo-${sha256(hostname()).slice(0, 8)}-${process.pid}-`;
}

/** What workers of this machine have left that were killed. */
export function dropLeftTemporary(): void {
  const ours = new RegExp(`^dacapo-${sha256(hostname()).slice(0, 8)}-(\\d+)-`);
  for (const name of namesIn(tmpdir())) {
    const maker = ours.exec(name)?.[1];
    if (maker !== undefined && !isAlive(Number(maker)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
