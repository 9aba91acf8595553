/** `dacapo amend`: changes the checks, limits or promise of a loop that has begun. */
import { hasEnded } from '../../core/loop.ts';
import { readCheck, readEach, readPromise } from '../../flags/values.ts';
import { amend } from '../../operations/steer/amend.ts';
import { readNewLimits, type LimitFlags } from '../../operations/steer/new-limits.ts';
import { report } from '../../text/report.ts';
import { sayAmended } from '../../text/to-person.ts';
import { choiceOf } from '../loops.ts';
import { cliWorld, hand } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { failFor, say, sayJson } from '../terminal/terminal.ts';

export interface AmendOptions {
  readonly id: string | undefined;
  readonly check: readonly string[];
  readonly removeCheck: readonly string[];
  readonly promise: string | undefined;
  readonly limits: LimitFlags;
  readonly json: boolean;
}

export async function runAmend(options: AmendOptions): Promise<number> {
  const limits = readNewLimits(options.limits);
  if (!limits.ok) return failFor(limits, EXIT.usage);
  const checks = readEach(readCheck)(options.check);
  if (!checks.ok) return failFor({ ...checks, message: `--check ${checks.message}` }, EXIT.usage);
  const promise =
    options.promise === undefined ? ({ ok: true, value: undefined } as const) : readPromise(options.promise);
  if (!promise.ok) return failFor({ ...promise, message: `--promise ${promise.message}` }, EXIT.usage);
  const world = cliWorld();
  const order = {
    ...choiceOf(options.id),
    by: hand(),
    checks: checks.value,
    removeChecks: options.removeCheck,
    promise: promise.value,
    limits: limits.value,
  };
  const amended = amend(order, world);
  if (!amended.ok) return failFor(amended);
  const { loop } = amended;
  if (options.json) sayJson(report(loop, world.now()));
  else say(sayAmended(loop), ...(hasEnded(loop) ? [`dacapo resume ${loop.id} continues with it.`] : []));
  return EXIT.ok;
}
