/** `proving.json` of a loop: what a hearing is busy with right now, for whoever looks from outside. Gone when it is over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant, list, record, text, type Infer } from '../core/shape.ts';

const proving = record({ at: instant, what: list(text) });
export type Proving = Infer<typeof proving>;

const FILE = 'proving.json';

/** It only shows: a disk that is full must not void a hearing. */
export function keepProgress(dir: string, now: Proving | null): void {
  try {
    if (now === null) rmSync(join(dir, FILE), { force: true });
    else writeFileSync(join(dir, FILE), JSON.stringify(now), { mode: 0o600 });
  } catch {
    // Nobody waits for it.
  }
}

export function readProgress(dir: string): Proving | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dir, FILE), 'utf8'));
    return proving(value) ? value : null;
  } catch {
    return null;
  }
}
