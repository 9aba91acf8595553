/** `hooks.json`: declared stop hooks of this user's own, for a project or for one loop. The registry knows what they mean. */
import { readFileSync } from 'node:fs';
import { flag, isRecord, list, record, text, type Infer } from '../../core/shape.ts';
import type { Home } from './home.ts';
import { replaceFile } from './atomic.ts';

/** `taskId`: the project's folder, or the loop's id. */
const savedHook = record({ id: text, taskId: text, enabled: flag, metadata: isRecord, spec: isRecord });
export type StoredHook = Infer<typeof savedHook>;

const savedHooks = list(savedHook);

export type StoredHooks =
  | { readonly ok: true; readonly hooks: readonly StoredHook[] }
  | { readonly ok: false; readonly why: string };

/** A hook that can't be read must not be passed over in silence: it may be a guard. */
export function readStoredHooks(home: Home): StoredHooks {
  let content: string;
  try {
    content = readFileSync(home.hooks, 'utf8');
  } catch {
    return { ok: true, hooks: [] };
  }
  try {
    const value: unknown = JSON.parse(content);
    if (savedHooks(value)) return { ok: true, hooks: value };
  } catch {
    // Falls through: half a file is no list either.
  }
  return { ok: false, why: `${home.hooks} is no list of stop hooks` };
}

export function storeHooks(home: Home, hooks: readonly StoredHook[]): void {
  replaceFile(home.hooks, `${JSON.stringify(hooks, null, 2)}\n`);
}
