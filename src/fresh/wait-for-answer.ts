/** Waits for a person's answer, without a process of the host. A killed run is taken up by the next one. */
import { randomUUID } from 'node:crypto';
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import { openRequestsOf } from '../core/waiting/requests.ts';
import { resumeLoop } from '../operations/steer/control.ts';
import { updateRequests } from '../operations/requests/open-requests.ts';
import { isOurs } from '../store/liveness.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { howToAnswer, sayRequest } from '../text/requests.ts';
import type { FreshRun } from './options.ts';
import { holdUntil, takeOver, type Held } from './wait.ts';

/** How soon we see a file that a person has moved. */
const LOOK_MS = 500;

/** Nothing that needs an answer runs while it is open, so no pass begins. */
export function hasOpenRequest(loop: Loop): boolean {
  return !hasEnded(loop) && openRequestsOf(loop).length > 0;
}

/** `over`: everything is answered, and the loop goes on. */
export async function waitForAnswer(
  open: OpenLoop,
  run: Pick<FreshRun, 'soon' | 'now' | 'tell' | 'wait'>,
  world: Runtime,
): Promise<Held> {
  take(open, world);
  const [first] = openRequestsOf(open.loop());
  if (first === undefined) return 'over';
  const why = `${sayRequest(first)} (${howToAnswer(open.loop())})`;
  run.tell({ is: 'waits', for: 'approval', until: first.expires, why });
  if ((await run.wait({ for: 'approval', until: first.expires })) === 'parked') return 'parked';
  for (;;) {
    const loop = updateRequests(open, world);
    if (!isLive(loop)) return 'stopped';
    if (openRequestsOf(loop).length === 0) {
      run.tell({ is: 'goes-on' });
      return 'over';
    }
    const next = new Date(Date.parse(world.now()) + LOOK_MS).toISOString();
    if ((await holdUntil(next, open, [run.soon, run.now], world.now)) === 'stopped') return 'stopped';
  }
}

function take(open: OpenLoop, world: Runtime): void {
  const { owner } = open.loop();
  if (isLive(open.loop()) && isOurs(owner, world)) return;
  const session = owner?.session ?? randomUUID();
  if (!isLive(open.loop()))
    resumeLoop(open, { by: 'terminal', session, process: null, prompt: null, iterations: null }, world);
  takeOver(open, session, world);
  open.keep();
}
