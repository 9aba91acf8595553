/** The desk of a server process: the store on disk, the clock, and the session in its environment. */
import { dirname, join } from 'node:path';
import { sessionOfServer } from '../hosts/registry.ts';
import { notifyingStore } from '../sinks/telling.ts';
import { askData } from '../stop-hooks/ask-data.ts';
import { findHome } from '../store/file/home.ts';
import { logTo } from '../store/file/log.ts';
import { fileStore } from '../store/file/store.ts';
import { isAlive, type Runtime } from '../store/runtime.ts';
import { watchLoops } from './changes.ts';
import type { Desk } from './desk.ts';
import { errorMessage } from '../core/thrown.ts';

export interface Program {
  /** The bundled supervisor of checks. */
  readonly runner: string;
  readonly version: string;
  /** Whether it belongs to the session that started it. One that serves several clients belongs to none. */
  readonly bound: boolean;
}

export function openDesk({ runner, version, bound }: Program): Desk {
  const { env } = process;
  const session = () => (bound ? sessionOfServer(env, process.ppid) : null);
  const home = findHome(env, process.platform);
  const now = () => new Date().toISOString();
  const world: Runtime = {
    // The sender lies beside the supervisor.
    store: notifyingStore(
      fileStore(home),
      () => ({ ...world, log: logTo(home.log, now) }),
      join(dirname(runner), 'sender.cjs'),
    ),
    now,
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    runner,
    isAlive,
    // The log belongs to the hook. Errors reach the client, and what can't goes to stderr.
    log: () => undefined,
    askData,
    env,
  };
  return {
    world,
    get session() {
      return session();
    },
    project: session()?.project ?? process.cwd(),
    version,
    changes: watchLoops(world),
  };
}

/** For errors that no client can be told. Stdout carries the protocol and nothing else. */
export function complain(error: unknown): void {
  process.stderr.write(`dacapo mcp: ${errorMessage(error)}\n`);
}
