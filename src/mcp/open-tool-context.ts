/** The context of a server process: the store on disk, the clock, and the session in its environment. */
import { dirname, join } from 'node:path';
import { sessionOfServer } from '../hosts/registry.ts';
import { processRuntime } from '../sinks/process-runtime.ts';
import { askData } from '../stop-hooks/ask-data.ts';
import { watchLoops } from './changes.ts';
import type { ToolContext } from './tool-context.ts';
import { errorMessage } from '../core/thrown.ts';

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
  // The sender lies beside the supervisor.
  const sender = join(dirname(runner), 'sender.cjs');
  const runtime = processRuntime({ env, runner, sender, askData });
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
