// Measures what one arrival costs, as ratios to a bare `node -e 0` of the same run. Figures to read, never a
// test.
//
//   node bench/hook.mjs [--rounds N] [--only TEXT] [--hook FILE] [--cpu] [--json]
//
// Every round runs every case once, in a different order, so that a busy moment of the machine hits all cases
// alike and no case always follows the same other one. The targets are for medians of wall time. On a busy
// machine the ratio of the fastest tenths, in brackets, is more reliable. Most reliable is --cpu, which
// measures the processor time of each child instead (as bash's `time` reports it), but it does not include
// waiting for the disk.

import {
  appendFileSync,
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine, printRows, quickest, shuffled, timedRun, typical } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BUNDLES = join(ROOT, 'plugin/dist');
const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;
/** With fewer rounds, the medians of two runs differ by more than the last digit of the targets. */
const ROUNDS = 80;
const WARM_UP = 3;
/** How many rows one pass adds to a transcript. */
const ROWS_PER_PASS = 12;
/** The sizes of the transcripts. */
const SIZES = [
  ['10 KB', 10 * KB],
  ['10 MB', 10 * MB],
  ['1 GB', GB],
];

/** How many messages were written so far. Every message gets its own number. */
let messages = 0;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(ROUNDS) },
    only: { type: 'string', default: '' },
    hook: { type: 'string', default: join(BUNDLES, 'hook.cjs') },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** How long the last program took. */
