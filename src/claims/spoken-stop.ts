/** What an agent said by a tool, as the stop that it stands for, and how that stop would be judged. */
import type { Declared, Loop } from '../core/loop.ts';
import { prove } from '../hearing/prove.ts';
import { verdictEvent, judgeStop } from '../hearing/stop.ts';
import { markOf } from '../hearing/take-proofs.ts';
import type { StopArrival } from '../hosts/arrival.ts';
import { isToolDriven, senderFor } from '../operations/agent/tool-session.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { rehearse } from '../store/rehearsal.ts';
import type { Runtime } from '../store/runtime.ts';
import { judgement, type Judgement } from './judgement.ts';

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
  const { limits, circuit } = loop;
  const mayOpen = limits.stalls !== null && circuit.times + 1 >= (circuit.half ? 2 : limits.stalls);
  return mayOpen && (await markOf(open, runtime)).tree !== begunTree;
}

/** The one sequence on a loop that forgets what is written. Null: it was broken off. */
export async function rehearseStop(
  open: OpenLoop,
  message: string,
  declared: Declared | null,
  runtime: Runtime,
): Promise<Judgement | null> {
  const { open: trial, end } = rehearse(open);
  try {
    const before = trial.loop();
    // A stop that is being heard right now would keep ours from being folded.
    if (before.open !== null) trial.write({ type: 'lost', at: runtime.now(), n: before.open.n, why: 'died' });
    if (declared !== null) trial.write({ type: 'said', at: runtime.now(), ...declared });
    const arrival = arrivalOf(before, message, await showsWork(trial, runtime));
    const n = before.stops + 1;
    const { session, prompt } = arrival.from;
    const claim = { session, prompt, words: '', process: runtime.process, started: runtime.started };
    trial.write({ type: 'stop', at: runtime.now(), n, ...claim, latch: false });
    const hearing = { open: trial, n, arrival, runtime, isRehearsal: true };
    const proven = await prove(hearing);
    const ruling = proven && (await judgeStop(hearing, proven.facts));
    if (proven === null || ruling === null) return null;
    // A rehearsal sends no request to a person.
    trial.write(verdictEvent(n, proven.facts, ruling.verdict, runtime.now()));
    return judgement(before, trial.loop(), 'no', runtime.now());
  } finally {
    end();
  }
}
