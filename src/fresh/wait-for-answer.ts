/** Waits for a person's answer, without a process of the host. A killed run is taken up by the next one. */
import { randomUUID } from 'node:crypto';
import { hasEnded, isLive, type Loop, type Request } from '../core/loop.ts';
import { openRequestsOf, WHAT_LIMIT } from '../core/waiting/requests.ts';
import { resumeLoop } from '../operations/steer/control.ts';
import { updateRequests } from '../operations/requests/open-requests.ts';
import { isOurs, type Runtime } from '../store/runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { howToAnswer, sayAnswered, sayRequest } from '../text/requests.ts';
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
  runtime: Runtime,
): Promise<Held> {
  take(open, runtime);
  let asked: string | null = null;
  for (;;) {
    const loop = updateRequests(open, runtime);
    const [first] = openRequestsOf(loop);
    const answered = loop.people.requests.filter(({ id }) => id === asked && first?.id !== asked);
    if (answered.length > 0) run.tell({ is: 'goes-on', why: sayAnswered(answered) });
    if (!isLive(loop)) return 'stopped';
    if (first === undefined) return 'over';
    if (first.id !== asked) {
      tellOf(first, loop, run);
      asked = first.id;
      if ((await run.wait({ for: 'approval', until: first.expires })) === 'parked') return 'parked';
    }
    const next = new Date(Date.parse(runtime.now()) + LOOK_MS).toISOString();
    await holdUntil(next, open, [run.soon, run.now], runtime.now, isAsking(asked));
    if (run.soon.aborted || run.now.aborted) return 'stopped';
  }
}

/** The whole of it: nobody can agree to a command of which they see a part. */
function tellOf(request: Request, loop: Loop, { tell }: Pick<FreshRun, 'tell'>): void {
  const { id, kind, expires } = request;
  const why = `${sayRequest(request, WHAT_LIMIT)} (${howToAnswer(loop)})`;
  tell({ is: 'waits', for: 'approval', until: expires, why, request: { id, kind } });
}

/** Without this the answer would be seen only at the next look. */
function isAsking(id: string): (loop: Loop) => boolean {
  return (loop) => isLive(loop) && openRequestsOf(loop)[0]?.id === id;
}

function take(open: OpenLoop, runtime: Runtime): void {
  const { owner } = open.loop().session;
  if (isLive(open.loop()) && isOurs(owner, runtime)) return;
  const session = owner?.session ?? randomUUID();
  if (!isLive(open.loop()))
    resumeLoop(open, { by: 'terminal', session, process: null, prompt: null, iterations: null }, runtime);
  takeOver(open, session, runtime);
  open.keep();
}
