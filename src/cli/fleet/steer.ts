/** `dacapo fleet cancel`, `pause`, `resume`, `answer`, `steer`, `amend` and `drain`. */
import { act, loopOfRequest } from '../../fleet/hand.ts';
import type { Act } from '../../operations/steer/hand.ts';
import { say as tellFleet, type Database } from '../../fleet/database.ts';
import { findLoop, readLoops } from '../../fleet/record.ts';
import type { Refusal } from '../../core/refusal.ts';
import {
  readAmendment,
  readNewLimits,
  type AmendFlags,
  type LimitFlags,
} from '../../operations/steer/amend.ts';
import { cliSink } from '../runtime.ts';
import { EXIT, fail, failFor, say, sayJson } from '../terminal/terminal.ts';
import type { Given } from '../command.ts';
import { withFleet, type FleetOptions } from './fleet.ts';

export function runAct(wanted: string, done: Act, options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) =>
    perform(database, await findLoop(database, wanted), done, options),
  );
}

async function perform(
  database: Database,
  found: { readonly ok: true; readonly id: string } | Refusal,
  done: Act,
  { json }: FleetOptions,
): Promise<number> {
  const acted = found.ok ? await act(database, found.id, done, cliSink()) : found;
  if (!acted.ok) return failFor(acted);
  const [loop] = await readLoops(database, [acted.id]);
  if (json) sayJson(loop);
  else if (acted.later) say(`Da Capo: loop ${acted.id} gets that before its next iteration.`);
  else say(`Da Capo: loop ${acted.id} is ${loop?.status}: ${loop?.reason}.`);
  return EXIT.ok;
}

export function runResume(id: string, options: FleetOptions & LimitFlags): Promise<number> {
  const limits = readNewLimits(options);
  if (!limits.ok) return Promise.resolve(failFor(limits, EXIT.usage));
  return runAct(id, { is: 'resume', limits: limits.value }, options);
}

export function runAmend(id: string, options: FleetOptions & AmendFlags): Promise<number> {
  const wanted = readAmendment(options);
  if (!wanted.ok) return Promise.resolve(failFor(wanted, EXIT.usage));
  return runAct(id, { is: 'amend', ...wanted.value }, options);
}

type AnswerFlags = FleetOptions & Given<'approve' | 'reject', 'text' | 'note'>;

export function runAnswer(request: string, options: AnswerFlags): Promise<number> {
  const { approve, reject, text, note = '' } = options;
  if (Number(approve) + Number(reject) + Number(text !== undefined) !== 1)
    return Promise.resolve(
      fail('one answer is needed.', 'give --approve, --reject, or the words of the answer.', EXIT.usage),
    );
  const answer = approve ? 'approved' : reject ? 'rejected' : 'text';
  return withFleet(options, async (database) =>
    perform(
      database,
      await loopOfRequest(database, request),
      { is: 'answer', request, answer, note: text ?? note },
      options,
    ),
  );
}

export function runDrain(worker: string, options: FleetOptions): Promise<number> {
  return withFleet(options, (database) =>
    database.transaction(async (sql) => {
      const draining = 'update dacapo.worker set draining = true where name = $1 returning name';
      if ((await sql.query(draining, [worker])).length === 0)
        return fail(`the fleet has no worker ${worker}.`, 'dacapo fleet status shows them.');
      await tellFleet(sql, { is: 'drain', worker });
      if (options.json) sayJson({ worker, draining: true });
      else say(`Da Capo: worker ${worker} takes nothing new, and hands its loops over after their passes.`);
      return EXIT.ok;
    }),
  );
}
