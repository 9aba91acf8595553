// One loop for a long time: real stops by the real hook, one after the other, and what grows with them. Figures
// to read, never a test. 10,000 iterations take some ten minutes.
//
//   node bench/soak.mjs [--iterations N] [--looks N] [--json]
//
// At each look: the time of a stop and of `dacapo status` as ratios to a bare `node -e 0` of the same moment, the
// most memory and the open files of a stop, and the bytes and files of the home and of the project.

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, plainEnvironment, timedRun } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const HOOK = join(ROOT, 'plugin/dist/hook.cjs');
const CLI = join(ROOT, 'dist/cli.cjs');
const { values: flags } = parseArgs({
  options: {
    iterations: { type: 'string', default: '10000' },
    looks: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
/** Times of one look are those of so many runs. */
const ROUNDS = 25;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-soak-')));
const project = join(root, 'project');
const transcript = join(root, 'transcript.jsonl');
const env = {
  PATH: plainEnvironment().PATH,
  HOME: root,
  DACAPO_HOME: join(root, 'home'),
  CLAUDE_PROJECT_DIR: project,
  CLAUDE_CODE_SESSION_ID: 'soak',
  CLAUDE_PID: String(process.pid),
};
const payload = { session_id: 'soak', cwd: project, transcript_path: transcript, permission_mode: 'default' };
let turns = 0;

try {
  mkdirSync(project);
  writeFileSync(join(root, 'usage.cjs'), reporter());
  begin();
  const every = Math.max(ROUNDS, Math.floor(Number(flags.iterations) / Number(flags.looks)));
  const looks = [look()];
  while (turns + every <= Number(flags.iterations)) {
    while (turns < looks.length * every - 2 * ROUNDS) stop();
    looks.push(look());
    if (!flags.json) print(looks.at(-1));
  }
  if (flags.json) console.log(JSON.stringify(looks, null, 2));
} finally {
  rmSync(root, { recursive: true, force: true });
}

function begin() {
  const start = { hook_event_name: 'UserPromptExpansion', command_name: 'ralph' };
  const words = '--max-iterations unlimited Build what the specification asks for.';
  const said = hook({ ...start, command_args: words });
  if (!said.stdout.includes('started')) throw new Error(`no loop began: ${said.stdout}${said.status}`);
}

/** A pass with a tool call, and its end. */
function stop(more = {}) {
  const id = `t${turns++}`;
  const rows = [
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    },
  ];
  appendFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const said = hook({ hook_event_name: 'Stop', last_assistant_message: `Done with part ${turns}.` }, more);
  if (!/decision|additionalContext/.test(said.stdout)) throw new Error(`turn ${turns}: ${said.stdout}`);
  return said.ms;
}

function hook(event, more = {}) {
  const input = JSON.stringify({ ...payload, ...event, stop_hook_active: turns > 1 });
  return timedRun(process.execPath, [HOOK], { isCpu: false, cwd: project, env: { ...env, ...more }, input });
}

function look() {
  const times = { bare: [], stop: [], status: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(timedRun(process.execPath, ['-e', '0'], { isCpu: false, env }).ms);
    times.stop.push(stop());
    times.status.push(timedRun(process.execPath, [CLI, 'status'], { isCpu: false, cwd: project, env }).ms);
  }
  const report = join(root, 'usage.json');
  stop({ NODE_OPTIONS: `--require ${join(root, 'usage.cjs')}`, SOAK_REPORT: report });
  const { maxRSS, open } = JSON.parse(readFileSync(report, 'utf8'));
  const bare = median(times.bare);
  return {
    iterations: turns,
    stop: median(times.stop) / bare,
    status: median(times.status) / bare,
    mb: maxRSS / 1_024,
    open,
    home: sizeOf(env.DACAPO_HOME),
    project: sizeOf(project),
  };
}

/** What a stop has used, told at its end. */
function reporter() {
  return `const { readdirSync, writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.SOAK_REPORT, JSON.stringify({
  maxRSS: process.resourceUsage().maxRSS, open: readdirSync('/proc/self/fd').length,
})));
`;
}

function sizeOf(folder) {
  const sizes = { bytes: 0, files: 0 };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const stat = lstatSync(join(folder, name));
    if (!stat.isFile()) continue;
    sizes.bytes += stat.size;
    sizes.files += 1;
  }
  return sizes;
}

function print({ iterations, stop: stops, status, mb, open, home, project: shown }) {
  console.log(
    `${String(iterations).padStart(6)} iterations: a stop ${stops.toFixed(2)}, status ${status.toFixed(2)}; ` +
      `${mb.toFixed(0)} MB, ${open} open files; home ${(home.bytes / 1_000).toFixed(0)} KB in ${home.files} files, ` +
      `project ${(shown.bytes / 1_000).toFixed(1)} KB in ${shown.files}`,
  );
}
