/** The Runtime of a process that is not the hook: its loops are files, and it tells people what happens to them. */
import { isAlive, type Runtime } from '../store/runtime.ts';
import { findHome, logTo } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import { notifySink } from './notify.ts';
import type { Sink } from './sink.ts';
import { tellingStore } from './telling.ts';

/** What differs between such processes. `sender`: the bundled program that notifies. */
export interface ProcessRuntime extends Pick<Runtime, 'env' | 'runner' | 'onViewError' | 'askData'> {
  readonly sender: string;
}

export function processRuntime({ sender, ...given }: ProcessRuntime): Runtime {
  const home = findHome(given.env, process.platform);
  const now = () => new Date().toISOString();
  const runtime: Runtime = {
    ...given,
    store: tellingStore(fileStore(home), () => [userSink(runtime, sender)]),
    now,
    isAlive,
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    // The log belongs to the hook. Other processes report errors to whoever called them.
    log: () => undefined,
  };
  return runtime;
}

/** Tells the people that this user's config and a loop name. */
export function userSink(runtime: Runtime, sender: string): Sink {
  const { log } = findHome(runtime.env, process.platform);
  return notifySink({ ...runtime, log: logTo(log, runtime.now) }, sender);
}
