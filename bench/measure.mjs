// What the benches share: statistics, the start of a measured program, and the form of a row.
//
// A row is { name, ratio, bound }. `ratio` compares two times of the same run, because a time alone belongs to
// one machine. `bound` is what the ratio should be at most, or null where a figure is only to read.

import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { delimiter } from 'node:path';

/** For bash: runs a program and prints its processor time, user and system, in seconds. */
export const TIMED = `export LC_ALL=C; TIMEFORMAT='%U %S'; time "$0" "$@"`;

export function median(values) {
  return quantile(values, 0.5);
}

/** The slowest of the fastest tenth. A busy moment of the machine leaves it alone. */
export function quickest(values) {
  return quantile(values, 0.1);
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** bash prints whole milliseconds, so a median would jump by one. The mean of the middle half does not. */
export function middleHalf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const quarter = sorted.length >> 2;
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** The value that stands for all: of processor times (`isCpu`) another one than of wall times. */
export function typical(values, isCpu) {
  return isCpu ? middleHalf(values) : median(values);
}

export function shuffled(values) {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/**
 * The environment without what changes a start: with NODE_EXTRA_CA_CERTS, Node 20 reads a file each time. `npm
 * run` puts its own folders in front of the PATH, and in one of them `claude` is a program that only fails,
 * which no user has.
 */
export function plainEnvironment() {
  const { NODE_EXTRA_CA_CERTS: _, DACAPO_FLEET: __, PATH = '', ...env } = process.env;
  const isOfNpm = (folder) => /[/\\]node_modules[/\\](?:\.bin$|@?npm[/\\])/.test(folder);
  return {
    ...env,
    PATH: PATH.split(delimiter)
      .filter((folder) => !isOfNpm(folder))
      .join(delimiter),
  };
}

/** Runs a program to its end. `isCpu`: measures the processor time of it and its children, not wall time. */
export function timedRun(program, args, { isCpu, ...options }) {
  const [command, ...rest] = isCpu ? ['bash', '-c', TIMED, program, ...args] : [program, ...args];
  const began = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, rest, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...options,
  });
  const wallMs = performance.now() - began;
  if (error) throw error;
  return { status, stdout, ms: isCpu ? cpuTimeIn(stderr) : wallMs };
}

export function cpuTimeIn(stderr) {
  const [, user, system] = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr) ?? [];
  if (user === undefined) throw new Error(`no times: ${stderr}`);
  return (Number(user) + Number(system)) * 1_000;
}

export function printRows(rows) {
  for (const row of rows) console.log(rowLine(row));
}

/** `detail`: times of this machine, or how far the figures lie apart. Some rows have nothing else. */
function rowLine({ name, ratio, bound, detail = '' }) {
  if (ratio === null) return `${name.padEnd(66)} ${detail}`;
  const verdict = bound === null ? '' : `at most ${bound} ${isHeld({ ratio, bound }) ? '' : 'NOT HELD'}`;
  return `${name.padEnd(66)} ${sayRatio(ratio).padStart(7)} ×  ${verdict.padEnd(22)} ${detail}`.trimEnd();
}

export function sayRatio(ratio) {
  return ratio < 0.01 ? ratio.toExponential(1) : ratio.toFixed(2);
}

/** As it is printed: a ratio of 1.2004 is 1.20. */
export function isHeld({ ratio, bound }) {
  return Math.round(ratio * 100) <= Math.round(bound * 100);
}

export function machine() {
  const all = cpus();
  return { node: process.version, cpu: all[0]?.model ?? 'unknown', cores: all.length, load: loadavg()[0] };
}
