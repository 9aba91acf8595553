/**
 * A call that an agent asks about in the middle of a pass: first the guard and the rules for approvals, as in
 * a hook. A call that needs an approval waits here, with the agent, for a while. After that the pass ends,
 * and the loop waits for the answer without a process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '#base/files/sha256.ts';
import type { Request } from '#law/loop.ts';
import { openFor, MAX_REQUEST_CHARS } from '#law/waiting/requests.ts';
import type { ToolArrival } from '#hosts/port/arrival.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayHow, sayRequest } from '#telling/person/requests.ts';
import { hearArrival } from '../hearing/hear.ts';
import { withLoop } from '../look/loops.ts';
import { syncRequests } from '../requests/sync.ts';

const REQUEST_POLL_MS = 250;
/** The driver records the session of a pass when the agent has told it, a moment before its first call. */
const BOUND_MS = 10_000;

export type Permission =
  /** A person has approved this very call. */
  | { readonly is: 'permit' }
  /** Nothing of ours concerns it. */
  | { readonly is: 'silence' }
  | { readonly is: 'deny'; readonly why: string }
  /** A person is asked and has not answered yet: the pass ends here. */
  | { readonly is: 'parked' };

export interface PermissionPlace {
  /** How long the call may wait here for a person. */
  readonly holdMs: number;
  readonly asks: (request: { readonly id: string; readonly until: string; readonly text: string }) => void;
  readonly answered: (why: string) => void;
}

export async function hearPermission(
  arrival: ToolArrival,
  place: PermissionPlace,
  runtime: Runtime,
): Promise<Permission> {
  if (!(await isBound(arrival, runtime))) return { is: 'deny', why: 'no loop is known for this session' };
  const heard = () => hearArrival(arrival, runtime.store, () => runtime);
  const first = await heard();
  const request = first.is === 'deny' && first.ends === true ? requestFor(arrival, runtime) : null;
  if (request === null) return permissionOf(first);
  if (place.holdMs === 0) return { is: 'parked' };
  place.asks({ id: request.id, until: request.expires, text: sayRequest(request, MAX_REQUEST_CHARS) });
  const answered = await waitForAnswer(arrival, request, place.holdMs, runtime);
  if (answered === null) return { is: 'parked' };
  place.answered(`${answered.id} was ${sayHow(answered)}`);
  return permissionOf(await heard());
}

function permissionOf(answer: Awaited<ReturnType<typeof hearArrival>>): Permission {
  if (answer.is === 'permit') return { is: 'permit' };
  return answer.is === 'deny' ? { is: 'deny', why: answer.toAgent } : { is: 'silence' };
}

async function isBound({ from }: ToolArrival, { store }: Runtime): Promise<boolean> {
  for (const end = performance.now() + BOUND_MS; ; await sleep(REQUEST_POLL_MS)) {
    if (store.sessions.find(from.session) !== null) return true;
    if (performance.now() > end) return false;
  }
}

function requestFor(arrival: ToolArrival, runtime: Runtime): Request | null {
  const digest = sha256(arrival.call().exact);
  const loop = runtime.store.sessions.find(arrival.from.session)?.loop ?? '';
  return withLoop(loop, runtime, (open) => openFor(syncRequests(open, runtime), digest));
}

/** Null: nobody has answered in that time. */
async function waitForAnswer(
  { from }: ToolArrival,
  { id }: Request,
  mostMs: number,
  runtime: Runtime,
): Promise<Request | null> {
  for (const end = performance.now() + mostMs; ; await sleep(REQUEST_POLL_MS)) {
    const loop = runtime.store.sessions.find(from.session)?.loop ?? '';
    const found = withLoop(loop, runtime, (open) =>
      syncRequests(open, runtime).people.requests.find((one) => one.id === id),
    );
    if (found && found.answer !== null) return found;
    if (performance.now() > end) return null;
  }
}
