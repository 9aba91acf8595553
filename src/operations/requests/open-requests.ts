/** What loops have asked and nobody has answered yet, the oldest first. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { RequestKind } from '../../core/record/events.ts';
import { openRequestsOf, endedUnanswered } from '../../core/waiting/requests.ts';
import type { Runtime } from '../../store/runtime.ts';
import { loopsToActOn, type Choice } from '../look/find.ts';
import { loopsUnder, withLoop } from '../look/loops.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { showViews } from '../../views/views.ts';

/** As `dacapo approvals --json` prints it. */
export interface OpenRequest {
  readonly id: string;
  readonly loop: string;
  readonly name: string | null;
  readonly project: string;
  readonly kind: RequestKind;
  readonly what: string;
  /** The tool whose call is to be approved; null for other kinds. */
  readonly tool: string | null;
  readonly why: string;
  readonly asked_at: string;
  readonly expires_at: string;
}

/** `root`: the loops of this folder and below; null: all of this user. */
export function openRequests(root: string | null, runtime: Runtime): OpenRequest[] {
  return requestsOf(loopsUnder(root, runtime), runtime);
}

/** For an answer without an id: a command outside of any project does not reach into the projects below. */
export function requestsToActOn(choice: Omit<Choice, 'id'>, runtime: Runtime): OpenRequest[] {
  return requestsOf(loopsToActOn(choice, runtime).own, runtime);
}

export function requestsOf(loops: readonly Loop[], runtime: Runtime): OpenRequest[] {
  const now = Date.parse(runtime.now());
  return loops
    .map((loop) => upToDate(loop, runtime))
    .filter((loop) => !hasEnded(loop))
    .flatMap((loop) =>
      openRequestsOf(loop)
        .filter(({ expires }) => Date.parse(expires) > now)
        .map(({ id, kind, what, why, at, expires }) => ({
          id,
          loop: loop.id,
          name: loop.name,
          project: loop.project,
          kind,
          what: what.text,
          tool: what.tool,
          why,
          asked_at: at,
          expires_at: expires,
        })),
    )
    .toSorted((a, b) => Date.parse(a.asked_at) - Date.parse(b.asked_at));
}

/** Somebody may have moved a file while nobody was looking. */
function upToDate(loop: Loop, runtime: Runtime): Loop {
  if (hasEnded(loop) || openRequestsOf(loop).length === 0) return loop;
  return withLoop(loop.id, runtime, (open) => updateRequests(open, runtime)) ?? loop;
}

/** Reads what was answered by file, notices what nobody answered in time, and shows how the loop stands now. */
export function updateRequests(open: OpenLoop, runtime: Runtime): Loop {
  const before = open.look().events;
  const loop = showViews(open, runtime);
  if (loop.events !== before) open.keep();
  // The agent may be in the middle of a turn. Its rules stay with it until it stops or a person says something.
  if (hasEnded(loop) && loop.session.owner !== null && !endedUnanswered(loop))
    runtime.store.sessions.drop(loop.session.owner.session);
  return loop;
}
