/**
 * One pass: a new process of the host under a supervisor, watched to its end, its stream read and kept. It leaves nothing
 * behind, and always gives back how it ended.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { either, oneOf, orNull, record, text, whole } from '../core/shape.ts';
import type { Environment, HeadlessHost, Outcome, Pass, PassEnd, Seen, Told } from '../hosts/host.ts';
import { descendantsOf, MARK_VARIABLE, markOf } from './descendants.ts';
import { readStream } from './reader.ts';
import type { Order, Report } from './runner.ts';
import { keepStream, type Kept } from './stream-file.ts';
import { afterMs, watchPass, type After, type Cut, type PassLimits } from './watch.ts';

export interface PassRun {
  readonly host: HeadlessHost;
  readonly program: string;
  readonly cwd: string;
  readonly env: Environment;
  /** The bundled supervisor, where it is not beside the command line's own file. */
  readonly runner?: string;
  readonly limits: PassLimits;
  /** A file for the raw stream; null: it is not kept. */
  readonly evidence: string | null;
  /** Aborted: end it now. */
  readonly signal: AbortSignal;
  /** What it returns is waited for before more is read: a slow reader slows the host, and fills no memory. */
  readonly seen: (seen: Seen) => Promise<void> | null;
  /** Between asking the host to end, telling it, and making it. */
  readonly graceMs?: number;
  readonly after?: After;
}

export interface Passed {
  readonly outcome: Outcome;
  /** All that the stream told; `told.spent` is what the pass has cost, null where the host had no time to say. */
  readonly told: Told;
  readonly ms: number;
  readonly stream: Kept & { readonly skipped: number };
}

const PASS_RUNNER = join(import.meta.dirname, 'pass-runner.js');

const GRACE_MS = 3_000;
const STDERR_KEPT = 4_000;
/** Once the supervisor is gone: what is still in the pipes. */
const DRAIN_MS = 500;
/** Beyond what the supervisor takes to make a host end. */
const LAST_RESORT_MS = 5_000;

export function runPass(pass: Pass, run: PassRun): Promise<Passed> {
  const after = run.after ?? afterMs;
  const graceMs = run.graceMs ?? GRACE_MS;
  const began = performance.now();
  const file = keepStream(run.evidence);
  let slow: Promise<void> | null = null;
  const reader = readStream(run.host, (seen) => {
    slow = run.seen(seen) ?? slow;
  });
  const supervisor = startSupervisor(pass, run, graceMs);
  const said = hearReports(supervisor);
  let stderr = '';
  /** Why we ended it, and what it had told by then: what it says on its way out is no account of the pass. */
  let cut: { readonly why: Cut | 'broken-off'; readonly told: Told } | null = null;

  return new Promise((resolve) => {
    const end = (why: Cut | 'broken-off') => {
      if (cut !== null) return;
      cut = { why, told: reader.told() };
      watch.end();
      supervisor.stdin?.end();
      lastResort = after(3 * graceMs + LAST_RESORT_MS, () => supervisor.kill('SIGKILL'));
    };
    let lastResort = () => {};
    const watch = watchPass(run.limits, end, after);
    const breakOff = () => end('broken-off');
    run.signal.addEventListener('abort', breakOff);
    if (run.signal.aborted) breakOff();

    const settle = () => {
      if (settled) return;
      settled = true;
      run.signal.removeEventListener('abort', breakOff);
      watch.end();
      lastResort();
      for (const pipe of [supervisor.stdout, supervisor.stderr]) pipe?.destroy();
      reader.end();
      endWhatIsLeft(pass.session, said());
      const ms = Math.round(performance.now() - began);
      const told = reader.told();
      const ended = endOf(said(), stderr, cut?.told ?? told);
      resolve({
        outcome: outcomeOf(cut?.why ?? null, ended, ms, run.host),
        told,
        ms,
        stream: { ...file.close(), skipped: reader.skipped() },
      });
    };
    let settled = false;
    // Something that was left behind may hold the pipes for ever; a busy machine may only be slow to read them.
    let fresh = true;
    const drain = () => {
      if (!fresh && (slow === null || cut !== null)) return settle();
      fresh = false;
      setTimeout(drain, DRAIN_MS);
    };

    supervisor.stdout?.on('data', (chunk: Buffer) => {
      fresh = true;
      file.write(chunk);
      reader.push(chunk);
      watch.heard();
      watch.settled(reader.told().result !== null);
      if (slow !== null) void letCatchUp(slow);
    });
    const letCatchUp = async (caughtUp: Promise<void>) => {
      supervisor.stdout?.pause();
      // Nobody listens: that is no silence of the host.
      watch.deaf();
      await caughtUp;
      slow = null;
      fresh = true;
      watch.heard();
      supervisor.stdout?.resume();
    };
    supervisor.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_KEPT);
      watch.heard();
    });
    supervisor.on('error', (error) => {
      stderr = error.message;
      settle();
    });
    supervisor.on('exit', () => drain());
    supervisor.on('close', settle);
  });
}

