/** The first work item of a loop, or of an inner frame, that is yet to be made. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartRequest } from '../core/arguments.ts';
import { itemPrompt, itemsAsked, nextOf, type FirstItem } from '../core/items.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { readItems } from '../proofs/items.ts';
import type { World } from './world.ts';

/** Null: no items are asked for. An empty list is refused: there is nothing to do. */
export async function firstItem(
  request: StartRequest,
  project: string,
  world: World,
): Promise<{ readonly ok: true; readonly item: FirstItem | null } | Refusal> {
  const items = itemsAsked(request);
  if (items === null) return { ok: true, item: null };
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-items-'));
  try {
    let files = 0;
    const output = () => {
      const path = join(folder, String(++files));
      writeFileSync(path, '');
      return path;
    };
    const { signal } = new AbortController();
    const list = await readItems(items, { project, runner: world.runner, signal, output });
    if (!list.ok) return refuse('bad-items', `${list.why}.`, 'Mend the list, then start the loop.');
    const next = nextOf(list.items, []);
    if (next === null)
      return refuse('no-items', 'The list of items holds none that is open.', 'Nothing was started.');
    const { item, n, of } = next;
    return {
      ok: true,
      item: { id: item.id, title: item.title, n, of, text: itemPrompt(request.prompt, item, n, of) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
