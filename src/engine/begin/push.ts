/**
 * Pushes a task into a running loop, as a frame: from the session (`/ralph … --nest`), a terminal or a
 * program.
 */
import type { StartRequest } from '#input/arguments.ts';
import type { Actor } from '#law/record/events.ts';
import { hasItems } from '#input/options.ts';
import { MAX_FRAMES, isLive, type Loop } from '#law/loop.ts';
import { hooksOf } from '#law/gates.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { keepPrompt } from '#store/prompts.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { lookAtLists } from '#evidence/guard/removed-items.ts';
import { begunBy, proveBefore, refuseList } from './prepare.ts';
import { askedBy, refuseMissing } from '../asked/gates.ts';
import { frameFor } from './definition.ts';
import { loopsUnder, whileOpen } from '../look/loops.ts';
import { firstItem, pushItem } from '../asked/items.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { claimLives, type Runtime } from '#store/runtime.ts';

/** Most stops are judged at once. One that runs checks may take minutes, and we do not wait for it. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;

export interface Push {
  readonly request: StartRequest;
  readonly by: Actor;
  /** The session's prompt that shows the task to the agent; null if the next stop shows it. */
  readonly prompt: string | null;
}

export interface NestOrder extends Omit<Push, 'prompt'> {
  readonly session: string | null;
  readonly root: string;
}

/** Into the loop of the calling session; without a session, into the only loop that runs here. */
export async function nest({ request, by, session, root }: NestOrder, runtime: Runtime): Promise<Pushed> {
  const entry = session === null ? null : runtime.store.sessions.find(session);
  const running = entry === null ? loopsUnder(root, runtime).filter(isLive) : [];
  const [id, ...others] = entry === null ? running.map((loop) => loop.id) : [entry.loop];
  if (others.length > 0)
    return refuse(
      'several-loops',
      `${others.length + 1} loops run here, and it is not clear which the task is for.`,
      'Give the task with --nest in the session that is meant.',
    );
  const open = id === undefined ? null : runtime.store.open(id);
  const none = 'No loop runs here that the task could go inside.';
  if (open === null) return refuse('no-loop', none, 'Leave --nest out to start one.');
  return whileOpen({ ok: true, open }, () => pushFrame(open, { request, by, prompt: null }, runtime));
}

type Pushed = Granted<{ readonly loop: Loop }>;

export async function pushFrame(
  open: OpenLoop,
  { request, by, prompt }: Push,
  runtime: Runtime,
): Promise<Pushed> {
  const loop = open.look();
  const refusal = refusalFor(loop, request);
  if (refusal !== null) return refusal;
  const order = { request, project: loop.project };
  const unlisted = refuseList(order, null) ?? refuseMissing(request.checks, runtime.env);
  if (unlisted !== null) return unlisted;
  const first = await firstItem(order, runtime);
  if (!first.ok) return first;
  // A config is asked for the loop as a whole.
  const own = askedBy(request, null);
  const checks = begunBy(await proveBefore(order, own, 'short', runtime), own.checks);
  if (prompt === null && !(await isQuiet(open, runtime)))
    return refuse('busy', 'Da Capo is judging a stop right now.', 'Try again in a moment.');
  const { item } = first;
  const asked = frameFor(order, own, { checks, measures: [] });
  // The stop hooks of a loop are asked at every stop, whichever frame is at work.
  const hooks = hooksOf(loop.frame);
  const frame = {
    ...asked,
    gates: [...asked.gates, ...(hooks === null ? [] : [hooks])],
    prompt: keepPrompt(open.blobs, request.prompt),
  };
  // The agent gets the innermost task. The frame around an item begins when the item is over.
  open.write({ type: 'pushed', at: runtime.now(), by, prompt: item === null ? prompt : null, frame });
  if (item !== null) {
    pushItem(open, item, { by, prompt }, runtime);
    lookAtLists(open, runtime);
  }
  return { ok: true, loop: showAndKeep(open, runtime) };
}

/** A verdict applies to the frame that was current when its stop was claimed, so we push none in between. */
async function isQuiet(open: OpenLoop, runtime: Runtime): Promise<boolean> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const claim = open.look().open;
    if (claim === null || !claimLives(claim, runtime)) return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

function refusalFor(loop: Loop, request: StartRequest): Refusal | null {
  if (!isLive(loop))
    return refuse(
      'not-live',
      `Loop ${title(loop)} ${sayStatus(loop)}, so it can't get an inner task.`,
      'Only a loop that runs can get an inner task.',
    );
  const depth = loop.around.length + 1;
  if (depth + (hasItems(request) ? 2 : 1) > MAX_FRAMES)
    return refuse(
      'too-deep',
      `Loop ${title(loop)} has ${depth} nested frames already, the maximum is ${MAX_FRAMES}.`,
      'Let some of them end first.',
    );
  return null;
}
