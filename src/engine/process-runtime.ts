/**
 * The Runtime of a process: its loops are files, and its store tells the sinks what is written through it.
 */
import { isNotable } from '#law/notices.ts';
import { isZombie } from '#base/process/descendants.ts';
import { findHome, logTo, type Home } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isAlive, type Runtime } from '#store/runtime.ts';
import type { Store } from '#store/store.ts';
import type { Sink } from './notices/sink.ts';
import { peopleSink, tellSinks } from './notices/tell-sinks.ts';

export function runtimeAt(
  home: Home,
  given: Omit<Runtime, 'store' | 'isAlive' | 'process' | 'started'> & Partial<Pick<Runtime, 'isAlive'>>,
  sinks: (runtime: Runtime) => readonly Sink[],
): Runtime {
  const runtime: Runtime = {
    isAlive,
    ...given,
    store: tellingStore(fileStore(home), () => sinks(runtime)),
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
  };
  return runtime;
}

type RuntimeParts = Pick<Runtime, 'env' | 'runner' | 'onViewError' | 'askData'>;

/** For a process that is not the hook. `sender`: the bundled program that notifies. */
export function processRuntime({ sender, ...given }: RuntimeParts & { readonly sender: string }): Runtime {
  const home = findHome(given.env, process.platform);
  const now = () => new Date().toISOString();
  // The log belongs to the hook. Other processes report errors to whoever called them.
  const own = { now, log: () => undefined, isAlive: (pid: number) => isAlive(pid) && !isZombie(pid) };
  return runtimeAt(home, { ...given, ...own }, (runtime) => [userSink(runtime, sender, home)]);
}

/** Tells the people that this user's config and a loop name. */
export function userSink(
  runtime: Runtime,
  sender: string,
  { log }: Pick<Home, 'log'> = findHome(runtime.env, process.platform),
): Sink {
  return peopleSink({ ...runtime, log: logTo(log, runtime.now) }, sender);
}

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
  const own: Pick<Store, 'open' | 'make' | 'visit'> = {
    open: (id) => {
      const open = store.open(id);
      return open && telling(open);
    },
    visit: (fits, visit) => store.visit(fits, (open) => visit(telling(open))),
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
