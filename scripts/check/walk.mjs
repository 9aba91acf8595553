// Measures how far one event travels through the sources, as a table of walks. It fails if a walk goes
// through more files or takes more hops than it may: `most` below.
//
//   node scripts/check/walk.mjs [--only TEXT] [--bounded] [--trace] [--json]
//
// Method: `src` is transpiled one to one into a temporary folder, with a report at the entry of every
// top-level function (scripts/check/traced.mjs). Each walk then runs the real entry in its own process: real
// payloads, a real home, a real project, and for `dacapo run` a stand-in for the host. The list of reports is
// the walk:
//
//   files    different files that reported
//   calls    reports
//   hops     reports from another file than the report before
//   folders  the same for folders
//
// The scan of all processes (`SCAN`) reports once or twice for each process of this machine, so its hops are
// left out. A hop is counted where a function begins, not where it returns. What a module does while it loads
// is not a call. One pass of `dacapo run` is the part between two starts of the host, so finding it needs no
// names from our code. The first pass is left out, because it creates files that the later ones reuse. Apart
// from the entries below, this script does not depend on the layout of `src`. `--trace` prints each walk step
// by step, to show where it goes back and forth.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../source.mjs';
import { asScript, writeTraced } from './traced.mjs';

/** The programs: their source, and the folder of their bundle. */
const PROGRAMS = {
  hook: { entry: 'programs/hook-program.ts', home: join(ROOT, 'plugin/dist') },
  cli: { entry: 'programs/cli.ts', home: join(ROOT, 'dist') },
};

/** Looks at every process of the machine: how often it reports depends on what else runs. */
const SCAN = 'base/process/descendants.ts';

/** The exit code of a run that ends at a limit. */
const LIMIT_REACHED = 3;

