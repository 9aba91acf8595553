/** What happens in the demo, one event at a time. `--json` prints these, and the screen shows them. */
import type { Event } from '#law/record/events.ts';
import type { CheckProof, Verdict } from '#law/record/verdict.ts';
import type { StatusWord } from '#law/loop.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';

export type DemoEvent =
  | {
      readonly is: 'begun';
      /** The word that starts the host, or `scripted`. */
      readonly agent: string;
      readonly version: string | null;
      readonly project: string;
    }
  | { readonly is: 'typed'; readonly text: string }
  | { readonly is: 'started'; readonly loop: string; readonly text: string }
  | { readonly is: 'said'; readonly text: string }
  | { readonly is: 'used'; readonly tool: string; readonly file: string }
  | {
      readonly is: 'judged';
      readonly iteration: number;
      readonly verdict: Verdict;
      readonly proofs: readonly CheckProof[];
    }
  | { readonly is: 'ended'; readonly status: StatusWord; readonly text: string }
  | { readonly is: 'journal'; readonly file: string; readonly events: readonly Event[] };

export type Tell = (event: DemoEvent) => void;

/**
 * Watches the journal of the demo's one loop. Everything that Da Capo decided is reported from the journal
 * alone.
 */
export function watchJournal(dacapoHome: string, tell: Tell) {
  const store = fileStore(homeAt(dacapoHome));
  let told = 0;
  const read = <T>(act: (found: OpenLoop) => T): T | null => {
    const [only] = store.loops();
    const found = only === undefined ? null : store.open(only.id);
    if (found === null) return null;
    try {
      return act(found);
    } finally {
      found.close();
    }
  };
  const events = () => read(({ journal }) => journal.read(0).events) ?? [];
  const loop = () => read((found) => found.loop());
  return {
    look: () => {
      const [now, all] = [loop(), events()];
      if (now === null) return;
      // Report the loop only once its session has taken it up: before that it is still being made.
      if (told === 0 && (now.session.owner === null || now.session.awaited)) return;
      if (told === 0) tell({ is: 'started', loop: now.id, text: sayStarted(now) });
      let iteration = all.slice(0, told).filter(({ type }) => type === 'verdict').length;
      for (const event of all.slice(told)) {
        if (event.type !== 'verdict') continue;
        iteration++;
        tell({ is: 'judged', iteration, verdict: event.verdict, proofs: event.proofs });
      }
      told = all.length;
    },
    loop,
    events,
    file: () => read((found) => store.place(found.loop().id)),
  };
}
