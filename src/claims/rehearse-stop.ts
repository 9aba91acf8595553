/** How a stop would be judged: the steps of the one sequence on a loop that forgets what is written. */
import type { Declared } from '../core/loop.ts';
import { prove } from '../hearing/prove.ts';
import { verdictEvent, judgeStop } from '../hearing/stop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { rehearse } from '../store/rehearsal.ts';
import type { Runtime } from '../store/runtime.ts';
import { arrivalOf, showsWork } from './arrival.ts';
import { judgement, type Judgement } from './judgement.ts';

/** Null: it was broken off. `declared`: what the agent says besides its message. */
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
    const { process, started } = runtime;
    trial.write({
      type: 'stop',
      at: runtime.now(),
      n,
      session,
      prompt,
      words: '',
      process,
      started,
      latch: false,
    });
    const hearing = { open: trial, n, arrival, runtime };
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
