/** Which loop a call is about: the one that it names, or the one of the session that started this server. */
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Loop } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isOwn, toolSession } from '../operations/agent/tool-session.ts';
import { loopById } from '../operations/look/loops.ts';
import { report, type Report } from '../text/report.ts';
import type { ToolContext } from './tool-context.ts';

export function resolveLoop(
  id: string | undefined,
  { runtime, session }: ToolContext,
): { readonly ok: true; readonly loop: string } | Refusal {
  if (id !== undefined) return { ok: true, loop: id };
  const owners = session === null ? [] : [session.session, toolSession(session.session)];
  const [own] = owners.flatMap((owner) => runtime.store.sessions.find(owner) ?? []);
  if (own !== undefined) return { ok: true, loop: own.loop };
  return session === null
    ? refuse(
        'which-loop',
        'This server belongs to no session, so the loop has to be named.',
        'Give its loopId.',
      )
    : refuse('no-loop', 'This session has no loop.', 'Start one with loop_start or iteration_start.');
}

/** To read. Nobody reads the loop of another session through a server that belongs to one. */
export function lookAtLoop(
  id: string | undefined,
  context: ToolContext,
): { readonly ok: true; readonly loop: Loop; readonly report: Report } | Refusal {
  const meant = resolveLoop(id, context);
  if (!meant.ok) return meant;
  const loop = loopById(meant.loop, context.runtime);
  if (loop === null)
    return refuse(
      'no-loop',
      `There is no loop ${JSON.stringify(oneLine(meant.loop, 80))}.`,
      'dacapo list --all shows every loop.',
    );
  if (context.session !== null && !isOwn(loop, context.session.session))
    return refuse(
      'another-session',
      `Loop ${loop.id} belongs to another session.`,
      'dacapo status shows it in a terminal.',
    );
  return { ok: true, loop, report: report(loop, context.runtime.now()) };
}
