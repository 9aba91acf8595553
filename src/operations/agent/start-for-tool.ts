/** Starts a loop for a program or a tool: in the session of a host, whose stop hook then holds the agent to it, or in none. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { NO_GATES, type OwnGates } from '../../proofs/stop-hooks/own-gates.ts';
import { isId } from '../../core/shape.ts';
import type { Runtime } from '../../store/runtime.ts';
import { startBrief, type Judge } from '../../text/agent/to-agent.ts';
import { report, type Report } from '../../text/report.ts';
import { sayWarnings } from '../../text/to-person.ts';
import { taskOf } from '../../store/prompts.ts';
import { start, startedOnce } from '../begin/start.ts';
import { actorOf } from '../trust/people-only.ts';
import { senderFor, toolSession } from './tool-session.ts';

export interface ToolStart {
  readonly request: StartRequest;
  readonly project: string;
  /** The name of the host that the loop belongs to. */
  readonly host: string;
  /** The session of that host; null: the caller says when a pass ends. */
  readonly session: string | null;
  /** Set if the agent itself starts it, over MCP. */
  readonly mcp?: McpStart | undefined;
  /** Stop hooks and rules of this loop alone. */
  readonly own?: OwnGates;
}

export interface McpStart {
  /** The process that has the loop, of the host or of the server. Once it is gone, nobody works on the loop. */
  readonly process: number | null;
  /** No hook holds the agent, and it calls this tool to be judged; null: the hook of the session holds it. */
  readonly judge: Judge | null;
}

const NOT_HELD =
  'No hook of Da Capo is in this client, so nothing holds the agent when it stops: its calls are judged instead. dacapo init or the plugin registers the hook, for sessions that begin after that.';

export interface ToolStarted {
  readonly ok: true;
  readonly loop: Report;
  /** What to tell the agent: the task, and how it ends. */
  readonly brief: string;
  /** What a person should know of the definition. */
  readonly warnings: readonly string[];
}

export async function startForTool(
  { request, project, host, session, own = NO_GATES, mcp }: ToolStart,
  runtime: Runtime,
): Promise<ToolStarted | Refusal> {
  if (request.driver === 'fresh' || request.nest)
    return refuse(
      'bad-mode',
      'A loop with --mode fresh or --nest is not started here.',
      'Run it with dacapo run, or push a frame onto a loop that runs.',
    );
  if (session !== null && !isId(session))
    return refuse(
      'no-session-id',
      `${JSON.stringify(session)} is not a session id.`,
      'Give the id that the host has.',
    );
  const judge = mcp?.judge ?? null;
  const isHeld = session !== null && judge === null;
  const from = senderFor(isHeld ? session : toolSession(session), project, host, null, mcp?.process);
  const actor = mcp ? 'mcp' : actorOf(runtime.env);
  const owns = mcp ? 'mcp' : 'command';
  // Without a session nobody looks for a state file in the project.
  const order = { request, project, host, actor, from, owns, view: isHeld, own } as const;
  const started = startedOnce(await start(order, runtime));
  if (started.is === 'refused') return refuse(started.code, started.message, started.next);
  const { open } = started;
  try {
    const loop = open.loop();
    return {
      ok: true,
      loop: report(loop, runtime.now()),
      brief: startBrief(loop, taskOf(open, loop, from.limits.text), judge),
      warnings: [...(judge === null ? [] : [NOT_HELD]), ...sayWarnings(loop)],
    };
  } finally {
    open.close();
  }
}
