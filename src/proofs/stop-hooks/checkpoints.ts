/** `checkpoints/<iteration>-<hook>.json` of a loop: what a stop hook wanted kept, so that the work can be resumed from there. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { instant, isRecord, positive, record, text, type Infer } from '../../core/shape.ts';
import { replaceFile } from '../../store/file/atomic.ts';

const checkpoint = record({ iteration: positive, hook: text, at: instant, data: isRecord });
export type Checkpoint = Infer<typeof checkpoint>;

const FOLDER = 'checkpoints';
const NAME = 60;

/** Of one hook in one iteration the last one stands. Returns the file's name. */
export function keepCheckpoint(dir: string, kept: Checkpoint): string {
  const safe = kept.hook.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, NAME);
  const file = `${kept.iteration}-${safe}.json`;
  replaceFile(join(dir, FOLDER, file), `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}

/** The oldest first. What can't be read is left out. */
export function readCheckpoints(dir: string): (Checkpoint & { readonly file: string })[] {
  return names(dir)
    .flatMap((file) => {
      const kept = read(join(dir, FOLDER, file));
      return kept === null ? [] : [{ ...kept, file }];
    })
    .sort((a, b) => a.iteration - b.iteration || Date.parse(a.at) - Date.parse(b.at));
}

function names(dir: string): string[] {
  try {
    return readdirSync(join(dir, FOLDER)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function read(path: string): Checkpoint | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return checkpoint(value) ? value : null;
  } catch {
    return null;
  }
}
