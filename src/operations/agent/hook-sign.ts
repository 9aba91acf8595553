/**
 * Whether our hook is in a session. Settings could only tell whether it should be there, so the hook itself leaves a sign,
 * right before the call that starts a loop, and the server that gets the call takes it.
 */
import type { Runtime } from '../../store/runtime.ts';

type Stored = Pick<Runtime, 'store'>;

export function leaveSign(session: string, { store }: Stored): void {
  store.once.isNews(signOf(session));
}

/** True: the hook has heard of the call that is being answered. */
export function takeSign(session: string, { store }: Stored): boolean {
  const isThere = !store.once.isNews(signOf(session));
  store.once.forget(signOf(session));
  return isThere;
}

function signOf(session: string): string {
  return `${session} hook`;
}
