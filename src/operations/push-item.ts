/** The frame of an item, inside the one at work. */
import type { By } from '../core/events.ts';
import { itemFrame } from '../core/frames.ts';
import type { FirstItem } from '../lists/items.ts';
import { topFrame } from '../core/loop.ts';
import { keepPrompt } from '../store/file/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { World } from '../store/runtime.ts';

/** `prompt`: the one of the session that brings it before the agent; null: whatever carries the loop on does. */
export function pushItem(
  open: OpenLoop,
  { text, ...item }: FirstItem,
  by: By,
  prompt: string | null,
  world: World,
): void {
  const next = { ...item, prompt: keepPrompt(open.dir, text) };
  open.write({ type: 'pushed', at: world.now(), by, prompt, frame: itemFrame(topFrame(open.loop()), next) });
}
