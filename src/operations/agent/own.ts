/** Opens a loop for what its agent says by a tool. Nobody speaks for the agent of another session. */
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { isOwn } from './tool-session.ts';
import { openById, type Opened } from '../look/loops.ts';

/** The loop that is meant, and who asks. */
export interface AgentOrder {
  readonly loop: string;
  /** The session of the host that the caller works in; null: in none. */
  readonly session: string | null;
}

/** The caller closes `open`. It is live, and belongs to the caller. */
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
  if (!isOwn(loop, session)) return notYours(loop);
  if (isLive(loop)) return null;
  return refuse(
    hasEnded(loop) ? 'ended' : 'not-running',
    `Loop ${title(loop)} ${sayStatus(loop)}.`,
    hasEnded(loop)
      ? 'Nothing more is asked of you. A person can reopen it with dacapo resume.'
      : 'A person resumes it with dacapo resume.',
  );
}

function notYours(loop: Loop): Refusal {
  return loop.session.owner === null
    ? refuse('not-begun', `Loop ${title(loop)} waits for its first prompt.`, 'Give its prompt in a session.')
    : refuse(
        'another-session',
        `Loop ${title(loop)} belongs to another session.`,
        'Only the agent of that session can speak for it.',
      );
}
