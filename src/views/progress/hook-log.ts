/** `hook.log` beside a progress file: what the format's own tool would write about this stop. */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { featuresOf } from '../../core/gates.ts';
import { topFrame, type Loop } from '../../core/loop.ts';
import { refuseToLeave } from '../../files/paths.ts';
import type { StopArrival } from '../../hosts/arrival.ts';
import { logLine, type Logged } from './format.ts';
import { LOOP_FILES } from './names.ts';
import type { Runtime } from '../../store/runtime.ts';

const MOST = 1024 * 1024;
const APPENDING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** `before`: the loop when the stop was heard. */
export function logStop(
  before: Loop,
  loop: Loop,
  { from, continuedByHook }: StopArrival,
  runtime: Runtime,
): void {
  const file = loop.files.views.find(({ kind }) => kind === 'progress')?.file;
  if (file === undefined) return;
  try {
    const lines = [
      { is: 'triggered' as const, session: from.session, active: continuedByHook },
      {
        is: 'iteration' as const,
        iteration: topFrame(before).passes + 1,
        iterations: topFrame(before).iterations,
      },
      ...lookedAt(loop),
      ...outcomeOf(loop),
    ];
    const at = runtime.now();
    const path = join(dirname(resolve(loop.project, file)), LOOP_FILES.log);
    refuseToLeave(path, loop.project);
    appendLog(path, lines.map((line) => logLine(at, line)).join(''));
  } catch (error) {
    runtime.log(`loop=${loop.id} hook.log: ${String(error)}`);
    runtime.onViewError?.('hook.log', error);
  }
}

function lookedAt({ last }: Loop): Logged[] {
  const features = last?.features ?? null;
  if (features === null) return [];
  if (features.is === 'unreadable') return [{ is: 'error', why: features.why }];
  return [{ is: 'features', passing: features.facts.passing, total: features.facts.total }];
}

/** The log format has three outcomes of a stop. The others are only in the journal. */
function outcomeOf(loop: Loop): Logged[] {
  const { status, last } = loop;
  const frame = topFrame(loop);
  const facts = last?.features?.is === 'read' ? last.features.facts : null;
  if (status.is === 'completed') return [{ is: 'complete', features: featuresOf(frame) !== null }];
  if (status.is === 'exhausted' && status.limit === 'iterations')
    return [
      {
        is: 'reached-limit',
        iterations: frame.iterations ?? frame.passes,
        remaining: facts === null ? null : facts.total - facts.passing,
      },
    ];
  return last?.verdict.is === 'continue'
    ? [{ is: 'continue', iteration: frame.passes + 1, next: facts?.next ?? null }]
    : [];
}

/** Appends, and rotates between two files of bounded size. Links are not followed. */
function appendLog(path: string, lines: string): void {
  const file = openSync(path, APPENDING, 0o644);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return;
    writeSync(file, lines);
    if (stat.size + lines.length > MOST) renameSync(path, `${path}.1`);
  } finally {
    closeSync(file);
  }
}
