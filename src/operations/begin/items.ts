/** The first work item of a new loop or inner frame, and the next item of a list that is resumed. */
import type { StartRequest } from '../../flags/arguments.ts';
import type { Items } from '../../core/record/definition.ts';
import type { Actor } from '../../core/record/events.ts';
import { filesIn, withScratch } from '../../files/scratch.ts';
import { itemFrame } from '../../core/fold/frames.ts';
import { itemPrompt, itemsAsked, nextOf, type FirstItem } from '../../lists/items.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { keepPrompt, readPromptText } from '../../store/prompts.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { readItems } from '../../proofs/items.ts';
import type { ImportedStart } from '../../views/imported.ts';
import { showViews } from '../../views/views.ts';
import type { Runtime } from '../../store/runtime.ts';

/** What is asked for, and where. */
export interface ToBegin {
  readonly request: StartRequest;
  readonly project: string;
  /** State of a loop that was begun elsewhere. */
  readonly imported?: ImportedStart;
}

/** `item` is null if the request asks for no items, or if none is left. */
interface ItemFound {
  readonly ok: true;
  readonly item: FirstItem | null;
}

/** A list of which nothing is open is refused: there is nothing to do. A command that gives nothing may just be wrong. */
export async function firstItem(
  { request, project }: ToBegin,
  runtime: Runtime,
): Promise<ItemFound | Refusal> {
  const items = itemsAsked(request);
  if (items === null) return { ok: true, item: null };
  const next = await nextItem(items, request.prompt, [], project, runtime);
  if (!next.ok) return refuse('bad-items', `${next.why}.`, 'Fix the list, then start the loop.');
  if (next.item === null && items.from.is === 'command')
    return refuse(
      'bad-items',
      `\`${items.from.command}\` gives no open item, and that may be an error of its own.`,
      'Look at what it prints. If all is done, there is no loop to start.',
    );
  if (next.item === null)
    return refuse(
      'no-items',
      'The list has no open item, so there is nothing to do.',
      'Add one, then start the loop.',
    );
  return { ok: true, item: next.item };
}

/**
 * A resumed list continues with an item, not with its own task. If the list can't be read or no item is left, nothing
 * happens here: the next stop reports it.
 */
export async function takeUpList(
  open: OpenLoop,
  by: Actor,
  prompt: string | null,
  runtime: Runtime,
): Promise<Loop> {
  const loop = open.loop();
  const { items, handled, prompt: task } = topFrame(loop);
  if (items === null || hasEnded(loop) || handled.length >= items.most) return loop;
  const next = await nextItem(items, readPromptText(open.blobs, task), handled, loop.project, runtime);
  if (!next.ok || next.item === null) return loop;
  pushItem(open, next.item, by, prompt, runtime);
  const now = showViews(open, runtime);
  open.keep();
  return now;
}

/**
 * Pushes the frame of an item into the current frame. `prompt` is the session's prompt that shows it to the agent; null
 * if the next stop shows it.
 */
export function pushItem(
  open: OpenLoop,
  { text, ...item }: FirstItem,
  by: Actor,
  prompt: string | null,
  runtime: Runtime,
): void {
  const next = { ...item, prompt: keepPrompt(open.blobs, text) };
  const frame = itemFrame(topFrame(open.loop()), next);
  open.write({ type: 'pushed', at: runtime.now(), by, prompt, frame });
}

async function nextItem(
  items: Items,
  prompt: string,
  handled: readonly string[],
  project: string,
  runtime: Runtime,
): Promise<ItemFound | { readonly ok: false; readonly why: string }> {
  const signal = runtime.stopped ?? new AbortController().signal;
  const list = await withScratch('items', (folder) =>
    readItems(items, { project, runner: runtime.runner, signal, output: filesIn(folder) }),
  );
  if (!list.ok) return list;
  const next = nextOf(list.items, handled);
  if (next === null) return { ok: true, item: null };
  const { item, n, of } = next;
  const text = itemPrompt(prompt, item, n, of);
  return { ok: true, item: { id: item.id, title: item.title, n, of, text } };
}
