/** What has changed in a work tree since a mark, as text. */
import { saidBy, readable } from '../git.ts';
import { openRepository, withStore } from '../repository.ts';
import { withSnapshot } from './snapshot.ts';

const SAFE = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];

/** Marks hold no contents. This stores those of now beside them, so that a later diff can show what they were. */
export async function keepContents(project: string, store: string): Promise<void> {
  const opened = await openRepository(project);
  if (opened.ok) await withSnapshot(withStore(opened, store), [], async () => null);
}

/** `ignored`: patterns of files that don't count. Null: it can't be told. */
export async function diffSince(
  project: string,
  since: string,
  store: string,
  ignored: readonly string[],
): Promise<string | null> {
  const opened = await openRepository(project);
  if (!opened.ok) return null;
  const repository = withStore(opened, store);
  const shown = await withSnapshot(repository, ignored, async ({ tree }) => {
    const ask = async (...flags: string[]) => saidBy(await repository.ask([...SAFE, ...flags, since, tree]));
    // A content that was not kept at the start can't be shown, but the name of its file can.
    return (await ask()) ?? (await ask('--name-status'));
  });
  return typeof shown === 'string' ? readable(shown) : null;
}
