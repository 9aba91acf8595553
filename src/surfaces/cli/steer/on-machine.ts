import type { CommandCall } from '../command.ts';
import type * as allVerbs from './verbs.ts';

type Verbs = typeof allVerbs;

/** A verb over the loops of this machine, loaded when it is called. */
export function onMachine<G>(
  verbOf: (verbs: Verbs) => (given: G, record: allVerbs.ActionRecord) => Promise<number>,
) {
  return async (given: G, { runtime }: CommandCall): Promise<number> => {
    const verbs = await import('./verbs.ts');
    return verbOf(verbs)(given, (await import('./machine-record.ts')).machineRecord(runtime));
  };
}
