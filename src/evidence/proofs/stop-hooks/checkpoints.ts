/** Data that stop hooks asked us to keep, so that the work can be resumed from there. */
import * as s from '#base/shape.ts';
import type { Blobs } from '#store/open-loop.ts';

const checkpoint = s.record({ iteration: s.positive, hook: s.text, at: s.instant, data: s.isRecord });
export type Checkpoint = s.Infer<typeof checkpoint>;

const FOLDER = 'checkpoints/';
const MAX_HOOK_NAME_CHARS = 60;

/** A later checkpoint of the same hook in the same iteration replaces the earlier one. Returns its name. */
export function keepCheckpoint(blobs: Blobs, kept: Checkpoint): string {
  const safe = kept.hook.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, MAX_HOOK_NAME_CHARS);
  const file = `${kept.iteration}-${safe}.json`;
  blobs.write(`${FOLDER}${file}`, `${JSON.stringify(kept, null, 2)}\n`, { durable: true });
  return file;
}

export function phaseOf(data: Checkpoint['data']): string | null {
  return s.textOrNull(data['executionPhase']);
}

/** The oldest comes first. Unreadable ones are left out. */
export function readCheckpoints(blobs: Blobs): (Checkpoint & { readonly file: string })[] {
  return blobs
    .list(FOLDER)
    .flatMap((name) => {
      const kept = name.endsWith('.json') ? s.parseAs(checkpoint, blobs.read(name)) : null;
      return kept === null ? [] : [{ ...kept, file: name.slice(FOLDER.length) }];
    })
    .sort((a, b) => a.iteration - b.iteration || Date.parse(a.at) - Date.parse(b.at));
}
