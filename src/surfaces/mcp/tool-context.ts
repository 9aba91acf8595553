/**
 * What every tool works with: the store, the clock, the session that started this server, and who hears of
 * changes.
 */
import { dirname, join } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { errorMessage } from '#base/shape.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import { sessionOfServer } from '#hosts/tables/registry.ts';
import { consumeSign } from '#engine/look/tool-session.ts';
import { processRuntime } from '#engine/process-runtime.ts';
import { askData } from '../stop-hooks/ask-data.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { ClientCall, RunCall } from '../tasks/task.ts';
import type { Judge } from '#telling/agent/to-agent.ts';

/** `speech`: the call that is answered, as our hook saw it. */
export type ToolContext = ReturnType<typeof openToolContext> & { readonly speech?: string };

export interface Program {
  readonly runner: string;
  readonly version: string;
  /** Whether it belongs to the session that started it. One that serves several clients belongs to none. */
  readonly bound: boolean;
}

export function openToolContext({ runner, version, bound }: Program) {
  const { env } = process;
  const session = () => (bound ? sessionOfServer(env, process.ppid) : null);
  const runtime = processRuntime({ env, runner, sender: join(dirname(runner), 'sender.cjs'), askData });
  return {
    runtime,
    /**
     * The session that the host of this server has now; null: nobody said, so tasks are served by id alone.
     * It changes when the session is cleared, so read it at each call.
     */
    get session() {
      return session();
    },
    project: session()?.project ?? process.cwd(),
    version,
    changes: watchLoops(runtime),
  };
}

/** For errors that no client can be told. Stdout carries the protocol and nothing else. */
export function complain(error: unknown): void {
  process.stderr.write(`dacapo mcp: ${errorMessage(error)}\n`);
}

/** The session has the loop if our hook is there to hold its agent. Otherwise this server has it. */
export function holderForCall({ session, runtime }: ToolContext, judge: Judge) {
  const isHeld = session !== null && consumeSign(session.session, runtime);
  return {
    host: session?.host ?? chosenNames().name,
    session: session?.session ?? null,
    mcp: isHeld ? { process: session.process, judge: null } : { process: runtime.process, judge },
  };
}

export function asCall(run: string, call: ClientCall, { session }: ToolContext): RunCall {
  return { ...call, run, session: session?.session ?? null };
}

/** Each costs a look at a file twice a second where the system has no watches. */
const MAX_LOOPS_WATCHED = 50;

interface ChangeListener {
  readonly changed: (loop: string) => void;
  readonly listed: () => void;
}

/**
 * Tells clients that a loop has changed. It watches the loops that were read, listed or begun through this
 * server.
 */
function watchLoops({ store }: Runtime) {
  const watched = new Map<string, () => void>();
  const listeners = new Set<ChangeListener>();
  let isOver = false;

  const grown = (id: string, open: OpenLoop) => {
    for (const { changed } of listeners) changed(id);
    if (hasEnded(open.look())) drop(id);
  };
  const drop = (id: string) => {
    watched.get(id)?.();
    watched.delete(id);
  };
  const watch = (id: string) => {
    // A call may outlive its client. A watch that it begins would keep the process alive forever.
    if (isOver || watched.has(id)) return;
    const open = store.open(id);
    if (open === null) return;
    const [oldest] = watched.size < MAX_LOOPS_WATCHED ? [] : watched.keys();
    if (oldest !== undefined) drop(oldest);
    const unwatch = open.journal.watch(() => grown(id, open));
    watched.set(id, () => {
      unwatch();
      open.close();
    });
  };
  return {
    watch,
    begun: (id: string) => {
      watch(id);
      for (const { listed } of listeners) listed();
    },
    listen: (listener: ChangeListener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end: () => {
      isOver = true;
      [...watched.keys()].forEach(drop);
    },
  };
}
