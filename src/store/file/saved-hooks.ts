/** `hooks.json`: declared stop hooks of this user's own. */
import { existsSync } from 'node:fs';
import { flag, isRecord, list, record, text, type Shape } from '../../core/shape.ts';
import type { SavedHooks, StoredHook } from '../store.ts';
import { replaceFile } from './atomic.ts';
import { readIfThere, type Home } from './home.ts';

const storedHooks: Shape<readonly StoredHook[]> = list(
  record({ id: text, taskId: text, enabled: flag, metadata: isRecord, spec: isRecord }),
);

export function fileHooks({ hooks: path }: Home): SavedHooks {
  return {
    any: () => existsSync(path),
    // A hook that can't be read must not be passed over in silence: it may be a guard.
    read: () => {
      const content = readIfThere(path);
      const hooks = content === null ? [] : parse(content);
      return hooks === null ? { ok: false, why: `${path} is no list of stop hooks` } : { ok: true, hooks };
    },
    write: (hooks) => replaceFile(path, `${JSON.stringify(hooks, null, 2)}\n`),
  };
}

function parse(content: string): readonly StoredHook[] | null {
  try {
    const value: unknown = JSON.parse(content);
    return storedHooks(value) ? value : null;
  } catch {
    return null;
  }
}
