/** Wraps a store and tells its sinks what is written through it. Every stop loads this file; few have news. */
import { isNotable } from '../core/notices.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Store } from '../store/store.ts';
import { tellSinks, type Sink } from './sink.ts';

export function tellingStore(store: Store, sinks: () => readonly Sink[]): Store {
  const telling = (open: OpenLoop): OpenLoop => ({
    ...open,
    write: (event) => {
      const before = open.loop();
      const after = open.write(event);
      if (isNotable(before, after)) tellSinks(sinks(), before, after, event);
      return after;
    },
  });
  const own: Pick<Store, 'open' | 'make'> = {
    open: (id) => {
      const open = store.open(id);
      return open && telling(open);
    },
    make: (created, prepare) => {
      const made = store.make(created, prepare);
      if (made === 'taken') return made;
      tellSinks(sinks(), null, made.loop(), created);
      return telling(made);
    },
  };
  // Not spread, because a store may load its parts on first use.
  return Object.assign(Object.create(store) as Store, own);
}
