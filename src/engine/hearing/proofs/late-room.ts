/** What a stop leaves to be looked at later, perhaps by another process. */
import { checkProof, type CheckProof } from '#law/record/verdict.ts';
import { list, readAs, record, text } from '#base/shape.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { markTree } from './mark-tree.ts';

/** The message of the last stop after which a proof is looked at again without the agent. */
export const AWAITING = 'awaiting.txt';

/**
 * The checks that passed at a stop without time for the clean room, and the content of the work tree then.
 */
const LATE = 'late-room.json';
const lateRoom = record({ tree: text, proofs: list(checkProof) });

export async function keepLate(
  open: OpenLoop,
  { proofs, message }: { readonly proofs: readonly CheckProof[]; readonly message: string },
  runtime: Runtime,
): Promise<void> {
  const { tree } = await markTree(open, runtime);
  open.blobs.write(AWAITING, message);
  if (tree !== null) open.blobs.write(LATE, JSON.stringify({ tree, proofs }));
}

/**
 * The next look uses them, so the room has all of its time. Null: there are none, or the files have changed.
 */
export async function readLate(open: OpenLoop, runtime: Runtime): Promise<CheckProof[] | null> {
  const kept = readAs(lateRoom, () => open.blobs.read(LATE));
  if (kept === null) return null;
  open.blobs.remove(LATE);
  const { tree } = await markTree(open, runtime);
  return tree === kept.tree ? [...kept.proofs] : null;
}
