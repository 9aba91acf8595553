/** `dacapo fleet cancel`, `pause`, `resume`, `answer`, `steer`, `amend` and `drain`. */
import { act, loopOfRequest } from '#fleet/hand.ts';
import type { Act } from '#engine/steer/hand.ts';
import type { Database } from '#fleet/database.ts';
import { say as tellFleet } from '#fleet/words.ts';
import { readLoop } from '#fleet/record.ts';
import { amendmentIn, limitsIn } from '#engine/steer/amend.ts';
import { cliSink } from '../context.ts';
import { EXIT, fail, failFor, reply } from '../terminal/terminal.ts';
import type { Given } from '../command.ts';
import { withFleet, withLoop, type FleetOptions, type FleetLoopOptions } from './fleet.ts';

export function runAct(done: Act, options: FleetLoopOptions): Promise<number> {
  return withLoop(options, (id, database) => perform(database, id, done, options));
}

async function perform(database: Database, id: string, done: Act, { json }: FleetOptions): Promise<number> {
  const acted = await act(database, id, done, cliSink());
  if (!acted.ok) return failFor(acted);
  const loop = await readLoop(database, acted.id);
  const stands = acted.later ? 'gets that before its next iteration' : `is ${loop?.status}: ${loop?.reason}`;
  return reply(json, loop, `Da Capo: loop ${acted.id} ${stands}.`);
}

export function runResume(options: FleetLoopOptions & Parameters<typeof limitsIn>[0]): Promise<number> {
  return runAct({ is: 'resume', limits: limitsIn(options) }, options);
}

export function runAmend(options: FleetLoopOptions & Parameters<typeof amendmentIn>[0]): Promise<number> {
  return runAct({ is: 'amend', ...amendmentIn(options) }, options);
}

export function runSteer({
  words,
  ...options
}: FleetLoopOptions & { readonly words: string }): Promise<number> {
  return runAct({ is: 'steer', words }, options);
}

type AnswerFlags = FleetOptions & Given<'approve' | 'reject', 'text' | 'note'> & { readonly request: string };

export async function runAnswer(options: AnswerFlags): Promise<number> {
  const { request, approve, reject, text, note = '' } = options;
  if (Number(approve) + Number(reject) + Number(text !== undefined) !== 1)
    return fail(
      'the answer is missing, or given twice.',
      'give one of --approve, --reject and the text of the answer.',
      EXIT.usage,
    );
  const answer = approve ? 'approved' : reject ? 'rejected' : 'text';
  return withFleet(options, async (database) => {
    const found = await loopOfRequest(database, request);
    if (!found.ok) return failFor(found);
    return perform(database, found.id, { is: 'answer', request, answer, note: text ?? note }, options);
  });
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