let lastMs = 0;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-bench-')));
try {
  const cases = makeCases().filter(({ name, always }) => always || name.includes(flags.only));
  measure(cases, Number(flags.rounds));
  const rows = judge(cases);
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else print(rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeCases() {
  const none = makeWorld('none');
  const live = liveWorld('live');
  const worked = toolTranscript(live);
  const promise = liveWorld('promise');
  const tagged = toolTranscript(promise);
  return [
    { name: 'node -e 0', always: true, run: () => node(none, ['-e', '0'], stopOf(none)) },
    {
      name: 'a  a stop that continues a live loop',
      target: { ratio: 1.2 },
      // A pass without a tool call counts as no progress, and ten of them end a loop.
      prepare: () => appendFileSync(worked, transcriptRows()),
      run: () => goesOn(hook(live, { ...stopOf(live), transcript_path: worked })),
    },
    stopCase('b  a stop without a loop', none, { ratio: 1.12 }),
    restCase('o  at rest, as init registers it: a stop', 'stop', stopOf),
    restCase('o  at rest, as init registers it: a tool', 'session', toolOf),
    restCase('o  at rest, as init registers it: a prompt', 'prompt', promptOf),
    ...series(SIZES, ([label]) => `d  a transcript of ${label}`, transcriptCase),
    ...series(SIZES, ([label]) => `i  cost, transcript of ${label}`, budgetCase),
    ...series([10, 100_000], (count) => `e  a journal of ${count} events`, journalCase),
    ...series([10, 10_000], (count) => `j  after ${count} iterations`, passesCase),
    {
      name: 'g  a stop with a promise tag in code',
      target: null,
      prepare: () => appendFileSync(tagged, transcriptRows()),
      run: () =>
        goesOn(
          hook(promise, {
            ...stopOf(promise, 'I will say `<promise>COMPLETE</promise>`.'),
            transcript_path: tagged,
          }),
        ),
    },
    { name: 'h  a prompt without a loop', target: null, run: () => hook(none, promptOf(none)) },
    // PreToolUse arrives for every tool that can write, in every session.
    { name: 'k  a tool without a loop', target: { ratio: 1.25 }, run: () => hook(none, toolOf(none)) },
    { name: 'k  a tool in a live loop', target: null, run: () => hook(live, toolOf(live)) },
    stopCase('l  no loop, beside the loop of another', neighbour('beside'), { ratio: 1.2 }),
    ...series([1, 1_000], (count) => `m  loops in the home: ${count}`, loopsCase),
    // The host runs it every few seconds, in every session.
    { name: 'n  the status line, no loop', target: null, run: () => statusLine(none) },
    { name: 'n  the status line, a live loop', target: null, run: () => statusLine(live) },
  ];
}

/**
 * The same case with more and more of something, each compared with the first. Only the requested cases are
 * set up, because an older hook does not know every flag.
 */
function series(values, nameOf, makeCase) {
  const first = nameOf(values[0]);
  return values
    .filter((value) => nameOf(value).includes(flags.only))
    .map((value) => {
      const target = value === values[0] ? null : { within: 0.1, of: first };
      return { name: nameOf(value), target, ...makeCase(Array.isArray(value) ? value[1] : value) };
    });
}

function stopCase(name, world, target, words) {
  return { name, target, run: () => hook(world, stopOf(world, words)) };
}

/** Through `hook.sh`, on a machine where another session has a loop. With DACAPO_HOME it would start Node. */
function restCase(name, kind, payloadOf) {
  const world = makeWorld(`rest-${kind}`);
  const { DACAPO_HOME: _, ...env } = world.env;
  const resting = { ...world, env: { ...env, XDG_STATE_HOME: join(world.dir, 'state') } };
  const sessions = join(world.dir, 'state', 'dacapo', 'sessions');
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(sessions, 'another'), '{}');
  const run = () => start(resting, 'sh', [join(BUNDLES, '..', 'hook.sh'), kind], payloadOf(resting));
  return { name, target: { ratio: 0.25 }, run };
}

/** Each pass adds rows, as the host does. The hook reads from where it ended the last time. */
function transcriptCase(size) {
  const world = liveWorld(`transcript-${size}`);
  const path = join(world.dir, 'transcript.jsonl');
  const file = openSync(path, 'w');
  // The file is sparse. The hook never reads what is before its last position, so those bytes do not matter.
  ftruncateSync(file, size);
  closeSync(file);
  return {
    prepare: () => appendFileSync(path, transcriptRows()),
    run: () => goesOn(hook(world, { ...stopOf(world), transcript_path: path })),
  };
}

/** The same for a loop with a budget: the hook counts everything that the pass wrote. */
function budgetCase(size) {
  const world = liveWorld(`budget-${size}`, '--max-cost 1000000 --max-tokens 1000000m');
  const path = join(world.dir, 'transcript.jsonl');
  const file = openSync(path, 'w');
  ftruncateSync(file, size);
  closeSync(file);
  // These rows are older than the loop. The count begins after them.
  appendFileSync(path, `\n${transcriptRows(new Date(0).toISOString()).repeat(50)}`);
  return {
    prepare: () => appendFileSync(path, transcriptRows()),
    run: () => goesOn(hook(world, { ...stopOf(world), transcript_path: path })),
  };
}

/** Thanks to the cache, the last stop is judged as fast as the tenth. */
function passesCase(count) {
  const world = liveWorld(`passes-${count}`);
  const lines = [];
  for (let n = 1; n <= count; n++) lines.push(...passOf(world, n));
  appendFileSync(world.journal(), lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
  const path = toolTranscript(world);
  return {
    prepare: () => appendFileSync(path, transcriptRows()),
    run: () => goesOn(hook(world, { ...stopOf(world), transcript_path: path })),
  };
}

/** A session without a loop, in a project where another session's loop runs and has a view. */
function neighbour(name) {
  const world = liveWorld(name);
  const session = `${world.session}-neighbour`;
  return { ...world, session, env: { ...world.env, CLAUDE_CODE_SESSION_ID: session } };
}

/** Many loops in one project, each with its own session. The hook never reads the files of the others. */
function loopsCase(count) {
  const world = liveWorld(`loops-${count}`);
  const path = toolTranscript(world);
  const loop = dirname(world.journal());
  const sessions = join(dirname(dirname(loop)), 'sessions');
  const id = basename(loop);
  const journal = readFileSync(join(loop, 'journal.jsonl'), 'utf8');
  const entry = readFileSync(join(sessions, world.session), 'utf8');
  for (let n = 1; n < count; n++) {
    const session = `${world.session}-${n}`;
    const renamed = (text) => text.replaceAll(id, `${id}${n}`).replaceAll(world.session, session);
    const folder = join(dirname(loop), `${id}${n}`);
    cpSync(loop, folder, { recursive: true });
    writeFileSync(join(folder, 'journal.jsonl'), renamed(journal));
    writeFileSync(join(sessions, session), renamed(entry));
  }
  return {
    prepare: () => appendFileSync(path, transcriptRows()),
    run: () => goesOn(hook(world, { ...stopOf(world), transcript_path: path })),
  };
}

function toolTranscript(world) {
  const path = join(world.dir, 'transcript.jsonl');
  appendFileSync(path, transcriptRows());
  return path;
}

function journalCase(count) {
  const world = liveWorld(`journal-${count}`);
  const journal = world.journal();
  const path = toolTranscript(world);
  const begun = readFileSync(journal, 'utf8').split('\n').filter(Boolean).length;
  const lines = [];
  for (let n = 1; begun + lines.length < count; n++) lines.push(...passOf(world, n));
  appendFileSync(journal, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
  return {
    prepare: () => appendFileSync(path, transcriptRows()),
    run: () => goesOn(hook(world, { ...stopOf(world), transcript_path: path })),
  };
}

/** One stop and its verdict, as the hook records them. */
function passOf(world, n) {
  const at = new Date().toISOString();
  const missing = [{ gate: 'promise', wanted: 'COMPLETE', seen: null }];
  return [
    {
      type: 'stop',
      at,
      n,
      session: world.session,
      prompt: 'p',
      words: `w${n}`,
      process: 1,
      started: at,
      continuedByHook: true,
    },
    {
      type: 'verdict',
      at,
      n,
      verdict: { is: 'continue', missing, shells: [], capped: false, popped: [], item: null },
      proofs: [],
      gateResults: [],
      features: null,
      preview: null,
      cap: 8,
      toolUsed: true,
      queue: { offset: 0, waiting: 0 },
      used: null,
      context: null,
      tree: null,
      stalls: 1,
    },
  ];
}

function transcriptRows(timestamp = new Date().toISOString()) {
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 900,
    cache_read_input_tokens: 40_000,
    output_tokens: 250,
    output_tokens_details: { thinking_tokens: 0 },
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 900 },
  };
  const said = () => ({ id: `msg_${messages++}`, model: 'claude-opus-5-5', usage });
  const row = (type, content) =>
    `${JSON.stringify({ message: { role: type, content, ...(type === 'assistant' ? said() : {}) }, requestedModel: 'claude-opus-5-5', type, timestamp, sessionId: 's' })}\n`;
  return Array.from({ length: ROWS_PER_PASS }, (_, k) =>
    k % 2 === 0
      ? row('assistant', [
          { type: 'tool_use', id: `t${k}`, name: 'Read', input: { file_path: `/src/${k}.ts` } },
        ])
      : row('user', [{ type: 'tool_result', tool_use_id: `t${k}`, content: 'const a = 1;\n'.repeat(150) }]),
  ).join('');
}

/**
 * A home, a project, and an environment without variables that slow Node down (NODE_EXTRA_CA_CERTS costs 38
 * ms).
 */
function makeWorld(name) {
  const dir = join(root, name);
  const project = join(dir, 'project');
  mkdirSync(project, { recursive: true });
  const session = `session-${name}`;
  const home = join(dir, 'home');
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: dir,
    DACAPO_HOME: home,
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(process.pid),
  };
  const journal = () => join(home, 'loops', readdirSync(join(home, 'loops'))[0], 'journal.jsonl');
  return { dir, project, session, env, journal };
}

