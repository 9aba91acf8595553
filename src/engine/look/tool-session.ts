/**
 * A loop that a program drives, the sender of what the program does for it, and who speaks for a loop by a
 * tool.
 */
import { randomUUID } from 'node:crypto';
import { isToolSession, TOOL_SESSION, type Loop, type LoopPart, hasEnded, isLive } from '#law/loop.ts';
import { type Sender, NO_LIMITS } from '#hosts/port/arrival.ts';
import { TERMINAL } from '#telling/audience.ts';
import type { Runtime } from '#store/runtime.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isId } from '#base/shape.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { openById, type Opened } from './loops.ts';

const OF_SESSION = `${TOOL_SESSION}of-`;

/**
 * `of`: the session of a host that has no hook of ours, so that its agent alone speaks for the loop. Null:
 * anybody may.
 */
export function toolSession(of: string | null): string {
  return of === null ? `${TOOL_SESSION}${randomUUID()}` : `${OF_SESSION}${of}`;
}

export function isToolDriven({ session: { owner } }: LoopPart<'session', 'owner'>): boolean {
  return owner !== null && isToolSession(owner.session);
}

export function isOwn({ session: { owner } }: LoopPart<'session', 'owner'>, session: string | null): boolean {
  if (owner === null) return false;
  if (isToolDriven({ session: { owner } }) && !owner.session.startsWith(OF_SESSION)) return true;
  return session !== null && [session, toolSession(session)].includes(owner.session);
}

/** `session`: of a host, or from `toolSession`. Without a process, any may go on. */
export function senderFor(
  session: string,
  { project, host }: Pick<Loop, 'project' | 'host'>,
  prompt: string | null,
  process: number | null = null,
): Sender {
  return { host, limits: NO_LIMITS, session, process, project, prompt, commands: TERMINAL };
}

export function refuseNoId(session: string | null, next: string): Refusal | null {
  if (session === null || isId(session)) return null;
  return refuse('no-session-id', `${JSON.stringify(session)} is not a session id.`, next);
}

/**
 * Our hook is in a session. Settings could only tell whether it should be there, so the hook itself leaves a
 * sign, right before a call to our server, and the server that gets the call takes it. `of`: the session that
 * starts a loop; or a session and exactly what it says, for a server that knows no session.
 */
export function leaveSign(of: string, { store }: Pick<Runtime, 'store'>): void {
  store.once.isNews(`${of} hook`);
}

export function consumeSign(of: string, { store }: Pick<Runtime, 'store'>): boolean {
  return store.once.forget(`${of} hook`);
}

export interface AgentOrder {
  readonly loop: string;
  readonly session: string | null;
}

/** The caller closes `open`. It is live and the caller's: nobody speaks for the agent of another session. */
export function openOwn(order: AgentOrder, runtime: Runtime): Opened {
  const opened = openById(order.loop, runtime);
  if (!opened.ok) return opened;
  const refusal = whyNot(opened.open, order);
  if (refusal === null) return opened;
  opened.open.close();
  return refusal;
}

function whyNot(open: OpenLoop, { session }: AgentOrder): Refusal | null {
  const loop = open.loop();
  if (open.broken() !== null)
    return refuse('broken', `The journal of loop ${title(loop)} is damaged.`, 'A person has to look at it.');
  const name = `Loop ${title(loop)}`;
  if (loop.session.owner === null)
    return refuse('not-begun', `${name} waits for its first prompt.`, 'Give its prompt in a session.');
  if (!isOwn(loop, session))
    return refuse(
      'another-session',
      `${name} belongs to another session.`,
      'Only the agent of that session can report on it.',
    );
  if (isLive(loop)) return null;
  const why = `${name} ${sayStatus(loop)}.`;
  return hasEnded(loop)
    ? refuse('ended', why, 'You have nothing more to do here. A person can reopen it with dacapo resume.')
    : refuse('not-running', why, 'A person resumes it with dacapo resume.');
}
