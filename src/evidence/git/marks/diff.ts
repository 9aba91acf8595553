/** What has changed in a work tree since a mark, as text. */
import { readable, saidBy } from '../git.ts';
import { operands } from '../words.ts';
import { snapshotFor, type LoopTree } from './snapshot.ts';

const PLAIN = ['diff', '--no-color', '--no-renames'] as const;

/**
 * Marks hold no contents. This stores those of now beside them, so that a later diff can show what they were.
 */
export async function keepContents(place: LoopTree): Promise<void> {
  await snapshotFor(place, async () => null);
}

/** Null: it can't be told. */
export async function diffSince(place: LoopTree, since: string): Promise<string | null> {
  const shown = await snapshotFor(place, async ({ ask }, { tree }) => {
    const diff = async (...flags: '--name-status'[]) =>
      saidBy(await ask([...PLAIN, ...flags, ...operands(since, tree)]));
    // A content that was not kept at the start can't be shown, but the name of its file can.
    return (await diff()) ?? (await diff('--name-status'));
  });
  return typeof shown === 'string' ? readable(shown) : null;
}
