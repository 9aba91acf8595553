// Prepares a fresh clone: installs packages, builds, and with --tests checks for what the tests need. Prints nothing
// if there is nothing to do. Runs before node_modules exists, so it imports nothing from there.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

if (packagesAreStale()) {
  say('installing packages');
  // Show only errors: the pinned Claude Code asks for a newer Node than ours, but its program does not need one.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: windows });
}

// CI must test the committed plugin/dist, not replace it.
const buildFlags = process.env.CI ? ['--strict', '--only', 'cli'] : [];
run(process.execPath, ['scripts/build.mjs', '--if-stale', ...buildFlags]);

if (process.argv.includes('--tests') && !windows && !has('tmux')) installTmux();

function packagesAreStale() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return (
    !existsSync(installed) || statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs
  );
}

function installTmux() {
  if (process.getuid?.() !== 0 || !has('apt-get')) {
    fail(
      'the tests of the terminal need tmux: install it (apt-get install tmux, brew install tmux) and try again',
    );
  }
  say('installing tmux');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'tmux'], { env });
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