function startSupervisor(pass: Pass, run: PassRun, graceMs: number): ChildProcess {
  const { args, env, stdin } = run.host.command(pass);
  const supervisor = spawn(process.execPath, [run.runner ?? PASS_RUNNER], {
    env: { ...run.env, ...env, [MARK_VARIABLE]: markOf(pass.session, run.env[MARK_VARIABLE]) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C is for the driver, which then decides.
    detached: true,
    windowsHide: true,
  });
  const { program, cwd, host } = run;
  const order: Order = { program, args, cwd, stdin, pass: pass.session, gentle: host.gentle, graceMs };
  supervisor.stdin?.on('error', () => undefined);
  supervisor.stdin?.write(`${JSON.stringify(order)}\n`);
  return supervisor;
}

const report = either(
  record({ is: oneOf('started'), pid: whole }),
  record({ is: oneOf('unstartable'), error: text }),
  record({ is: oneOf('ended'), exit: orNull(whole), signal: orNull(text) }),
);

function hearReports(supervisor: ChildProcess): () => Report[] {
  const pipe = supervisor.stdio[3];
  let heard = '';
  if (pipe instanceof Readable) pipe.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
  return () =>
    heard.split('\n').flatMap((line) => {
      const value: unknown = line === '' ? null : JSON.parse(line);
      return report(value) ? [value] : [];
    });
}

function endOf(said: readonly Report[], stderr: string, told: Told): PassEnd {
  const last = said.at(-1);
  switch (last?.is) {
    case 'ended':
      return { exit: last.exit, signal: last.signal, unstartable: null, stderr, told };
    case 'unstartable':
      return { exit: null, signal: null, unstartable: last.error, stderr, told };
    case 'started':
      return { exit: null, signal: 'the end of its supervisor', unstartable: null, stderr, told };
    case undefined:
      return {
        exit: null,
        signal: null,
        unstartable: `its supervisor did not start: ${stderr}`,
        stderr,
        told,
      };
  }
}

/** The supervisor does this itself, unless somebody has ended it. */
function endWhatIsLeft(pass: string, said: readonly Report[]): void {
  const started = said.find((one) => one.is === 'started');
  if (started === undefined || said.some((one) => one.is === 'ended')) return;
  const descendants = descendantsOf(started.pid, pass, process.platform);
  descendants.remember();
  for (const target of [-started.pid, started.pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Gone already; and on Windows there are no groups.
    }
  }
  descendants.signal('SIGKILL');
}

function outcomeOf(why: Cut | 'broken-off' | null, end: PassEnd, ms: number, host: HeadlessHost): Outcome {
  switch (why) {
    case 'broken-off':
      return { is: 'broken-off' };
    case 'timed-out':
    case 'silent':
      // It had told its result: it did not hang at work, but at its end.
      return end.told.result === null ? { is: why, afterMs: ms } : host.classify(end);
    case 'hung':
    case null:
      return host.classify(end);
  }
}
