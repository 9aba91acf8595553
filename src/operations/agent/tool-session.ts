/** A loop that a program drives, and the sender of what the program does for it. */
import { randomUUID } from 'node:crypto';
import { isToolSession, TOOL_SESSION, type LoopPart } from '../../core/loop.ts';
import { type Sender, NO_LIMITS } from '../../hosts/arrival.ts';
import { TERMINAL } from '../../text/commands.ts';

const OF_SESSION = `${TOOL_SESSION}of-`;

/** `of`: the session of a host that has no hook of ours, so that its agent alone speaks for the loop. Null: anybody may. */
export function toolSession(of: string | null): string {
  return of === null ? `${TOOL_SESSION}${randomUUID()}` : `${OF_SESSION}${of}`;
}

export function isToolDriven({ session: { owner } }: LoopPart<'session', 'owner'>): boolean {
  return owner !== null && isToolSession(owner.session);
}

/** Whether the agent of this session may speak for the loop. */
export function isOwn({ session: { owner } }: LoopPart<'session', 'owner'>, session: string | null): boolean {
  if (owner === null) return false;
  if (isToolDriven({ session: { owner } }) && !owner.session.startsWith(OF_SESSION)) return true;
  return session !== null && [session, toolSession(session)].includes(owner.session);
}

/** `session`: of a host, or from `toolSession`. Without a process, any may go on. */
export function senderFor(
  session: string,
  project: string,
  host: string,
  prompt: string | null,
  process: number | null = null,
): Sender {
  return { host, limits: NO_LIMITS, session, process, project, prompt, commands: TERMINAL };
}
