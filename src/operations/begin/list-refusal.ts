/** Refuses a start whose feature list would prove nothing: it is missing, can't be read, or has no open item. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { hasItems } from '../../flags/options.ts';
import { readFeatureFile } from '../../lists/file.ts';
import { nextOpen } from '../../lists/features.ts';
import type { Configured } from '../../proofs/stop-hooks/configure.ts';

/** Returns null if there is no list, or if it has work for the loop. */
export function refuseList(
  request: StartRequest,
  project: string,
  configured: Configured | null,
): Refusal | null {
  if (request.features === null) return null;
  const list = readFeatureFile(request.features, project);
  if (!list.ok)
    return refuse(
      'bad-features',
      `${list.why}.`,
      'Write or correct the list, then start the loop; dacapo features FILE shows how it is read.',
    );
  if (nextOpen(list) !== null || !isEnough(request, configured)) return null;
  const but = list.notes.map((words) => ` (it ${words})`).join('');
  return refuse(
    'nothing-open',
    `Every item of ${request.features} passes already${but}, so there is nothing to do.`,
    'Nothing was started. Add an open item, or another gate such as --check CMD.',
  );
}

/** Every item of the list is done, which is not a failure of a run. */
export function isNothingToDo({ code }: Pick<Refusal, 'code'>): boolean {
  return code === 'nothing-open' || code === 'no-items';
}

/** Whether the list alone would complete the loop at its first stop. */
function isEnough(request: StartRequest, configured: Configured | null): boolean {
  const { promise, checks, watchFile, minIterations, require } = request;
  if (minIterations > 1 || hasItems(request)) return false;
  const asks = promise !== null || checks.length > 0 || watchFile !== null;
  const configAsks = (configured?.found.checks.length ?? 0) + (configured?.found.hooks.length ?? 0) > 0;
  return require === 'any' || !(asks || configAsks);
}
