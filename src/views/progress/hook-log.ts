/** `hook.log` beside a progress file: what seed 000's hook would have written about this stop. */
import { featuresOf } from '../../core/gates.ts';
import { topFrame, type Loop } from '../../core/loop.ts';
import type { StopArrival } from '../../hosts/arrival.ts';
import { appendLog } from '../log.ts';
import { logLine, type Logged } from './format.ts';
import { logFile } from './view.ts';
import type { World } from '../../store/runtime.ts';

/** `before`: the loop when the stop was heard. */
export function logStop(before: Loop, loop: Loop, { from, latch }: StopArrival, world: World): void {
  const file = loop.views.find(({ kind }) => kind === 'progress')?.file;
  if (file === undefined) return;
  try {
    const lines = [
      { is: 'triggered' as const, session: from.session, active: latch },
      {
        is: 'iteration' as const,
        iteration: topFrame(before).passes + 1,
        iterations: topFrame(before).iterations,
      },
      ...lookedAt(loop),
      ...outcomeOf(loop),
    ];
    const at = world.now();
    appendLog(logFile(loop.project, file), lines.map((line) => logLine(at, line)).join(''));
  } catch (error) {
    world.log(`loop=${loop.id} hook.log: ${String(error)}`);
    world.unshown?.('hook.log', error);
  }
}

function lookedAt({ last }: Loop): Logged[] {
  const features = last?.features ?? null;
  if (features === null) return [];
  if (features.is === 'unreadable') return [{ is: 'error', why: features.why }];
  return [{ is: 'features', passing: features.facts.passing, total: features.facts.total }];
}

/** The seed knows three endings of a stop; of any other the journal tells. */
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
