/**
 * A thread in which simulated processes run one after the other, on an operating system that the simulation
 * controls: files, clock, timers, process ids, signals, randomness and children. The scheduler lets one thread run
 * at a time, for so many calls of the file system, so that a schedule follows from its seed alone.
 */
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { PassThrough, Readable } from 'node:stream';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { layerOver } from '../file-layer.mjs';

const { port, control, alive, bundle, root } = workerData;
/** Where the bundled programs are in the package. */
const dist = join(import.meta.dirname, '../../../dist');
const nodeRequire = createRequire(import.meta.url);
const SCHEDULER = 0;
const WORKER = 1;

/** A process that goes on without end although no call of it succeeds has to be found. */
const MOST_AFTER_DEATH = 10_000;

class Killed extends Error {}
class Exited extends Error {}

/** The process that runs, and what the scheduler has said last. */
let current = null;
/** What has happened to files since the scheduler was last told. */
const operations = [];
let turn = { now: 0, booted: 0, isMended: false, calls: 0, isKilled: false, job: null };

/** Gives the word to the scheduler, and sleeps until it comes back. */
function handOver(message) {
  port.postMessage({ ...message, operations: operations.splice(0) });
  Atomics.store(control, 0, SCHEDULER);
  Atomics.notify(control, 0);
  // The other side may wake us late, for what we have heard already.
  while (Atomics.load(control, 0) === SCHEDULER) Atomics.wait(control, 0, SCHEDULER);
  turn = receiveMessageOnPort(port).message;
}

