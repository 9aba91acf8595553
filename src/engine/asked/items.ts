/** The first work item of a new loop or inner frame, and the next item of a list that is resumed. */
import type { StartRequest } from '#input/arguments.ts';
import type { Items } from '#law/record/definition.ts';
import type { Actor } from '#law/record/events.ts';
import { filesIn, withScratch } from '#base/files/scratch.ts';
import { itemFrame } from '#law/fold/frames.ts';
import { itemsAsked, nextOf, type FirstItem } from '#evidence/lists/items.ts';
import type { ItemList } from '#evidence/lists/work-item.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import { refuse, type Granted } from '#base/refusal.ts';
import { keepPrompt, readPromptText } from '#store/prompts.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { readItems } from '#evidence/proofs/items.ts';
import type { ImportedStart } from '#evidence/views/imported.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import type { Runtime } from '#store/runtime.ts';

export interface ToBegin {
  readonly request: StartRequest;
  readonly project: string;
  readonly imported?: ImportedStart;
}

type ItemFound = Granted<{ readonly item: FirstItem | null }>;

export async function firstItem(order: ToBegin, runtime: Runtime): Promise<ItemFound> {
  const list = await listAsked(order, runtime);
  if (list?.ok === false) return list;
  return { ok: true, item: list && nextOf(list.items, order.request.prompt, []) };
}

/** Null: none is asked for. An empty list is refused. A command that lists nothing may just be wrong. */
export async function listAsked({ request, project }: ToBegin, runtime: Runtime) {
  const items = itemsAsked(request);
  if (items === null) return null;
  const list = await listNow(items, project, runtime);
  if (!list.ok) return refuse('bad-items', `${list.why}.`, 'Fix the list, then start the loop.');
  if (list.items.length > 0) return { ...list, most: items.most };
  if (items.from.is === 'command')
    return refuse(
      'bad-items',
      `\`${items.from.command}\` prints no open item. That may be an error of the command.`,
      'Run it and look at its output. If everything is done, there is no loop to start.',
    );
  const why = 'The list has no open item, so there is nothing to do.';
  return refuse('no-items', why, 'Add one, then start the loop.');
}

/**
 * A resumed list continues with an item, not with its own task. If the list can't be read or no item is left,
 * nothing happens here: the next stop reports it.
 */
export async function continueList(
  open: OpenLoop,
  by: Actor,
  prompt: string | null,
  runtime: Runtime,
): Promise<Loop> {
  const loop = open.loop();
  const { items, handled, prompt: task } = loop.frame;
  if (items === null || hasEnded(loop) || handled.length >= items.most) return loop;
  const list = await listNow(items, loop.project, runtime);
  const next = list.ok ? nextOf(list.items, readPromptText(open.blobs, task), handled) : null;
  if (next === null) return loop;
  pushItem(open, next, { by, prompt }, runtime);
  return showAndKeep(open, runtime);
}

/** `prompt`: the session's prompt that shows the item to the agent; null: the next stop does. */
export function pushItem(
  open: OpenLoop,
  { text, ...item }: FirstItem,
  { by, prompt }: { readonly by: Actor; readonly prompt: string | null },
  runtime: Runtime,
): void {
  const next = { ...item, prompt: keepPrompt(open.blobs, text) };
  const frame = itemFrame(open.loop().frame, next);
  open.write({ type: 'pushed', at: runtime.now(), by, prompt, frame });
}

function listNow(items: Items, project: string, { runner, stopped }: Runtime): Promise<ItemList> {
  const signal = stopped ?? new AbortController().signal;
  return withScratch('items', (folder) =>
    readItems(items, { project, runner, signal, output: filesIn(folder) }),
  );
}
