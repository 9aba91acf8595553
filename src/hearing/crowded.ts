import type { Loop } from '../core/loop.ts';

/** A full context is told once, and once more when it has filled up again after a compaction. */
export function crowdedNews({ id, owner }: Loop): string {
  return `${owner?.session ?? ''} ${id} context`;
}
