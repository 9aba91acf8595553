// Prepares a fresh clone: installs packages, builds, and with --tests checks for what the tests need. Prints nothing
// if there is nothing to do. Runs before node_modules exists, so it imports nothing from there.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(
    `Node ${process.versions.node} is too old: Da Capo needs 20.19 or newer. Update Node: https://nodejs.org`,
  );

if (packagesAreStale()) {
  say('installing packages');
  // Show only errors: the pinned Claude Code asks for a newer Node than ours, but its program does not need one.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: windows });
}

// CI must test the committed plugin/dist, not replace it.
const buildFlags = process.env.CI ? ['--strict', '--only', 'cli'] : [];
run(process.execPath, ['scripts/build.mjs', '--if-stale', ...buildFlags]);

// What the tests of the terminal, of the page and of the fleet start.
const PROGRAMS = [
  { package: 'tmux', of: 'the terminal', found: () => has('tmux') },
  {
    package: 'chromium',
    of: 'the page',
    found: () => has('chromium') || Boolean(process.env.DACAPO_CHROMIUM),
  },
  { package: 'jq', of: 'the recipes', found: () => has('jq') },
  { package: 'bubblewrap', of: 'the sandbox', found: () => has('bwrap') },
  {
    package: 'postgresql',
    of: 'the fleet',
    found: () => has('initdb') || existsSync('/usr/lib/postgresql'),
  },
];
if (process.argv.includes('--tests') && !windows) {
  installAll(PROGRAMS.filter(({ found }) => !found()));
  run(process.execPath, ['scripts/hosts.mjs']);
}

function packagesAreStale() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return (
    !existsSync(installed) || statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs
  );
}

function installAll(missing) {
  if (missing.length === 0) return;
  const names = missing.map((one) => one.package);
  if (process.getuid?.() !== 0 || !has('apt-get')) {
    fail(
      `the tests of ${missing.map(({ of }) => of).join(' and ')} need ${names.join(' and ')}: install it and try again (DACAPO_CHROMIUM names another program)`,
    );
  }
  say(`installing ${names.join(' and ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

function has(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
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
