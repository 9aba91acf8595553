/**
 * Reads the list of items that a ruling depends on. Only loops with inner frames or a list load this file.
 */
import type { ItemsSeen, ItemsWanted } from '#law/nesting.ts';
import type { Proofs } from '#law/stop.ts';
import { nextOf } from '#evidence/lists/items.ts';
import { whileAlive } from '#base/process/abort-with-parent.ts';
import { restoreEnvironment } from '#evidence/proofs/environment.ts';
import { readItems } from '#evidence/proofs/items.ts';
import { evidenceFile } from '#store/evidence.ts';
import { keepPrompt, readPromptText } from '#store/prompts.ts';
import type { Hearing } from './claim.ts';
import { lookAtFiles } from './proofs/look-around.ts';

/** Null: this process was told to end meanwhile. The stop is closed as lost and spends nothing. */
export async function readItemsFor(
  hearing: Hearing,
  wanted: ItemsWanted,
  proofs: Proofs,
): Promise<ItemsSeen | null> {
  const { open, n, runtime } = hearing;
  restoreEnvironment(open, runtime);
  const watch = whileAlive(open.loop().session.owner?.process ?? null, runtime);
  try {
    const seen = await lookAtItems(hearing, wanted, proofs, watch.signal);
    const why = watch.why();
    if (why === null) return seen;
    open.write({ type: 'lost', at: runtime.now(), n, why });
    open.keep();
    return null;
  } finally {
    watch.end();
  }
}

async function lookAtItems(
  { open, n, runtime }: Hearing,
  { frame, items, handled }: ItemsWanted,
  proofs: Proofs,
  signal: AbortSignal,
): Promise<ItemsSeen> {
  const loop = open.loop();
  const { id, project } = loop;
  const output = () => evidenceFile(open, `stop-${n}-items.txt`);
  const list = await readItems(items, { project, runner: runtime.runner, signal, output });
  runtime.log(`loop=${id} stop=${n} items=${list.ok ? list.items.length : JSON.stringify(list.why)}`);
  const isFile = items.from.is === 'file';
  if (!list.ok) return { is: 'unreadable', why: list.why, broken: isFile && list.broken === true };
  const next = nextOf(list.items, readPromptText(open.blobs, frame.prompt), handled);
  if (next === null) {
    // Protected files and measures belong to the whole loop, so what this stop saw of them counts for the
    // list as well.
    const whole = proofs.gateResults.filter(({ gate }) => gate === 'protected' || gate === 'measures');
    return { is: 'none', gateResults: [...whole, ...lookAtFiles(loop, frame).gateResults] };
  }
  const { text, ...item } = next;
  return { is: 'next', item: { ...item, prompt: keepPrompt(open.blobs, text) } };
}
