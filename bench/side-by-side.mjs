// Starts many `dacapo run --worktree --commit` in one repository at the same instant, round after round, and
// counts how they end. Figures to read, never a test. The stand-in for the host works without delay, so that
// the runs collide where they can: in git.
//
//   node bench/side-by-side.mjs [--runs N] [--rounds N] [--cli FILE]

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '20' },
    cli: { type: 'string', default: join(ROOT, 'dist/cli.cjs') },
  },
});

const FLAGS = [
  '--worktree',
  '--commit',
  '--check',
  'test "$(wc -l < poem.txt)" -ge 2',
  '--pause',
  '0',
  '--json',
];

// The stand-in writes a line of its poem and says so.
const HOST = `#!${process.execPath}
const fs = require('node:fs');
const [first] = process.argv.slice(2);
if (first === '--version') { console.log('2.1.325 (Claude Code)'); process.exit(); }
if (first === 'auth') { console.log(JSON.stringify({ loggedIn: true })); process.exit(); }
fs.appendFileSync('poem.txt', 'line\\n');
const say = (value) => fs.writeSync(1, JSON.stringify(value) + '\\n');
say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325', permissionMode: 'acceptEdits' });
say({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm', content: [{ type: 'text', text: 'A line.' }] } });
say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', result: 'A line.', num_turns: 1, total_cost_usd: 0 });
`;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-side-by-side-')));
try {
  const ends = new Map();
  const began = Date.now();
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const end of await oneRound(round, Number(flags.runs))) ends.set(end, (ends.get(end) ?? 0) + 1);
  for (const [end, times] of ends) console.log(`${String(times).padStart(5)}  ${end}`);
  console.log(`${Math.round((Date.now() - began) / 1000)} s`);
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * Each round has its own repository, because the first worktree of a repository creates folders that later
 * ones reuse.
 */
async function oneRound(round, runs) {
  const folder = join(root, String(round));
  const [project, home, claude] = [join(folder, 'project'), join(folder, 'home'), join(folder, 'claude')];
  mkdirSync(project, { recursive: true });
  mkdirSync(home);
  writeFileSync(claude, HOST);
  chmodSync(claude, 0o755);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DACAPO_HOME: join(home, 'dacapo'),
    DACAPO_CLAUDE: claude,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const git = (...args) => execFileSync('git', args, { cwd: project, env, stdio: 'ignore' });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  return Promise.all(
    Array.from({ length: runs }, (_, n) => oneRun(project, env, ['run', `Write poem ${n}.`, ...FLAGS])),
  );
}

/** Returns how the run ended, with its error and unexpected warnings. */
function oneRun(project, env, args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [flags.cli, ...args], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => (said[stream] += text));
    child.on('close', (code) => {
      const warnings = said.stdout
        .split('\n')
        .filter((line) => line.includes('"is":"warning"') && !line.includes('no rule allows a command'))
        .map((line) => JSON.parse(line).text);
      const error = /^error: .*/m.exec(said.stderr)?.[0];
      done(
        [`exit ${code}`, ...(error === undefined ? [] : [error]), ...warnings]
          .join('; ')
          .replace(/run_\w+/g, 'run_…'),
      );
    });
  });
}
