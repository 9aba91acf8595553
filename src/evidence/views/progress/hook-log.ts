/** `hook.log` beside a progress file: what the format's own tool would write about this stop. */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { featuresOf } from '#law/gates.ts';
import { type Loop } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { clockTime } from '#telling/time.ts';
import { refuseToLeave } from '#base/files/paths.ts';
import type { StopArrival } from '#hosts/port/arrival.ts';
import { reportViewError } from '../file-view.ts';
import { LOOP_FILES } from '../places.ts';
import type { Runtime } from '#store/runtime.ts';

const MAX_LOG_BYTES = 1024 * 1024;
const APPENDING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** `before`: the loop when the stop was heard. */
export function logStop(before: Loop, loop: Loop, stop: StopArrival, runtime: Runtime): void {
  const file = loop.files.views.find(({ kind }) => kind === 'progress')?.file;
  if (file === undefined) return;
  try {
    const path = join(dirname(resolve(loop.project, file)), LOOP_FILES.log);
    refuseToLeave(path, loop.project);
    appendLog(path, stopLog(before, loop, stop, runtime.now()));
  } catch (error) {
    reportViewError(loop, LOOP_FILES.log, error, runtime);
  }
}

/** Its lines, in local time as `date` gives it. */
export function stopLog(
  before: Loop,
  loop: Loop,
  { from, continuedByHook }: Pick<StopArrival, 'from' | 'continuedByHook'>,
  at: string,
): string {
  const { passes, iterations } = before.frame;
  const lines = [
    `Stop hook triggered. Session: ${from.session}, stop_hook_active: ${continuedByHook}`,
    `Iteration: ${passes + 1} / ${iterations ?? 'unlimited'}`,
    ...sayFeatures(loop),
    ...sayOutcome(loop),
  ];
  const time = clockTime(at);
  return lines.map((line) => `[${time}] ${oneLine(line, 1_000)}\n`).join('');
}

function sayFeatures({ last }: Loop): string[] {
  const features = last?.features ?? null;
  if (features === null) return [];
  if (features.is === 'unreadable') return [`ERROR: ${features.why}`];
  const { passing, total } = features.facts;
  return [`Features: ${passing}/${total} complete, ${total - passing} remaining`];
}

/** The log format has three outcomes of a stop. The others are only in the journal. */
function sayOutcome(loop: Loop): string[] {
  const { status, last } = loop;
  const { frame } = loop;
  const facts = last?.features?.is === 'read' ? last.features.facts : null;
  if (status.is === 'completed')
    return [`COMPLETE: ${featuresOf(frame) === null ? 'Every gate holds' : 'All features passed'}`];
  if (status.is === 'exhausted' && status.limit === 'iterations') {
    const left = facts === null ? '' : ` with ${facts.total - facts.passing} features remaining`;
    return [`REACHED_LIMIT: Max iterations (${frame.iterations ?? frame.passes}) reached${left}`];
  }
  if (last?.verdict.is !== 'continue') return [];
  const next = facts?.next ? ` for Feature ${facts.next.id}: ${facts.next.description}` : '';
  return [`CONTINUE: Starting iteration ${frame.passes + 1}${next}`];
}

/** Appends, and rotates between two files of bounded size. Links are not followed. */
function appendLog(path: string, lines: string): void {
  const file = openSync(path, APPENDING, 0o644);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return;
    writeSync(file, lines);
    if (stat.size + lines.length > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  } finally {
    closeSync(file);
  }
}
