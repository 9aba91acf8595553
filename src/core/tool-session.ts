/**
 * The session of a loop that no host drives: a program says when a pass ends. Its id is ours, so no session of a host can own
 * the loop, and any process that knows the loop's id may act for it.
 */
export const TOOL_SESSION = 'tools-';

export function isToolSession(session: string): boolean {
  return session.startsWith(TOOL_SESSION);
}
