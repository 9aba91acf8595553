// Windows, as far as Wine carries it: `node scripts/test/wine.mjs` makes a machine below .hosts/wine, with the
// real node.exe and Git for Windows of hosts.mjs. It prints nothing if it is there.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installedHost } from './hosts.mjs';
import { root } from '../root.mjs';

const FOLDER = join(root, '.hosts', 'wine');
const DONE = join(FOLDER, 'made');
const TASKKILL = join(FOLDER, 'drive_c/windows/system32/taskkill.exe');

// Debian's wine64 has no command on the PATH.
export const WINE = '/usr/lib/wine/wine64';
const WINE_SERVER = '/usr/lib/wine/wineserver';
const COMPILER = 'x86_64-w64-mingw32-gcc';

const MOST_MS = 120_000;

/** What a program needs to run in there; or why it can't. */
export function windows() {
  const [node, git] = [installedHost('node-windows'), installedHost('git-windows')];
  const missing = node.missing ?? git.missing ?? (existsSync(DONE) ? undefined : NOT_MADE);
  if (missing !== undefined) return { missing };
  const path = [dirname(node.program), dirname(git.program)].map(windowsPath).join(';');
  return { node: node.program, env: { ...ENVIRONMENT, WINEPATH: path } };
}

const NOT_MADE = 'there is no machine of Wine: `node scripts/test/wine.mjs` makes it';

/** The path of a file of ours, as Windows programs see it. */
export function windowsPath(path) {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Nothing of this machine, whose programs Windows could not start. */
const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  HOME: FOLDER,
  LANG: 'C.UTF-8',
  WINEPREFIX: FOLDER,
  WINEDEBUG: '-all',
  // Ours, in place of one that ends no tree; and no entries in the menus of a desktop.
  WINEDLLOVERRIDES: 'taskkill.exe=n;winemenubuilder.exe=d',
};

/** Ends whatever still runs on this machine of ours. */
export function endWindows() {
  spawnSync(WINE_SERVER, ['-k'], { env: ENVIRONMENT, stdio: 'ignore', timeout: MOST_MS });
}

function make() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  run(WINE, 'wineboot', '-i');
  // Node asks for Windows 8.1 at least.
  run(WINE, 'winecfg', '-v', 'win10');
  run(COMPILER, '-O1', '-s', '-o', TASKKILL, join(root, 'scripts/test/taskkill.c'));
  endWindows();
  writeFileSync(DONE, '');
}

function run(program, ...args) {
  const ran = spawnSync(program, args, { env: ENVIRONMENT, stdio: 'ignore', timeout: MOST_MS });
  if (ran.status === 0) return;
  console.error(`wine: ${[program, ...args].join(' ')}: ${ran.error?.message ?? `exit ${ran.status}`}`);
  process.exit(1);
}

if (argv[1] === fileURLToPath(import.meta.url) && !existsSync(DONE)) make();
