/**
 * The stop hooks of one loop, as data: registered for its task before it began. The loop keeps its own copy, so nobody can
 * take one away while it runs.
 */
import { flag, isRecord, list, record, text, type Infer } from '../../core/shape.ts';
import type { Blobs } from '../../store/blobs.ts';

const hooks = list(record({ id: text, taskId: text, enabled: flag, metadata: isRecord, spec: isRecord }));
export type OwnHooks = Infer<typeof hooks>;

const NAME = 'stop-hooks.json';

export function keepOwnHooks(blobs: Blobs, own: OwnHooks): void {
  if (own.length > 0) blobs.write(NAME, JSON.stringify(own), { durable: true });
}

/** Null: they can't be read, and a guard may be among them. */
export function readOwnHooks(blobs: Blobs): OwnHooks | null {
  const content = blobs.read(NAME);
  if (content === null) return [];
  try {
    const value: unknown = JSON.parse(content);
    return hooks(value) ? value : null;
  } catch {
    return null;
  }
}
