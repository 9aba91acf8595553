/** How a call of a tool is passed on to the room `tasks`. */
import type { Call, Desk } from './desk.ts';

export function asCall(run: string, call: Call, { session }: Desk) {
  return { run, session: session?.session ?? null, signal: call.signal, progress: sayingProof(call) };
}

export function sayingProof({ progress }: Call) {
  return (what: string, how: string | null) => progress(how === null ? `running ${what}` : `${what}: ${how}`);
}
