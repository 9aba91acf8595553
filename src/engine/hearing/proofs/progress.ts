/** Reports each proof to the log, to `dacapo status`, and to a driver that shows it. */
import type { ProofOutcome } from '#law/proof/outcome.ts';
import { sayProof } from '#law/words/check-outcomes.ts';
import { keepProgress } from '#evidence/proofs/proving.ts';
import type { Hearing } from '../claim.ts';

export type ProofProgress = ReturnType<typeof openProgress>;

export function openProgress({ open: { blobs, loop }, n, runtime }: Hearing) {
  const busy = new Set<string>();
  const { id } = loop();
  const show = () => keepProgress(blobs, busy.size === 0 ? null : { at: runtime.now(), what: [...busy] });
  return {
    begun: (what: string, log: string) => {
      busy.add(what);
      show();
      runtime.log(`loop=${id} stop=${n} ${log}`);
      runtime.proving?.(what, null);
    },
    ended: (what: string, outcome: ProofOutcome) => {
      busy.delete(what);
      show();
      const how = outcome.is === 'judged' ? outcome.says : sayProof(outcome);
      runtime.log(`loop=${id} stop=${n} ${what}: ${how.replaceAll('\n', ' ')}`);
      runtime.proving?.(what, outcome);
    },
    over: () => keepProgress(blobs, null),
  };
}
