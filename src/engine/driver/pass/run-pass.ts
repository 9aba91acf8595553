/**
 * Runs one pass: starts a new process of the host, watches it to its end, reads and keeps its stream. It
 * leaves no process behind, and always returns how the pass ended.
 */
import type { HeadlessHost, Outcome, Pass, PassEnd, PassPlace } from '#hosts/port/headless.ts';
import type { StreamEvent, PassRecord } from '#hosts/port/stream.ts';
import { keepTail } from '#base/process/output.ts';
import { readStream, EMPTY_RECORD } from './pass-record.ts';
import { afterMs, watchPass, type After, type PassCut, type PassLimits } from './watches.ts';
import { closeSync, openSync, writeSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { MARK_VARIABLE, passMark } from '#base/process/descendants.ts';
import { familyOf } from '#base/process/family.ts';
import type { Watchdog } from '#base/process/watchdog.ts';

/**
 * Some hosts put the variables of a project's `.env` into their environment, and into that of our hook, where
 * they are not set yet. Set to nothing, these can't silence the guard, or load code into it.
 */
const NOT_FROM_FILES = { DACAPO_DISABLE: '', IDLE_LOOP_DISABLE: '', NODE_OPTIONS: '' };

export interface HostPlace extends PassPlace {
  readonly host: HeadlessHost;
  readonly program: string;
  /** Ends the pass when the driver is gone. */
  readonly watchdog: Watchdog;
  /** Variables that are another's for each pass. */
  readonly passEnv?: () => PassPlace['env'];
}

type HowItEnded = Pick<PassEnd, 'exit' | 'signal' | 'unstartable'>;

/** The watchdog knows of the host from before its start until no process of it is left. */
function startHost(pass: Pass, place: HostPlace, graceMs: number) {
  const { host, watchdog } = place;
  const { args, env, stdin } = host.command(pass, place);
  const manners = { pass: pass.session, gentle: host.gentle, graceMs };
  watchdog.tell({ is: 'begins', ...manners });
  // Where a process can't be had (EMFILE, EAGAIN), there are no pipes: the error comes as an event.
  const child: ChildProcess = spawn(place.program, args, {
    cwd: place.cwd,
    env: {
      ...NOT_FROM_FILES,
      ...place.env,
      ...env,
      ...place.passEnv?.(),
      [MARK_VARIABLE]: passMark(pass.session, place.env[MARK_VARIABLE]),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: we end it as a whole, and Ctrl-C goes to the driver alone, which then decides.
    detached: true,
    windowsHide: true,
  });
  const family = familyOf(child, manners);
  if (child.pid !== undefined) watchdog.tell({ is: 'started', pid: child.pid });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);

  // Resolves when the host and everything it started are gone; the other, when no process holds its pipes any
  // more.
  const gone = new Promise<HowItEnded>((resolve) => {
    const told = (how: HowItEnded) => {
      watchdog.tell({ is: 'ended' });
      resolve(how);
    };
    child.on('error', (error) => {
      // Node also emits this when a signal could not be sent. Only a child without a pid was never started.
      if (child.pid === undefined) told({ exit: null, signal: null, unstartable: error.message });
    });
    child.on('exit', (exit, signal) => {
      if (child.pid !== undefined) family.endLeftovers(() => told({ exit, signal, unstartable: null }));
    });
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const { stdout, stderr } = child;
  const nothing = () => Readable.from([]);
  return { stdout: stdout ?? nothing(), stderr: stderr ?? nothing(), end: () => family.end(), gone, closed };
}

export interface PassRun extends HostPlace {
  readonly limits: PassLimits;
  /** A file for the raw stream; null: do not keep it. */
  readonly evidence: string | null;
  readonly signal: AbortSignal;
  /**
   * We await the returned promise before we read on: a slow reader slows the host instead of filling the
   * memory.
   */
  readonly onEvent: (event: StreamEvent) => Promise<void> | null;
  /** Between the gentle signal, SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  readonly after?: After;
}

export interface Passed {
  readonly outcome: Outcome;
  readonly record: PassRecord;
}

const GRACE_MS = 3_000;
const MAX_STDERR_CHARS = 4_000;
/** After the end of the host, for what is still in the pipes. */
const DRAIN_MS = 500;
/** How long we wait after SIGKILL. A host that still lives hangs in the kernel, and we go on without it. */
const LAST_RESORT_MS = 5_000;

/** Why we end a pass. */
type PassEnding = PassCut | 'broken-off';

/**
 * Why we ended the pass, and its record at that time. What the host says while it ends does not describe the
 * pass.
 */
interface Cut {
  readonly why: PassEnding;
  readonly record: PassRecord;
}

const NOT_GONE: HowItEnded = { exit: null, signal: 'SIGKILL', unstartable: null };

export async function runPass(pass: Pass, run: PassRun): Promise<Passed> {
  const unwatched = await run.watchdog.ready();
  if (unwatched !== null) return neverBegan(`its watchdog did not start: ${unwatched}`, run.host);
  const after = run.after ?? afterMs;
  const graceMs = run.graceMs ?? GRACE_MS;
  const began = performance.now();
  const stream = openStream(run);
  const host = startHost(pass, run, graceMs);
  let ended = NOT_GONE;
  const stderr = keepTail(host.stderr, MAX_STDERR_CHARS);
  let cut: Cut | null = null;

  return new Promise((resolve) => {
    const end = (why: PassEnding) => {
      if (cut !== null) return;
      cut = { why, record: stream.record() };
      watch.end();
      host.end();
      lastResort = after(3 * graceMs + LAST_RESORT_MS, () => settle());
    };
    let lastResort = () => {};
    const watch = watchPass(run.limits, end, after);
    const breakOff = () => end('broken-off');
    run.signal.addEventListener('abort', breakOff);
    if (run.signal.aborted) breakOff();

    let settled = false;
    const settle = () => {
      if (settled) return;
      settled = true;
      run.signal.removeEventListener('abort', breakOff);
      watch.end();
      lastResort();
      for (const pipe of [host.stdout, host.stderr]) pipe.destroy();
      stream.end();
      const ms = Math.round(performance.now() - began);
      const record = stream.record();
      const passEnd: PassEnd = { ...ended, stderr: stderr(), record: cut?.record ?? record };
      resolve({ outcome: outcomeOf(cut?.why ?? null, passEnd, ms, run.host), record });
    };
    // A leftover process may hold the pipes forever, while on a busy machine we may only be slow to read
    // them.
    const drain = () => {
      if (!stream.takeFresh() && (!stream.isBehind() || cut !== null)) return settle();
      setTimeout(drain, DRAIN_MS);
    };
    const listened = listen(host.stdout, stream, watch).catch((error: unknown) => {
      // Once the pass is settled we close the pipe, since a leftover process may hold it.
      if (!settled) throw error;
    });
    host.stderr.on('data', watch.heard);
    void host.gone.then(async (how) => {
      ended = how;
      drain();
      await Promise.all([listened, host.closed]);
      settle();
    });
  });
}

type PassStream = ReturnType<typeof openStream>;

/** The stream of a pass: kept as evidence, read, and handed on as fast as its listener takes it. */
function openStream(run: PassRun) {
  const file = keepStream(run.evidence);
  let slow: Promise<void> | null = null;
  let isFresh = true;
  const give = (event: StreamEvent) => {
    slow = run.onEvent(event) ?? slow;
  };
  const reader = readStream(run.host, give, run.env);
  return {
    record: () => reader.record(),
    push: (chunk: Buffer) => {
      isFresh = true;
      file.write(chunk);
      reader.push(chunk);
    },
    /** Whether anything came since this was last asked. */
    takeFresh: () => {
      const was = isFresh;
      isFresh = false;
      return was;
    },
    isBehind: () => slow !== null,
    caughtUp: async () => {
      await slow;
      slow = null;
      isFresh = true;
    },
    end: () => {
      reader.end();
      file.close();
    },
  };
}

/**
 * Not by 'data' events: Node resumes the paused stream of a child when the child exits, even if we are
 * behind.
 */
async function listen(
  stdout: Readable,
  stream: PassStream,
  watch: ReturnType<typeof watchPass>,
): Promise<void> {
  for await (const chunk of stdout) {
    stream.push(chunk);
    watch.heard();
    watch.settled(stream.record().result !== null);
    if (!stream.isBehind()) continue;
    // We are not reading now, so this is no silence of the host.
    watch.deaf();
    await stream.caughtUp();
    watch.heard();
  }
}

function neverBegan(unstartable: string, host: HeadlessHost): Passed {
  const record = EMPTY_RECORD;
  return { outcome: host.classify({ exit: null, signal: null, unstartable, stderr: '', record }), record };
}

function outcomeOf(why: PassEnding | null, end: PassEnd, ms: number, host: HeadlessHost): Outcome {
  switch (why) {
    case 'broken-off':
      return { is: 'broken-off' };
    case 'timed-out':
    case 'silent':
      // With a result, the host did not hang while working, but at its end.
      return end.record.result === null ? { is: why, afterMs: ms } : host.classify(end);
    case 'hung':
    case null:
      return host.classify(end);
  }
}

/** Enough for hours of work. A longer stream is noise and would fill the disk. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** The raw stream of a pass, kept as evidence: bounded, and never a reason for a pass to fail. */
export function keepStream(path: string | null, most: number = MAX_STREAM_BYTES) {
  let file = path === null ? null : opened(path);
  let bytes = 0;
  let kept = 0;
  const put = (chunk: Buffer | string): number => {
    if (file === null) return 0;
    try {
      return typeof chunk === 'string' ? writeSync(file, chunk) : writeSync(file, chunk);
    } catch {
      // The disk is full. The pass matters more than its record.
      closeSync(file);
      file = null;
      return 0;
    }
  };
  return {
    write: (chunk: Buffer) => {
      bytes += chunk.length;
      if (kept < most) kept += put(chunk.subarray(0, most - kept));
    },
    close: () => {
      // A line of JSON like the others, so that readers of the file need no exception for it.
      if (kept < bytes) put(`\n${JSON.stringify({ type: 'dacapo', note: 'cut here', bytes, kept })}\n`);
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'a', 0o600);
  } catch {
    return null;
  }
}
