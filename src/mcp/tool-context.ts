/** What every tool works with: the store, the clock, and the session that started this server. */
import { dirname, join } from 'node:path';
import { errorMessage } from '../core/shape.ts';
import type { Sender } from '../hosts/arrival.ts';
import { chosenNames } from '../hosts/names.ts';
import { sessionOfServer } from '../hosts/registry.ts';
import { takeSign } from '../operations/agent/tool-session.ts';
import { processRuntime } from '../sinks/process-runtime.ts';
import { askData } from '../stop-hooks/ask-data.ts';
import type { Runtime } from '../store/runtime.ts';
import type { RunCall } from '../tasks/task.ts';
import type { Judge } from '../text/agent/to-agent.ts';
import { watchLoops, type LoopChanges } from './changes.ts';

export interface ToolContext {
  readonly runtime: Runtime;
  /**
   * The session that the host of this server has now; null: nobody said, so tasks are served by id alone. It changes when
   * the session is cleared, so read it at each call.
   */
  readonly session: Sender | null;
  readonly project: string;
  readonly version: string;
  readonly changes: LoopChanges;
}

export interface Program {
  /** The bundled supervisor of checks. */
  readonly runner: string;
  readonly version: string;
  /** Whether it belongs to the session that started it. One that serves several clients belongs to none. */
  readonly bound: boolean;
}

export function openToolContext({ runner, version, bound }: Program): ToolContext {
  const { env } = process;
  const session = () => (bound ? sessionOfServer(env, process.ppid) : null);
  const runtime = processRuntime({ env, runner, sender: join(dirname(runner), 'sender.cjs'), askData });
  return {
    runtime,
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

export interface Call {
  /** Aborted when the client takes its call back. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far a long proof is. */
  readonly progress: (message: string) => void;
  /** Calls back once the answer to this call has been sent. */
  readonly answered: (act: () => void) => void;
}

/**
 * Who has a loop that this call starts: the session, if our hook is there to hold its agent; otherwise this server, and the
 * agent calls `judge` to be judged.
 */
export function holderOf({ session, runtime }: ToolContext, judge: Judge) {
  const isHeld = session !== null && takeSign(session.session, runtime);
  return {
    host: session?.host ?? chosenNames().name,
    session: session?.session ?? null,
    mcp: isHeld ? { process: session.process, judge: null } : { process: runtime.process, judge },
  };
}

export function callingSession({ session }: ToolContext): string | null {
  return session?.session ?? null;
}

/** How a call of a tool is passed on to the room `tasks`. */
export function asCall(run: string, call: Call, context: ToolContext): RunCall {
  const { signal, answered } = call;
  return { run, session: callingSession(context), signal, progress: sayingProof(call), answered };
}

export function sayingProof({ progress }: Call) {
  return (what: string, how: string | null) => progress(how === null ? `running ${what}` : `${what}: ${how}`);
}
