/** A store whose changes are told to people: for every process but the hook, which has its own sinks. */
import type { Runtime } from '../store/runtime.ts';
import type { Store } from '../store/store.ts';
import { notifySink } from './notify.ts';
import { tellingStore } from './telling.ts';

/** `world`: called when there is something to tell. `sender`: the bundled program. */
export function notifyingStore(store: Store, world: () => Runtime, sender: string): Store {
  return tellingStore(store, () => [notifySink(world(), sender)]);
}
