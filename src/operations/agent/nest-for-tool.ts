/**
 * Pushes a task into the loop of a session because its agent asks for it. The passes of all frames together stay within the
 * limit of the outermost one: an agent can't nest its way around it.
 */
import { iterationsInAll, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { NO_LIMITS } from '../../hosts/arrival.ts';
import type { Runtime } from '../../store/runtime.ts';
import { startBrief, type Judge } from '../../text/agent/to-agent.ts';
import { report } from '../../text/report.ts';
import { title } from '../../text/to-person.ts';
import { taskOf } from '../../store/prompts.ts';
import { pushFrame } from '../begin/push.ts';
import { openOwn, type AgentOrder } from './own.ts';
import { isToolDriven } from './tool-session.ts';
import type { ToolStarted } from './start-for-tool.ts';

export interface NestOrder extends AgentOrder {
  readonly request: StartRequest;
  /** The most iterations, if the agent named a number. */
  readonly asked: number | undefined;
  /** The tool that the agent calls to be judged, if no hook holds it. */
  readonly judge: Judge;
}

export async function nestForTool(order: NestOrder, runtime: Runtime): Promise<ToolStarted | Refusal> {
  const opened = openOwn(order, runtime);
  if (!opened.ok) return opened;
  const { open } = opened;
  try {
    const left = passesLeft(open.loop());
    const refusal = refuseMore(open.loop(), order.asked, left);
    if (refusal !== null) return refusal;
    const most = order.request.maxIterations ?? Number.POSITIVE_INFINITY;
    const request = { ...order.request, maxIterations: Math.min(most, left) };
    const pushed = await pushFrame(open, { request, by: 'mcp', prompt: null }, runtime);
    if (!pushed.ok) return pushed;
    const { loop } = pushed;
    return {
      ok: true,
      loop: report(loop, runtime.now()),
      brief: startBrief(loop, taskOf(open, loop, NO_LIMITS.text), isToolDriven(loop) ? order.judge : null),
      warnings: [],
    };
  } finally {
    open.close();
  }
}

/** What the outermost frame has left after the passes of all frames. */
function passesLeft(loop: Loop): number {
  return (loop.frames[0].iterations ?? Number.POSITIVE_INFINITY) - iterationsInAll(loop);
}

function refuseMore(loop: Loop, asked: number | undefined, left: number): Refusal | null {
  if (left >= Math.max(1, asked ?? 1)) return null;
  return refuse(
    'past-limit',
    `Loop ${title(loop)} has ${Math.max(0, left)} iterations left, and an inner task can't have more.`,
    left < 1 ? 'Finish what is there.' : `Ask for at most ${left}.`,
  );
}
