/** `dacapo checkpoints`: lists the checkpoints that a loop's stop hooks saved, and how to continue from one. */
import { oneLine } from '../../core/words/sanitize.ts';
import { readCheckpoints } from '../../proofs/stop-hooks/checkpoints.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { withLoop } from '../../operations/look/loops.ts';
import { checkpointField } from '../../text/agent/to-agent.ts';
import { noLoops, pickNewest } from '../loops.ts';
import { table } from '../terminal/table.ts';
import { paint, say, sayJson } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { cliRuntime } from '../runtime.ts';

export interface CheckpointsOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

const SHOWN = 120;

export async function runCheckpoints({ id, json }: CheckpointsOptions): Promise<number> {
  const runtime = cliRuntime();
  const picked = pickNewest(id, 'checkpoints', runtime);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const { loop } = picked;
  const kept = withLoop(loop.id, runtime, (open) => readCheckpoints(open.blobs)) ?? [];
  if (json) sayJson(kept.map((one, index) => ({ number: index + 1, ...one })));
  else if (kept.length === 0) say(`Loop ${loop.id} has no checkpoints.`);
  else
    say(
      ...table([
        ['', 'ITERATION', 'WHEN', 'HOOK', 'PHASE', 'STEP'].map((word) => paint.dim(word)),
        ...kept.map((one, index) => [
          String(index + 1),
          String(one.iteration),
          ago(one.at, runtime.now()),
          oneLine(one.hook, SHOWN),
          oneLine(checkpointField(one, 'executionPhase'), SHOWN),
          oneLine(checkpointField(one, 'executionStep'), SHOWN),
        ]),
      ]),
      '',
      `dacapo resume ${loop.id} --checkpoint N continues from one of them.`,
    );
  return EXIT.ok;
}
