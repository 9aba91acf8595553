/** What the person does to a loop. Each says what came of it, and refuses a second click meanwhile. */
import { signal } from '@preact/signals';
import { loopPath, post } from './api.ts';
import { putCards } from './state.ts';
import { tell, tellError } from '../parts/toasts.tsx';
import type { Done } from '../../wire.ts';

/** The paths of actions under way. */
const busy = signal<ReadonlySet<string>>(new Set());

export function isBusy(path: string): boolean {
  return busy.value.has(path);
}

export async function act(path: string, body: object = {}): Promise<Done | null> {
  if (isBusy(path)) return null;
  busy.value = new Set([...busy.value, path]);
  try {
    const done = await post<Done>(path, body);
    if (done.card !== null) putCards([done.card], []);
    tell(done.says);
    return done;
  } catch (error) {
    tellError(error);
    return null;
  } finally {
    busy.value = new Set([...busy.value].filter((one) => one !== path));
  }
}

export function actOn(
  id: string,
  what: 'pause' | 'resume' | 'cancel' | 'steer',
  body: object = {},
): Promise<Done | null> {
  return act(loopPath(id, `/${what}`), body);
}
