/**
 * A loop that no host drives: a program starts it, and its passes end when the program says so. Its session id is ours, so no
 * session of a host can own it, and any process that knows the loop's id may act for it.
 */
import { randomUUID } from 'node:crypto';
import type { Loop } from '../../core/loop.ts';
import { TOOL_SESSION } from '../../core/tool-session.ts';
import type { Sender } from '../../hosts/arrival.ts';
import { NO_LIMITS } from '../../hosts/limits.ts';
import { TERMINAL } from '../../text/to-person.ts';

export function newToolSession(): string {
  return `${TOOL_SESSION}${randomUUID()}`;
}

export function isToolDriven({ owner }: Pick<Loop, 'owner'>): boolean {
  return owner?.session.startsWith(TOOL_SESSION) === true;
}

/** `session`: of a host, or from `newToolSession`. The process is left open: another one may go on. */
export function senderFor(session: string, project: string, host: string, prompt: string | null): Sender {
  return { host, limits: NO_LIMITS, session, process: null, project, prompt, commands: TERMINAL };
}
