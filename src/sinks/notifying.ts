/** A store whose changes are told to people: for every process but the hook, which has its own sinks. */
import type { Runtime } from '../store/runtime.ts';
import type { Store } from '../store/store.ts';
import { notifySink, type SenderProgram } from './notify.ts';
import { tellingStore } from './telling.ts';

/** `world`: called when there is something to tell. */
export function notifyingStore(store: Store, world: () => Runtime, sender: SenderProgram): Store {
  return tellingStore(store, () => [notifySink(world(), sender)]);
}
