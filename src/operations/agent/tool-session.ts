/** A loop that a program drives, and the sender of what the program does for it. */
import { randomUUID } from 'node:crypto';
import { type Loop, isToolSession, TOOL_SESSION } from '../../core/loop.ts';
import { type Sender, NO_LIMITS } from '../../hosts/arrival.ts';
import { TERMINAL } from '../../text/commands.ts';

export function newToolSession(): string {
  return `${TOOL_SESSION}${randomUUID()}`;
}

export function isToolDriven({ owner }: Pick<Loop, 'owner'>): boolean {
  return owner !== null && isToolSession(owner.session);
}

/** `session`: of a host, or from `newToolSession`. The process is left open: another one may go on. */
export function senderFor(session: string, project: string, host: string, prompt: string | null): Sender {
  return { host, limits: NO_LIMITS, session, process: null, project, prompt, commands: TERMINAL };
}
