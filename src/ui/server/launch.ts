/**
 * Starts `dacapo run --loop ID`, as a process of its own: it drives the loop, and goes on when the page and its server
 * are gone.
 */
import { spawn } from 'node:child_process';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { withLoop } from '../../operations/look/loops.ts';
import { HAND_VARIABLE } from '../../operations/trust/people-only.ts';
import type { Runtime } from '../../store/runtime.ts';

const LOOK_MS = 150;
/** A busy machine may take seconds to begin. After that the page shows the loop as it is. */
const PATIENCE_MS = 12_000;

export interface Launch {
  readonly loop: string;
  readonly folder: string;
  /** The built command line program. */
  readonly cli: string;
}

/** Null: it drives the loop. */
export async function launch({ loop, folder, cli }: Launch, runtime: Runtime): Promise<Refusal | null> {
  const child = spawn(process.execPath, [cli, 'run', '--loop', loop, '--quiet'], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { ...runtime.env, [HAND_VARIABLE]: 'page' },
    windowsHide: true,
  });
  child.unref();
  const isOwned = () =>
    withLoop(loop, runtime, (open) => open.loop().session.owner?.process === child.pid) ?? false;
  let ended: string | null = null;
  child.on('exit', (code, signal) => (ended = signal ?? `exit code ${code ?? 0}`));
  child.on('error', ({ message }) => (ended = message));
  for (let waited = 0; waited < PATIENCE_MS && !isOwned(); waited += LOOK_MS) {
    if (ended !== null)
      return refuse(
        'not-driven',
        `The process that drives loop ${loop} ended at once (${String(ended)}).`,
        `dacapo run --loop ${loop} in a terminal shows why.`,
      );
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}
