/** The loops of a fleet, for the verbs of `steer/`, and `dacapo fleet drain`. */
import { refuse } from '#base/refusal.ts';
import { applyInFleet, loopOfRequest } from '#fleet/actions.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import { inFleet } from '#telling/audience.ts';
import type { Database } from '#fleet/database/database.ts';
import { notifyFleet as tellFleet } from '#fleet/database/words.ts';
import { readFleetLoop } from '#fleet/record.ts';
import { cliSink } from '../context.ts';
import { EXIT, fail, failFor, reply } from '../terminal/terminal.ts';
import type { GivenFlags } from '../command.ts';
import { runAnswer, type ActionRecord } from '../steer/verbs.ts';
import { withFleet, withFleetLoop, type FleetOptions } from './fleet.ts';

/** The loops of a fleet, for the verbs. An id has to be given: no project tells which loop is meant. */
export function fleetRecord({ database: url }: Pick<FleetOptions, 'database'>): ActionRecord {
  return {
    audience: inFleet,
    isLoop: () => true,
    onlyRequest: () =>
      refuse('no-request', 'The id of the request is missing.', 'dacapo fleet list shows them.'),
    act: (id, action, json) => {
      if (action.is !== 'answer')
        return withFleetLoop({ id: id ?? '', database: url }, (loop, database) =>
          applyAndTell(database, loop, action, json),
        );
      return withFleet({ database: url }, async (database) => {
        const found = await loopOfRequest(database, action.request);
        return found.ok ? applyAndTell(database, found.id, action, json) : failFor(found);
      });
    },
  };
}

async function applyAndTell(
  database: Database,
  id: string,
  action: LoopAction,
  json: boolean,
): Promise<number> {
  const acted = await applyInFleet(database, id, action, cliSink());
  if (!acted.ok) return failFor(acted);
  const loop = await readFleetLoop(database, acted.id);
  const stands = acted.later ? 'gets that before its next iteration' : `is ${loop?.status}: ${loop?.reason}`;
  return reply(json, loop, `Da Capo: loop ${acted.id} ${stands}.`);
}

type AnswerFlags = FleetOptions &
  GivenFlags<'approve' | 'reject', 'text' | 'note'> & { readonly request: string };

export async function runFleetAnswer(options: AnswerFlags): Promise<number> {
  const { request, approve, reject, text, note = '' } = options;
  if (Number(approve) + Number(reject) + Number(text !== undefined) !== 1)
    return fail(
      'the answer is missing, or given twice.',
      'give one of --approve, --reject and the text of the answer.',
      EXIT.usage,
    );
  const answer = approve ? 'approved' : reject ? 'rejected' : 'text';
  return runAnswer({ id: request, answer, note: text ?? note, json: options.json }, fleetRecord(options));
}

export function runDrain({
  worker,
  ...options
}: FleetOptions & { readonly worker: string }): Promise<number> {
  return withFleet(options, (database) =>
    database.transaction(async (sql) => {
      const draining = 'update dacapo.worker set draining = true where name = $1 returning name';
      if ((await sql.query(draining, [worker])).length === 0)
        return fail(`the fleet has no worker ${worker}.`, 'dacapo fleet status shows them.');
      await tellFleet(sql, { is: 'drain', worker });
      const drains = `Da Capo: worker ${worker} takes no more loops and exits after its current iterations.`;
      return reply(options.json, { worker, draining: true }, drains);
    }),
  );
}