// One tool call per pass makes five lines. Each further line costs the driver the same again.
const HOST = `#!${process.execPath}
const { writeSync } = require('node:fs');
const say = (value) => writeSync(1, JSON.stringify(value) + '\\n');
const [first] = process.argv.slice(2);
if (first === '--version') { console.log('2.1.325 (Claude Code)'); process.exit(); }
if (first === 'auth') { console.log(JSON.stringify({ loggedIn: true })); process.exit(); }
say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325', permissionMode: 'acceptEdits' });
say({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.txt' } }] } });
say({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a' }] } });
say({ type: 'assistant', parent_tool_use_id: null, message: { id: 'n', content: [{ type: 'text', text: 'Not yet.' }] } });
say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', result: 'Not yet.', num_turns: 1, total_cost_usd: 0 });
`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    bounded: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const WALKS = [
  { name: 'Stop, session without a loop', of: (world) => world.stop() },
  {
    name: 'Stop, promise loop, a tool was used (the common stop)',
    most: { files: 39, hops: 149 },
    of: (world) => {
      world.begin();
      world.work();
      world.stop();
      world.work();
      return world.stop();
    },
  },
  {
    name: 'Stop, the same, no tool call since the last stop',
    of: (world) => {
      world.begin();
      world.work();
      world.stop();
      return world.stop();
    },
  },
  {
    name: 'Stop with a promise and a check, which completes',
    of: (world) => {
      world.begin('--check true');
      world.work();
      world.stop();
      world.work();
      return world.stop('<promise>COMPLETE</promise>');
    },
  },
  { name: '/ralph, a start', most: { files: 74, hops: 363 }, of: (world) => world.begin() },
  {
    name: 'PreToolUse of Bash in a session with a loop',
    of: (world) => {
      world.begin();
      return world.tool();
    },
  },
  {
    name: 'dacapo run, one pass',
    most: { files: 85, hops: 594 },
    of: (world) => betweenLastMarks(world.run()),
  },
  { name: 'dacapo run, three passes, the whole process', of: (world) => world.run() },
  {
    name: 'dacapo cancel',
    // The plan was 30 and 95. Since then a command looks at the version of Node and at the place of
    // DACAPO_HOME, the loops of a home have summaries, and what it renames or makes survives a power cut.
    most: { files: 38, hops: 115 },
    of: (world) => {
      world.begin();
      world.work();
      world.stop();
      return world.cli('cancel');
    },
  },
];

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-walk-')));
try {
  const programs = {};
  for (const [name, { entry, home }] of Object.entries(PROGRAMS)) {
    const folder = join(root, name);
    programs[name] = {
      functions: await writeTraced(folder, entry, home),
      script: join(folder, asScript(entry)),
    };
  }
  const walks = WALKS.filter(
    ({ name, most }) => name.includes(flags.only) && (most !== undefined || !flags.bounded),
  ).map(({ name, most, of }, n) => ({
    name,
    most,
    steps: of(makeWorld(join(root, `world-${n}`), programs)).filter((step) => step !== null),
  }));
  const rows = walks.map(({ name, steps }) => ({ name, ...figuresOf(steps) }));
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else print(rows);
  if (flags.trace) for (const walk of walks) printTrace(walk);
  for (const { name, most, steps } of walks) {
    const { files, hops } = figuresOf(steps);
    if (files <= (most?.files ?? files) && hops <= (most?.hops ?? hops)) continue;
    console.error(
      `${name}: ${files} files and ${hops} hops, and may be at most ${most.files} and ${most.hops}. See --trace.`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function figuresOf(steps) {
  const own = steps.filter(({ file }) => file !== SCAN);
  const files = own.map(({ file }) => file);
  const folders = files.map((file) => dirname(file));
  return {
    files: new Set(files).size,
    calls: own.length,
    hops: changes(files),
    folders: changes(folders),
  };
}

function changes(values) {
  return values.filter((value, n) => n > 0 && value !== values[n - 1]).length;
}

/** The steps between the last two starts of the host. */
function betweenLastMarks(steps) {
  const last = steps.lastIndexOf(null);
  const before = steps.lastIndexOf(null, last - 1);
  if (before === -1) throw new Error('the host was not started twice');
  return steps.slice(before, last);
}

/**
 * A home, a project and a session. Each call of a program returns the functions that it entered, in order.
 */
function makeWorld(dir, programs) {
  const project = join(dir, 'project');
  const host = join(dir, 'host.cjs');
  const transcript = join(dir, 'transcript.jsonl');
  mkdirSync(project, { recursive: true });
  spawnSync('git', ['init', '-q'], { cwd: project });
  writeFileSync(host, HOST);
  chmodSync(host, 0o755);
  writeFileSync(transcript, '');
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: dir,
    DACAPO_HOME: join(dir, 'home'),
    DACAPO_CLAUDE: host,
    WALK_MARK: host,
    WALK_TO: join(dir, 'walk.json'),
  };
  const session = {
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: 'session',
    CLAUDE_PID: String(process.pid),
  };
  const start = ({ script, functions }, args, more, input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: project,
      env: { ...env, ...more },
      input,
      encoding: 'utf8',
    });
    const steps = JSON.parse(readFileSync(env.WALK_TO, 'utf8')).map((step) => functions[step] ?? null);
    return { status, steps, said: `${stdout}${stderr}` };
  };
  // A walk through a failure would measure the wrong thing.
  const walked = ({ status, steps, said }, wanted, exit = 0) => {
    if (status === exit && wanted.test(said)) return steps;
    throw new Error(`expected exit ${exit} and ${wanted}, got exit ${status}: ${said}`);
  };
  let loop = false;
  let stops = 0;
  const hook = (event, payload, wanted) =>
    walked(
      start(
        programs.hook,
        [],
        session,
        JSON.stringify({
          session_id: 'session',
          transcript_path: transcript,
          cwd: project,
          prompt_id: 'p',
          permission_mode: 'default',
          hook_event_name: event,
          ...payload,
        }),
      ),
      wanted,
    );
  return {
    begin: (more = '') => {
      loop = true;
      return hook(
        'UserPromptExpansion',
        { command_name: 'ralph', command_args: `Build it. --completion-promise COMPLETE ${more}` },
        /additionalContext/,
      );
    },
    // An agent hardly ever ends two passes with the same words.
    stop: (words = `Not yet, ${++stops}.`) =>
      hook(
        'Stop',
        { stop_hook_active: true, last_assistant_message: words, background_tasks: [], session_crons: [] },
        !loop ? /^$/ : words.includes('<promise>') ? /complete/i : /additionalContext/,
      ),
    tool: () =>
      hook(
        'PreToolUse',
        { tool_name: 'Bash', tool_input: { command: 'npm test 2>&1 | tail -20' }, tool_use_id: 't' },
        /^$/,
      ),
    /** A tool call, as the host records it. */
    work: () => appendFileSync(transcript, toolRow()),
    run: () =>
      walked(
        start(
          programs.cli,
          ['run', 'Build it.', '--pause', '0', '--max-iterations', '3', '--max-stalls', 'off'],
          {},
        ),
        /./,
        LIMIT_REACHED,
      ),
    cli: (...args) => walked(start(programs.cli, args, {}), /./),
  };
}

function toolRow() {
  const content = [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: '/src/a.ts' } }];
  return `${JSON.stringify({ message: { role: 'assistant', content }, type: 'assistant', timestamp: new Date().toISOString(), sessionId: 'session' })}\n`;
}

function print(rows) {
  console.log('| walk | files | calls | file → file hops | folder hops |\n|---|---:|---:|---:|---:|');
  for (const { name, files, calls, hops, folders } of rows)
    console.log(`| ${name} | ${files} | ${calls} | ${hops} | ${folders} |`);
}

/** Each line stands for one stay in a file. */
function printTrace({ name, steps }) {
  console.log(`\n${name}`);
  const stays = [];
  for (const { file, name: entered } of steps) {
    const last = stays.at(-1);
    if (last?.file === file) last.names.push(entered);
    else stays.push({ file, names: [entered] });
  }
  for (const { file, names } of stays) console.log(`  ${file}: ${names.join(' ')}`);
}
