/** A loop changes hands: a session or a run takes it, it moves to another machine, a person resumes it. */
import {
  CLOSED,
  hasEnded,
  hasPassesLeft,
  isCircuitOpen,
  isToolSession,
  withPart,
  type Frame,
  type Loop,
  type Status,
} from '../loop.ts';
import type { EventOf } from '../record/events.ts';
import { endsRun } from '../waiting/reserve.ts';
import { changed, retried } from './frames.ts';

export function bound(loop: Loop, event: EventOf<'bound'>): Loop {
  const { how, session, prompt } = event;
  // A prepared loop belongs to the first session that submits its prompt. A second session finds out here.
  if (how === 'prompt' && loop.session.owner !== null) return loop;
  return {
    ...heldBy(
      loop,
      { session, prompt, event },
      {
        awaited: event.process === null && (how === 'start' || how === 'adopt'),
        context: null,
      },
    ),
    host: event.host ?? loop.host,
    frame: how === 'takeover' ? loop.frame : withPromptGiven(loop.frame),
    status: statusWhenBound(loop, how),
    driver: how === 'command' || how === 'prompt' ? 'hook' : loop.driver,
  };
}

/** A paused loop stays paused when a new owner takes it. */
function statusWhenBound({ status }: Loop, how: EventOf<'bound'>['how']): Status {
  if (how === 'clear') return { is: 'paused', by: 'session', why: 'clear' };
  return status.is === 'paused' && (how === 'takeover' || how === 'start') ? status : { is: 'running' };
}

/**
 * Taking up a loop moves it from one driver to the other. Each pass of the fresh driver is a chain of its
 * own.
 */
export function taken(loop: Loop, event: EventOf<'taken'>): Loop {
  const { n, session, pass } = event;
  if (n !== loop.events + 1) return loop;
  const held = heldBy(
    loop,
    { session, prompt: pass, event },
    {
      // Another agent said it.
      said: null,
      awaited: false,
      context: session === loop.session.owner?.session ? loop.session.context : null,
    },
  );
  return {
    ...withPart(held, 'run', { resetsAt: null }),
    host: event.host ?? loop.host,
    frame: withPromptGiven(loop.frame),
    open: null,
    status: { is: 'running' },
    driver: 'fresh',
  };
}

export function identified(loop: Loop, { pass, session }: EventOf<'identified'>): Loop {
  const { owner, chain } = loop.session;
  return owner === null || chain !== pass
    ? loop
    : withPart(loop, 'session', { owner: { ...owner, session } });
}

/**
 * Nothing on the old machine holds the loop any more: neither its owner, whose session can't continue
 * elsewhere, nor a stop that was being heard there.
 */
export function moved(loop: Loop, { project }: EventOf<'moved'>): Loop {
  return withPart({ ...loop, project, open: null }, 'session', {
    owner: null,
    awaited: false,
    woken: null,
    hold: null,
    context: null,
    queue: { offset: 0, waiting: 0 },
  });
}

export function resumed(before: Loop, event: EventOf<'resumed'>): Loop {
  if (before.status.is === 'completed') return before;
  const isDue = isReviewDue(before);
  const loop = withReserveSpent(isDue ? withPassOpen(before) : before);
  const session = event.session ?? loop.session.owner?.session;
  const base = changed(retried(loop), loop.frame.prompt, event.iterations ?? loop.frame.iterations);
  // A limit of N iterations means exactly N. A loop that used them up continues only with a higher limit.
  if (hasEnded(loop) && !hasPassesLeft(base.frame)) return before;
  return {
    ...heldBy(
      base,
      { session, prompt: event.prompt, event },
      {
        said: null,
        // Nothing runs until the session gets a prompt. A program goes on by itself.
        awaited: event.prompt === null && session !== undefined && !isToolSession(session),
        compacted: true,
        ...(isDue && { awaits: { looks: 0 } }),
      },
    ),
    frame: withPromptGiven(base.frame),
    status: session === undefined ? { is: 'pending' } : { is: 'running' },
    open: null,
    // Half open: the next identical stop opens the circuit at once.
    circuit: isCircuitOpen(loop) ? { ...loop.circuit, half: true } : { ...CLOSED, trend: loop.circuit.trend },
  };
}

/**
 * A reviewer could not be reached, and nothing else was missing: its stop is heard once more, without the
 * agent. In a session the agent has to end its turn for that.
 */
function isReviewDue({ driver, status, noted, last }: Loop): boolean {
  if (driver !== 'fresh' || status.is !== 'escalated' || status.why.is !== 'unreviewed') return false;
  return Object.values(noted.reviewed ?? {}).some(({ n, answer }) => n === last?.n && answer === 'unreached');
}

/** Who resumes a loop that waits for its reserve says "now": what the host told of that window is settled. */
function withReserveSpent(loop: Loop): Loop {
  const { status, run } = loop;
  const reserve = 'reserve' in status ? status.reserve : undefined;
  if (reserve === undefined || endsRun(reserve) || run.metered === undefined) return loop;
  return withPart(loop, 'run', { metered: { ...run.metered, windows: [] } });
}

/** The pass whose stop is heard again is not over. */
function withPassOpen(loop: Loop): Loop {
  const { frame } = loop;
  return { ...loop, frame: { ...frame, passes: Math.max(0, frame.passes - 1) } };
}

export function prompted(loop: Loop, { prompt }: Pick<EventOf<'prompted'>, 'prompt'>): Loop {
  const carried = carriedOn(loop, prompt);
  const status = loop.status.is === 'waiting' ? ({ is: 'running' } as const) : loop.status;
  return withPart({ ...carried, status }, 'session', { awaited: false });
}

function carriedOn(loop: Loop, prompt: string | null): Loop {
  return withPart(loop, 'session', { chain: prompt, yielded: false, streak: 0, unconfirmed: null });
}

/** The agent that takes up the loop gets the task of the frame at work. */
function withPromptGiven(frame: Frame): Frame {
  return { ...frame, promptGiven: true };
}

interface NewHolder {
  /** Undefined where nobody has it any more. */
  readonly session: string | undefined;
  readonly prompt: string | null;
  readonly event: Holder & { readonly at: string };
}

function heldBy(loop: Loop, { session, prompt, event }: NewHolder, change: Partial<Loop['session']>): Loop {
  const isSame = session === loop.session.owner?.session;
  return withPart(carriedOn(loop, prompt), 'session', {
    owner: session === undefined ? null : { session, ...holderOf(event) },
    boundAt: event.at,
    hold: null,
    // Another session has another transcript, so the read position in the old one is void.
    queue: { offset: isSame ? loop.session.queue.offset : 0, waiting: 0 },
    ...change,
  });
}

interface Holder<P = number | null> {
  readonly process: P;
  readonly machine?: string;
}

export function holderOf<P>({ process, machine }: Holder<P>): Holder<P> {
  return machine === undefined ? { process } : { process, machine };
}