function liveWorld(name, flagsGiven = '') {
  const world = makeWorld(name);
  const said = hook(world, {
    ...common(world),
    hook_event_name: 'UserPromptExpansion',
    command_name: 'ralph',
    command_args: `--max-iterations unlimited ${flagsGiven} ${'Build what the specification asks for. '.repeat(10)}`,
  });
  if (!said.includes('additionalContext')) throw new Error(`no loop was started: ${said}`);
  return world;
}

function common({ session, project }) {
  return {
    session_id: session,
    transcript_path: join(project, 'none.jsonl'),
    cwd: project,
    prompt_id: 'p',
    permission_mode: 'default',
  };
}

function promptOf(world) {
  return { ...common(world), hook_event_name: 'UserPromptSubmit', prompt: 'Hello' };
}

function toolOf(world) {
  return {
    ...common(world),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test 2>&1 | tail -20' },
    tool_use_id: 't',
  };
}

/** An agent hardly ever ends two passes with the same words. */
function wordsOf(n) {
  return `I have done part ${n}, and go on with the next one. `.repeat(5);
}

function stopOf(world, words = wordsOf(messages++)) {
  return {
    ...common(world),
    hook_event_name: 'Stop',
    stop_hook_active: true,
    last_assistant_message: words,
    background_tasks: [],
    session_crons: [],
  };
}

/** The figure would be meaningless if the hook did not judge the stop. */
function goesOn(said) {
  if (!said.includes('additionalContext')) throw new Error(`the loop did not go on: ${said}`);
}

function hook(world, payload) {
  return node(world, [flags.hook], payload);
}

function statusLine(world) {
  return node(world, [flags.hook, 'statusline'], common(world));
}

function node(world, args, payload) {
  return start(world, process.execPath, args, payload);
}

function start({ project, env }, program, args, payload) {
  const input = JSON.stringify(payload);
  const { status, stdout, ms } = timedRun(program, args, { isCpu: flags.cpu, cwd: project, env, input });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  lastMs = ms;
  return stdout;
}

function measure(cases, rounds) {
  for (const each of cases) each.samples = [];
  for (let round = -WARM_UP; round < rounds; round++)
    for (const each of shuffled(cases)) {
      each.prepare?.();
      each.run();
      if (round >= 0) each.samples.push(lastMs);
    }
}

/** A case of a series is compared with the first of its series, and every other one with `node -e 0`. */
function judge(cases) {
  const timesOf = new Map(cases.map(({ name, samples }) => [name, samples]));
  return cases.map(({ name, target, samples }) => {
    const base = timesOf.get(target?.of) ?? cases[0].samples;
    const ms = typical(samples, flags.cpu);
    return {
      name: target?.of === undefined ? name : `${name}, to the first`,
      ratio: ms / typical(base, flags.cpu),
      bound: target?.ratio ?? (timesOf.has(target?.of) ? 1 + target.within : null),
      detail: `${ms.toFixed(1)} ms (${(quickest(samples) / quickest(base)).toFixed(2)} ×)`,
    };
  });
}

function print(rows) {
  const { node, cpu, cores, load } = machine();
  const what = flags.cpu ? 'processor time, middle halves' : 'medians';
  console.log(`${node}, ${cores} x ${cpu}, load ${load.toFixed(1)}, ${what} of ${flags.rounds} rounds\n`);
  printRows(rows);
}
