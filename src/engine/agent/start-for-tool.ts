/** Starts a loop for a program or a tool, in the session of a host or in none, or pushes a task into one. */
import { refuse, type Refusal } from '#base/refusal.ts';
import type { StartRequest } from '#input/arguments.ts';
import { NO_GATES } from '#evidence/proofs/stop-hooks/own-gates.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { startBrief, type Judge } from '#telling/agent/to-agent.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';
import { sayWarnings } from '#telling/person/to-person.ts';
import { title } from '#telling/person/status.ts';
import { readTask } from '#store/prompts.ts';
import type { ToPrepare } from '../begin/prepare.ts';
import { start, startedOnce } from '../begin/start.ts';
import { actorOf } from '../trust/people-only.ts';
import {
  isToolDriven,
  openOwn,
  refuseNoId,
  senderFor,
  toolSession,
  type AgentOrder,
} from '../look/tool-session.ts';
import { outermostOf, iterationsInAll, type Loop } from '#law/loop.ts';
import { NO_LIMITS } from '#hosts/port/arrival.ts';
import { pushFrame } from '../begin/push.ts';
import { whileOpen } from '../look/loops.ts';

export interface ToolStart extends ToPrepare {
  /** The session of its host; null: the caller says when a pass ends. */
  readonly session: string | null;
  readonly mcp?: McpStart | undefined;
}

export interface McpStart {
  /**
   * The process that has the loop, of the host or of the server. Once it is gone, nobody works on the loop.
   */
  readonly process: number | null;
  /** No hook holds the agent, and it calls this tool to be judged; null: the hook of the session holds it. */
  readonly judge: Judge | null;
}

const NOT_HELD =
  'No hook of Da Capo is in this client, so nothing holds the agent when it stops: its calls are ' +
  'judged instead. dacapo init or the plugin registers the hook, for sessions that begin after that.';

export interface ToolStarted {
  readonly ok: true;
  readonly loop: LoopStatus;
  readonly brief: string;
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
  const unnamed = refuseNoId(session, 'Give the id that the host has.');
  if (unnamed !== null) return unnamed;
  const judge = mcp?.judge ?? null;
  const isHeld = session !== null && judge === null;
  const from = senderFor(isHeld ? session : toolSession(session), { project, host }, null, mcp?.process);
  const actor = mcp ? 'mcp' : actorOf(runtime.env);
  const owns = mcp ? 'mcp' : 'command';
  // Without a session nobody looks for a state file in the project.
  const order = { request, project, host, actor, from, owns, view: isHeld, own } as const;
  const started = startedOnce(await start(order, runtime));
  if (started.is === 'refused') return refuse(started.code, started.message, started.next);
  return whileOpen({ ok: true, open: started.open }, (open) => {
    const warnings = [...(judge === null ? [] : [NOT_HELD]), ...sayWarnings(open.loop())];
    return toldOf(open, judge, warnings, runtime);
  });
}

function toldOf(open: OpenLoop, judge: Judge | null, warnings: string[], runtime: Runtime): ToolStarted {
  const loop = open.loop();
  const brief = startBrief(loop, readTask(open, loop, NO_LIMITS.text), judge);
  return { ok: true, loop: statusOf(loop, runtime.now()), brief, warnings };
}

export interface ToolNest extends AgentOrder {
  readonly request: StartRequest;
  readonly asked: number | undefined;
  readonly judge: Judge;
}

/**
 * The passes of all frames together stay within the limit of the outermost one: an agent can't nest its way
 * around it.
 */
export async function nestForTool(order: ToolNest, runtime: Runtime): Promise<ToolStarted | Refusal> {
  return whileOpen(openOwn(order, runtime), async (open) => {
    const left = (outermostOf(open.loop()).iterations ?? Infinity) - iterationsInAll(open.loop());
    const refusal = refuseMore(open.loop(), order.asked, left);
    if (refusal !== null) return refusal;
    const maxIterations = Math.min(order.request.maxIterations ?? Infinity, left);
    const request = { ...order.request, maxIterations };
    const pushed = await pushFrame(open, { request, by: 'mcp', prompt: null }, runtime);
    if (!pushed.ok) return pushed;
    return toldOf(open, isToolDriven(pushed.loop) ? order.judge : null, [], runtime);
  });
}

function refuseMore(loop: Loop, asked: number | undefined, left: number): Refusal | null {
  if (left >= Math.max(1, asked ?? 1)) return null;
  const why =
    `Loop ${title(loop)} has ${Math.max(0, left)} iterations left, and an inner task can't ` + 'have more.';
  return refuse('past-limit', why, left < 1 ? 'Finish what is there.' : `Ask for at most ${left}.`);
}