function mulberry(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Called ahead of each call of the file system. A process that is dead makes none. */
function before(what, path) {
  if (current === null) return;
  if (current.isDead) {
    if (++current.afterDeath === MOST_AFTER_DEATH) fs.writeSync(2, `${new Error('it does not end').stack}\n`);
    throw new Killed('killed');
  }
  if (--turn.calls > 0) return;
  handOver({ is: 'calls', what, path });
  if (!turn.isKilled) return;
  current.isDead = true;
  throw new Killed('killed');
}

const layer = layerOver({
  below: root,
  before,
  note: (operation) => {
    operations.push(operation);
    // The times of files are those of the schedule, too.
    if (operation.is === 'create' || operation.is === 'write' || operation.is === 'truncate')
      try {
        fs.utimesSync(operation.path, turn.now / 1_000, turn.now / 1_000);
      } catch {
        // It has no name any more.
      }
  },
});

const watched = { on: () => watched, close: () => undefined };
const layered = {
  ...fs,
  ...layer.fs,
  // Processes of the schedule are not in /proc.
  readdirSync: (path, ...rest) => (path === '/proc' ? [] : layer.fs.readdirSync(path, ...rest)),
  readFileSync: (path, ...rest) => (path === 0 ? current.job.stdin : layer.fs.readFileSync(path, ...rest)),
  writeSync: (file, data, ...rest) => {
    if (file !== 1 && file !== 2) return layer.fs.writeSync(file, data, ...rest);
    current.said += String(data);
    return Buffer.byteLength(String(data));
  },
  createReadStream: (path) => Readable.from([layer.fs.readFileSync(path)]),
  watch: () => watched,
  watchFile: () => undefined,
  unwatchFile: () => undefined,
};

class SimDate extends Date {
  constructor(...given) {
    if (given.length === 0) super(turn.now);
    else super(...given);
  }
  static now() {
    return turn.now;
  }
}

function addTimer(act, ms, every) {
  if (current === null || current.isDead) return { unref: () => undefined, ref: () => undefined };
  const timer = {
    at: turn.now + Math.max(1, ms || 0),
    every,
    act,
    unref: () => timer,
    ref: () => timer,
    hasRef: () => true,
  };
  current.timers.add(timer);
  return timer;
}
const simSetTimeout = (act, ms, ...given) => addTimer(() => act(...given), ms, null);
const simSetInterval = (act, ms, ...given) => addTimer(() => act(...given), ms, Math.max(1, ms));
const simClear = (timer) => void current?.timers.delete(timer);

function isAlive(pid) {
  return pid > 0 && pid < alive.length && Atomics.load(alive, pid) === 1;
}

function noProcess() {
  return Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
}

const simProcess = new Proxy(process, {
  get: (real, name) => {
    switch (name) {
      case 'pid':
        return current?.job.pid ?? 0;
      case 'ppid':
        return current?.job.parent ?? 0;
      case 'env':
        return current?.job.env ?? {};
      case 'argv':
        return ['node', 'program'];
      case 'platform':
        return 'linux';
      case 'uptime':
        return () => (turn.now - current.job.started) / 1_000;
      case 'kill':
        return kill;
      // No schedule sends a signal to a hook; what each waits for would stay behind in this thread.
      case 'on':
      case 'off':
        return () => simProcess;
      case 'exit':
        return (code = 0) => {
          current.exited ??= code;
          throw new Exited('exit');
        };
      case 'getBuiltinModule':
        return (id) => simRequire(id);
      default: {
        const value = real[name];
        return typeof value === 'function' ? value.bind(real) : value;
      }
    }
  },
});

function kill(pid, signal) {
  const child = current?.children.get(Math.abs(pid));
  if (signal === 0) {
    if (isAlive(Math.abs(pid))) return true;
    throw noProcess();
  }
  if (child === undefined) throw noProcess();
  child.hear(signal);
  return true;
}

function spawn(_program, args, options) {
  const child = new EventEmitter();
  const [pid] = current.job.children.splice(0, 1);
  if (pid === undefined) throw new Error('no pid is left');
  Object.assign(child, {
    pid,
    exitCode: null,
    signalCode: null,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  Atomics.store(alive, pid, 1);
  current.children.set(pid, child);
  return args[0]?.endsWith('runner.cjs') ? check(child) : host(child, options);
}

/** The supervisor of a check, which it does not outlive. A check passes, fails, or says "not yet". */
function check(child) {
  const { chance, job } = current;
  let order = '';
  child.stdin.on('data', (chunk) => (order += String(chunk)));
  const end = (said) => {
    if (child.exitCode !== null) return;
    child.exitCode = 0;
    Atomics.store(alive, child.pid, 0);
    if (said !== null) child.stdout.write(JSON.stringify(said));
    child.stdout.end();
    child.emit('exit', 0, null);
    simSetTimeout(() => child.emit('close', 0, null), 1);
  };
  child.hear = () => end(null);
  const ms = 20 + Math.floor(chance() * 2_000);
  const exit = chance() < job.notYet ? 75 : chance() < job.fails ? 1 : 0;
  simSetTimeout(() => {
    const code = turn.isMended ? 0 : exit;
    // On the disk, as any program writes: not by the calls of the process that waits for it.
    fs.writeFileSync(JSON.parse(order).output, `exit ${code}\n`);
    end({ is: 'ended', exit: code, signal: null, ms });
  }, ms);
  return child;
}

/** A host of a run: its script says when it says what, and how it ends. */
function host(child, options) {
  const { chance } = current;
  const { pid } = child;
  const pass = String(options.env?.DACAPO_PASS ?? '')
    .split('/')
    .at(-1);
  let prompt = '';
  child.stdin.on('data', (chunk) => (prompt += String(chunk)));
  const told = [];
  const tell = (what) => told.push({ at: turn.now, ...what });
  current.hosts.push({ pid, pass, told, prompt: () => prompt });
  tell({ is: 'begins' });
  const end = (exit, signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.exitCode = exit;
    child.signalCode = signal;
    Atomics.store(alive, pid, 0);
    tell({ is: 'ends', isWhole: exit === 0 });
    child.stdout.end();
    child.stderr.end();
    child.emit('exit', exit, signal);
    simSetTimeout(() => child.emit('close', exit, signal), 1);
  };
  child.hear = (signal) => simSetTimeout(() => end(null, signal), 5);
  const { message, lasts, fate } = hostScript(current.job, current.hosts.length, chance);
  const say = (line) => child.stdout.write(`${JSON.stringify(line)}\n`);
  simSetTimeout(() => {
    if (child.signalCode !== null) return;
    say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325' });
  }, 5);
  simSetTimeout(() => {
    if (child.signalCode !== null) return;
    if (fate === 'crash') return end(1, null);
    const text = [{ type: 'text', text: message }];
    say({ type: 'assistant', parent_tool_use_id: null, message: { id: message, model: 'm', content: text } });
    tell({ is: 'says', message });
    say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      terminal_reason: 'completed',
      result: message,
      num_turns: 2,
      total_cost_usd: 0.01,
      modelUsage: {},
    });
    end(0, null);
  }, lasts);
  return child;
}

function hostScript({ name, completes, crashes }, n, chance) {
  const isDone = chance() < completes;
  const message = `Work ${name}.${n}.${isDone ? ' <promise>COMPLETE</promise>' : ''}`;
  return { message, lasts: 50 + Math.floor(chance() * 3_000), fate: chance() < crashes ? 'crash' : 'ends' };
}

const modules = {
  fs: layered,
  child_process: { ...childProcess, spawn, spawnSync: () => ({ status: 1, stdout: '', stderr: '' }) },
  crypto: {
    ...crypto,
    randomUUID: () => `00000000-0000-4000-8000-${hex(current.chance, 12)}`,
  },
  os: { ...os, uptime: () => (turn.now - turn.booted) / 1_000 },
  'timers/promises': { setTimeout: (ms) => new Promise((resolve) => simSetTimeout(resolve, ms)) },
  process: simProcess,
};

function hex(chance, length) {
  return Array.from({ length }, () => Math.floor(chance() * 16).toString(16)).join('');
}

function simRequire(id) {
  return modules[id.replace(/^node:/, '')] ?? nodeRequire(id);
}

const SimMath = Object.create(Math, { random: { value: () => current?.chance() ?? 0.5 } });
const GLOBALS = {
  require: simRequire,
  process: simProcess,
  Date: SimDate,
  Math: SimMath,
  setTimeout: simSetTimeout,
  setInterval: simSetInterval,
  clearTimeout: simClear,
  clearInterval: simClear,
  performance: { now: () => turn.now },
};

/** Evaluates a bundle with the simulated system in place of the real one. */
function load(file) {
  const names = [...Object.keys(GLOBALS), 'module', 'exports', '__dirname', '__filename'];
  const run = compileFunction(fs.readFileSync(file, 'utf8'), names, { filename: file });
  return () => {
    const module = { exports: {} };
    run(...Object.values(GLOBALS), module, module.exports, dist, file);
    return module.exports;
  };
}

const loadProcesses = load(bundle.processes);
const runWaker = load(bundle.waker);
const programs = loadProcesses();

async function runProcess(job) {
  current = {
    job,
    isDead: false,
    afterDeath: 0,
    exited: null,
    said: '',
    timers: new Set(),
    children: new Map(),
    hosts: [],
    chance: mulberry(job.seed),
  };
  let ended = null;
  const begin = async () => (job.runs === 'waker' ? void runWaker() : programs[job.runs](job.given));
  begin().then(
    (value) => (ended = job.runs === 'waker' ? ended : { value }),
    (error) => (ended = error instanceof Exited ? ended : { error: String(error?.stack ?? error) }),
  );
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (current.isDead) break;
    if (current.exited !== null) ended = { value: { exit: current.exited, said: current.said } };
    if (ended !== null) break;
    const [next] = [...current.timers].sort((a, b) => a.at - b.at);
    if (next === undefined) {
      ended = { error: `${job.name} waits for nothing` };
      break;
    }
    if (next.at > turn.now) {
      handOver({ is: 'sleeps', until: next.at, hosts: hostsNow() });
      if (turn.isKilled) current.isDead = true;
      if (current.isDead) break;
    }
    fire();
  }
  const { isDead, hosts, children } = current;
  for (const pid of children.keys()) Atomics.store(alive, pid, 0);
  const told = hostsNow();
  current.isDead = true;
  current.timers.clear();
  await new Promise((resolve) => setImmediate(resolve));
  layer.closeAll();
  current = null;
  return { is: 'ended', isKilled: isDead, ...(!isDead && ended), hosts: told, ran: hosts.length };
}

function hostsNow() {
  return current.hosts.map(({ pid, pass, told, prompt }) => ({
    pid,
    pass,
    told: [...told],
    prompt: prompt(),
  }));
}

/** One timer at a time: what follows from it comes before the next. */
function fire() {
  const [due] = [...current.timers].filter(({ at }) => at <= turn.now).sort((a, b) => a.at - b.at);
  if (due === undefined) return;
  if (due.every === null) current.timers.delete(due);
  else due.at = turn.now + due.every;
  try {
    due.act();
  } catch (error) {
    if (!(error instanceof Killed) && !(error instanceof Exited)) throw error;
  }
}

process.on('unhandledRejection', (error) => {
  if (!(error instanceof Killed) && !(error instanceof Exited)) throw error;
});
Atomics.store(control, 0, WORKER);
handOver({ is: 'idle' });
for (;;) {
  const { job } = turn;
  handOver(await runProcess(job));
}
