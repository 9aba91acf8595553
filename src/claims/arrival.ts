/** What an agent said by a tool, as the stop that it stands for. */
import type { Loop } from '../core/loop.ts';
import type { StopArrival } from '../hosts/arrival.ts';
import { markOf } from '../hearing/take-proofs.ts';
import { isToolDriven, senderFor } from '../operations/agent/tool-session.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** It belongs to the chain that is under way, in the session that owns the loop, so it is never stale. */
export function arrivalOf(loop: Loop, message: string, toolUsed: boolean): StopArrival {
  const { project, host } = loop;
  const { owner, chain } = loop.session;
  return {
    is: 'stop',
    from: senderFor(owner?.session ?? '', project, host, chain),
    message,
    background: [],
    cap: null,
    attended: false,
    continuedByHook: true,
    look: ({ offset }) => ({ queue: { offset, waiting: 0 }, taken: false, toolUsed }),
  };
}

/**
 * A host shows the tool calls of its agent at the stop. In a loop that a program drives we see none, and the call that
 * brought us here is not work, so the work tree has to show it. A mark takes time: we take it only if the stop could open
 * the circuit. If the gates hold, the hearing takes one itself.
 */
export async function showsWork(open: OpenLoop, runtime: Runtime): Promise<boolean> {
  const loop = open.loop();
  const { begunTree, worked } = loop;
  if (begunTree === null || worked || !isToolDriven(loop)) return true;
  return mayOpenCircuit(loop) && (await markOf(open, runtime)).tree !== begunTree;
}

function mayOpenCircuit({ limits: { stalls }, circuit }: Loop): boolean {
  return stalls !== null && circuit.times + 1 >= (circuit.half ? 2 : stalls);
}
