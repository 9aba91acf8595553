/** `dacapo checkpoints`: what the stop hooks of a loop have kept, and how to go on from there. */
import { oneLine } from '../../core/sanitize.ts';
import { readCheckpoints, type Checkpoint } from '../../proofs/stop-hooks/checkpoints.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { noLoops, pickNewest, withLoop } from '../loops.ts';
import { table } from '../terminal/table.ts';
import { paint, say, sayJson } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { cliWorld } from '../runtime.ts';

export interface CheckpointsOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

const SHOWN = 120;
const DRAFT = 4_000;

export async function runCheckpoints({ id, json }: CheckpointsOptions): Promise<number> {
  const world = cliWorld();
  const picked = pickNewest(id, 'checkpoints', world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const { loop } = picked;
  const kept = withLoop(loop.id, world, (open) => readCheckpoints(open.dir)) ?? [];
  if (json) sayJson(kept.map((one, index) => ({ number: index + 1, ...one })));
  else if (kept.length === 0) say(`Loop ${loop.id} has no checkpoints.`);
  else
    say(
      ...table([
        ['', 'ITERATION', 'WHEN', 'HOOK', 'PHASE', 'STEP'].map((word) => paint.dim(word)),
        ...kept.map((one, index) => [
          String(index + 1),
          String(one.iteration),
          ago(one.at, world.now()),
          oneLine(one.hook, SHOWN),
          oneLine(fieldOf(one, 'executionPhase'), SHOWN),
          oneLine(fieldOf(one, 'executionStep'), SHOWN),
        ]),
      ]),
      '',
      `dacapo resume ${loop.id} --checkpoint N goes on from one of them.`,
    );
  return EXIT.ok;
}

function fieldOf({ data }: Checkpoint, key: string): string {
  const value = data[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What the agent is told of a checkpoint: where the work stood, in the hook's own words. */
export function sayCheckpoint(kept: Checkpoint): string {
  const { data } = kept;
  const phase = fieldOf(kept, 'executionPhase');
  const step = fieldOf(kept, 'executionStep');
  const draft = fieldOf(kept, 'draftContent');
  const context = data['agentContext'];
  return [
    `This loop is resumed from a checkpoint of iteration ${kept.iteration}. The files are as they are now; go on from where the checkpoint stood.`,
    ...(phase === '' ? [] : [`Phase: ${oneLine(phase, SHOWN)}`]),
    ...(step === '' ? [] : [`Step: ${oneLine(step, SHOWN)}`]),
    ...(context === undefined ? [] : [`Context: ${oneLine(JSON.stringify(context), 10 * SHOWN)}`]),
    ...(draft === '' ? [] : [`Draft:\n${draft.slice(0, DRAFT)}`]),
  ].join('\n');
}
