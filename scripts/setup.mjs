// Prepares a fresh clone: installs packages, builds, and with --tests installs what `npm test -- --all`
// needs. Prints nothing if there is nothing to do. Runs before node_modules exists, so it imports nothing
// from there.
//
// npm itself calls it with --prepare wherever it installs Da Capo from its sources (`npm install -g CLONE`, a
// git URL), so that the command and the types are there afterwards. An error here is an error of that
// install.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEEDS } from './test/tiers.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(
    `Node ${process.versions.node} is too old: Da Capo needs 20.19 or newer. Update Node: https://nodejs.org`,
  );

// Beside all that follows: it waits for the network, and needs nothing of it.
const otherHosts = process.argv.includes('--tests') && !windows ? installHosts() : null;

const isPrepare = process.argv.includes('--prepare');
// npm passes --global on to the install within its own temporary clone, and so links the command to a folder
// that it then removes.
if (isPrepare && process.env.npm_config_global === 'true' && /[\\/]_cacache[\\/]tmp$/.test(dirname(root)))
  fail(
    "npm can't install this command from a git URL. Run instead: git clone URL dacapo && npm install -g ./dacapo",
  );
// npm writes the file that dates its packages after it called us, so an install asks only whether we can
// build.
if (isPrepare ? !canBuild() : packagesAreStale()) {
  say('installing packages');
  // Show only errors: the pinned Claude Code asks for a newer Node than ours, but its program does not need
  // one.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // npm passes the flags of an outer install on: this one is local, complete, and must not call us again.
  const local = ['--location=project', '--global=false', '--include=dev', '--ignore-scripts'];
  run('npm', ['ci', ...local, ...quiet], { shell: windows });
}

// An install must not change the committed plugin/dist, and CI must test it.
const buildFlags = isPrepare || process.env.CI ? ['--only', 'cli'] : [];
if (isPrepare) buildFlags.push('--types');
run(process.execPath, ['scripts/build/build.mjs', '--if-stale', ...buildFlags]);

if (otherHosts !== null) {
  installAll(NEEDS.filter(({ found }) => !found()));
  const status = await otherHosts;
  if (status !== 0) fail(`scripts/test/hosts.mjs: exit ${status}`);
  run(process.execPath, ['scripts/test/wine.mjs']);
}

/** Its exit code. */
function installHosts() {
  const child = spawn(process.execPath, ['scripts/test/hosts.mjs'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('close', resolve));
}

function canBuild() {
  return ['esbuild', 'typescript'].every((name) => existsSync(join(root, 'node_modules', name)));
}

function packagesAreStale() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return (
    !existsSync(installed) || statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs
  );
}

function installAll(missing) {
  if (missing.length === 0) return;
  const names = missing.flatMap(({ packages }) => packages);
  if (process.getuid?.() !== 0 || !hasAptGet()) {
    const things = missing.map(({ is }) => is).join(', ');
    fail(`--all needs ${things}. Install it and try again, or run \`npm test\`, which needs none of it.`);
  }
  say(`installing ${names.join(' and ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

function hasAptGet() {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'apt-get')));
}

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (status !== 0) fail(`${[program, ...args].join(' ')}: ${error?.message ?? `exit ${status}`}`);
}

function say(message) {
  console.error(`setup: ${message}`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
