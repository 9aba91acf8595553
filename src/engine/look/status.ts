/** The state of a loop right now: its record, plus what only a look at its processes and files can show. */
import { hasEnded, type Loop } from '#law/loop.ts';
import { isToolDriven } from './tool-session.ts';
import { readVariableDifferences } from '#evidence/proofs/environment.ts';
import { readProving, type Proving } from '#evidence/proofs/proving.ts';
import { claimLives, type Runtime } from '#store/runtime.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { statusOf } from '#telling/loop-status.ts';
import { asIdle } from '#telling/person/status.ts';
import { subject, withLoop } from './loops.ts';

export type StatusNow = ReturnType<typeof readStatusNow>;

export interface HostLook {
  /** What in its settings keeps our hook from judging, each in words with its file. */
  readonly silencedBy: (project: string) => readonly string[];
  /** When the host last wrote to its own record of that session; null: it has none. */
  readonly recordedAt: (session: string) => string | null;
  /** The condition of a goal of the host's own that is active in that session. */
  readonly goalOf: (session: string) => string | null;
}

/** The host still writes to its record while it ends. */
const ENDING_MS = 10_000;

export function readStatusNow(recorded: Loop, host: HostLook, runtime: Runtime) {
  const { silencedBy, recordedAt, goalOf } = host;
  const isIdle = isIdleNow(recorded, runtime);
  const loop = isIdle ? asIdle(recorded) : recorded;
  const { driver, session } = loop;
  const { owner } = session;
  return {
    loop,
    status: statusOf(loop, runtime.now()),
    subject: subject(loop, runtime),
    proving: provingNow(loop, runtime),
    isIdle,
    silenced: driver === 'hook' && !isToolDriven(loop) && !hasEnded(loop) ? silencedBy(loop.project) : [],
    /** Its session was opened again without our hook, and went on without the loop then. */
    astrayAt: isClosed(loop) && owner !== null ? laterThan(loop.updatedAt, recordedAt(owner.session)) : null,
    /** A second keeper in the session: it may hold the agent there when the loop has ended. */
    goal: driver === 'hook' && owner !== null && !hasEnded(loop) ? goalOf(owner.session) : null,
    /**
     * How the environment of the session differed from that of the start, at the last stop that was proven.
     */
    environment: withLoop(loop.id, runtime, (opened) => readVariableDifferences(opened.blobs)) ?? [],
  };
}

/** Nothing runs in the session of a running loop, by the host's own list of sessions. */
function isIdleNow(loop: Loop, { env }: Pick<Runtime, 'env'>): boolean {
  const { status, driver, open, session } = loop;
  const isQuiet = status.is === 'running' && driver === 'hook' && open === null;
  return (
    isQuiet && session.owner !== null && (hostOf(loop).hook.wake?.().isIdle(session.owner, env) ?? false)
  );
}

/** For every list and screen: a loop is not running while nothing runs in its session. */
export function asSeen(loop: Loop, runtime: Pick<Runtime, 'env'>): Loop {
  return isIdleNow(loop, runtime) ? asIdle(loop) : loop;
}

/** As far as the hook knows, nobody works in its session. */
function isClosed({ status, driver, session: { owner } }: Loop): boolean {
  if (driver !== 'hook') return false;
  return status.is === 'interrupted'
    ? status.why === 'session-end' || status.why === 'gone'
    : status.is === 'pending' && owner?.process === null;
}

function laterThan(last: string, recorded: string | null): string | null {
  return recorded !== null && Date.parse(recorded) > Date.parse(last) + ENDING_MS ? recorded : null;
}

export function provingNow({ id, open: claim }: Loop, runtime: Runtime): Proving | null {
  if (claim === null || !claimLives(claim, runtime)) return null;
  return withLoop(id, runtime, (open) => readProving(open.blobs));
}

/** As `dacapo status --json` prints it. */
export function statusJson(now: StatusNow): object {
  const { status, proving, environment, silenced, astrayAt, isIdle, goal } = now;
  return {
    ...status,
    ...(isIdle && { idle: true }),
    ...(proving !== null && { proving: proving.what, proving_since: proving.at }),
    ...(silenced.length > 0 && { silenced }),
    ...(astrayAt !== null && { astray_at: astrayAt }),
    ...(goal !== null && { goal }),
    ...(environment.length > 0 && { environment }),
  };
}
