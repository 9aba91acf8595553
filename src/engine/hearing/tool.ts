/**
 * The agent is about to use a tool: first the guard, then the rules for approvals. It fails open, unless
 * calls of this loop need approvals.
 */
import { isLive, type Loop } from '#law/loop.ts';
import { once } from '#base/shape.ts';
import { endedUnanswered } from '#law/waiting/requests.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { readArea } from '#evidence/guard/area.ts';
import { judgeToolAct, variablesOf } from '#evidence/guard/judge.ts';
import { sayForbidden, sayUnjudged } from '#evidence/guard/refusals.ts';
import { SILENCE, type Answer, type ToolArrival } from '#hosts/port/arrival.ts';
import { leaveSign } from '../look/tool-session.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { SessionEntry } from '#store/store.ts';
import { hearApproval } from './approval.ts';

/** `pass`: the pass of a driver in which the agent does that; null: a session of a person. */
export function hearTool(
  arrival: ToolArrival,
  entry: SessionEntry | null,
  pass: string | null,
  runtime: Runtime,
): Answer {
  let needsApprovals = false;
  try {
    const open = entry === null ? null : runtime.store.open(entry.loop);
    if (open === null) return SILENCE;
    try {
      const loop = open.loop();
      const isOver = !isLive(loop) && !(loop.people.approvals !== null && endedUnanswered(loop));
      if (isOver || !isOfLoop(loop, arrival.from.session, pass)) return SILENCE;
      needsApprovals = loop.people.approvals !== null;
      const answer = hearCall(arrival, open, runtime);
      const speech = arrival.speech?.() ?? null;
      if (speech !== null && answer.is !== 'deny') leaveSign(`${arrival.from.session} ${speech}`, runtime);
      return answer;
    } finally {
      open.close();
    }
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    // What the guard keeps safe is compared at the stop. A call that needed an approval can't be taken back.
    if (needsApprovals) {
      runtime.log(`PreToolUse refused: ${stack ?? message}`);
      return { is: 'deny', toAgent: sayUnjudged(message), toPerson: null };
    }
    runtime.log(`PreToolUse let through: ${stack ?? message}`);
    return {
      is: 'tell',
      toPerson: `Da Capo: the guard could not check this call (${oneLine(message, 300)}).`,
    };
  }
}

function isOfLoop({ session: { owner, chain } }: Loop, session: string, pass: string | null): boolean {
  if (owner === null) return false;
  return owner.session === session || (pass !== null && (pass === chain || pass === owner.session));
}

function hearCall(arrival: ToolArrival, open: OpenLoop, runtime: Runtime): Answer {
  const loop = open.loop();
  const acts = arrival.acts();
  const area = once(() => readArea(open, arrival.hostFiles(), runtime));
  const [forbidden] = acts.flatMap((act) => judgeToolAct(act, area(), runtime.env) ?? []);
  if (forbidden !== undefined) {
    const what = 'path' in forbidden ? forbidden.path : 'command' in forbidden ? forbidden.command : '';
    runtime.log(
      `PreToolUse session=${arrival.from.session} loop=${loop.id} refused ${forbidden.is}: ${what}`,
    );
    return { is: 'deny', toAgent: sayForbidden(forbidden, loop.protection.protect), toPerson: null };
  }
  if (loop.people.approvals === null) return SILENCE;
  const variables = () => variablesOf(acts, area(), runtime.env);
  return hearApproval(arrival, { acts, open, place: area, variables }, runtime);
}
