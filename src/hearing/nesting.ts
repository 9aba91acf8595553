/** Frames in frames, at a stop. A file of its own in the plugin: the stops of a plain loop do not pay for it. */
import { around, itemsWanted, type ItemsSeen, type ItemsWanted } from '../core/nesting.ts';
import type { Verdict } from '../core/verdict.ts';
import { itemPrompt, nextOf } from '../lists/items.ts';
import type { Loop } from '../core/loop.ts';
import type { Proofs, Stop } from '../core/stop.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { keepPrompt, readPromptText } from '../store/file/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { readItems } from '../proofs/items.ts';
import { lookAtLists } from '../guard/removed-items.ts';
import { lookAtFiles } from './prove.ts';
import { whileAlive } from '../process/abort-with-parent.ts';
import type { World } from '../store/runtime.ts';

/**
 * What a verdict on the frame at work means for the frames around it, with the items that this needs. Null: this process
 * was told to end meanwhile; the stop is closed as lost, and spends nothing.
 */
export async function settleFrames(
  open: OpenLoop,
  stop: Stop,
  verdict: Verdict,
  proofs: Proofs,
  n: number,
  world: World,
): Promise<Verdict | null> {
  lookAtLists(open, world);
  const loop = open.loop();
  const wanted = itemsWanted(loop, verdict);
  if (wanted === null) return around(loop, stop, verdict, null);
  const vigil = whileAlive(loop.owner?.process ?? null, world);
  const seen = await lookAtItems(open, loop, wanted, proofs, n, vigil.signal, world);
  vigil.end();
  const why = vigil.why();
  if (why === null) return around(loop, stop, verdict, seen);
  open.write({ type: 'lost', at: world.now(), n, why });
  open.keep();
  return null;
}

async function lookAtItems(
  open: OpenLoop,
  { id: loopId, project }: Loop,
  { frame, handled }: ItemsWanted,
  proofs: Proofs,
  n: number,
  signal: AbortSignal,
  world: World,
): Promise<ItemsSeen | null> {
  if (frame.items === null) return null;
  const output = () => keepEvidence(open.dir, `stop-${n}-items.txt`, '');
  const list = await readItems(frame.items, { project, runner: world.runner, signal, output });
  world.log(`loop=${loopId} stop=${n} items=${list.ok ? list.items.length : JSON.stringify(list.why)}`);
  if (!list.ok) return { is: 'unreadable', why: list.why };
  const next = nextOf(list.items, handled);
  if (next === null) {
    // Protected files are the whole loop's: what was seen of them at this stop counts for the list as well.
    const whole = proofs.sights.filter(({ gate }) => gate === 'protected');
    return { is: 'none', sights: [...whole, ...lookAtFiles(frame, project).sights] };
  }
  const { item, n: nth, of } = next;
  const prompt = itemPrompt(readPromptText(open.dir, frame.prompt), item, nth, of);
  return {
    is: 'next',
    item: { id: item.id, title: item.title, n: nth, of, prompt: keepPrompt(open.dir, prompt) },
  };
}
