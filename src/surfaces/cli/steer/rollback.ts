/**
 * `dacapo rollback`: returns what the loop changed to an earlier state. It records the current state first.
 */
import type { Refusal } from '#base/refusal.ts';
import { isLive, planOf, type Loop } from '#law/loop.ts';
import { few, plural } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { ago } from '#telling/time.ts';
import { title } from '#telling/person/status.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { inspect } from '#evidence/git/lists.ts';
import { listPoints } from '#evidence/git/points/points.ts';
import { rollback, type RolledBack } from '#evidence/git/points/rollback.ts';
import { treeStore } from '#store/evidence.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { fail, failFor, headedTable, reply, failUsage } from '../terminal/terminal.ts';
import { ownerRuns, withLoop } from '#engine/look/loops.ts';
import { noLoops, pickNewest, pickNewestOwn } from '../context.ts';

const MAX_FILES_LISTED = 20;
const MAX_PATH_CHARS = 200;
const MAX_WORK_CHARS = 40;

const WHO_RECORDS = 'dacapo run records a point after each iteration, in a git repository.';

/** Without an iteration, lists the points that there are. */
export async function runRollback(
  {
    iteration,
    loop: wanted,
    best,
    dryRun,
    json,
  }: GivenFlags<'best' | 'dryRun' | 'json', 'iteration' | 'loop'>,
  { runtime }: CommandCall,
): Promise<number> {
  if (best && iteration !== undefined)
    return failUsage("an iteration can't be given with --best.", 'leave one of them out.');
  const pick = iteration === undefined && !best ? pickNewest : pickNewestOwn;
  const loop = pick(wanted, { verb: 'rollback' }, runtime);
  if (typeof loop === 'number') return loop;
  const store = withLoop(loop.id, runtime, treeStore);
  if (store === null) return noLoops();
  const reached = loop.circuit.trend?.best ?? null;
  const to = best ? reached && String(reached.iteration) : iteration;
  if (to === null)
    return fail(
      `loop ${title(loop)} has no measure with a goal, so no iteration is the best.`,
      `dacapo rollback --loop ${loop.id} lists the points; --measure with --target or --keep tells ` +
        'which is best.',
    );
  if (to === undefined) return showPoints(loop, store, json, runtime.now());
  const holder = loop.session.owner?.process ?? null;
  if (!dryRun && isLive(loop) && holder !== null && ownerRuns(loop, runtime))
    return fail(
      `loop ${title(loop)} is at work (process ${holder}), and would keep working while its files change.`,
      `dacapo pause ${loop.id} first.`,
    );
  const committing = planOf(loop).commit !== 'none';
  const done = await rollback({
    project: loop.project,
    store,
    to,
    ignored: ownFiles(loop).ignored,
    dryRun,
    ...(committing ? { message: `Return to the files ${sayWhen(to)}\n\nDa-Capo-Loop: ${loop.id}\n` } : {}),
  });
  if (!done.ok) return failToReturn(done);
  return reply(json, done, ...sayDone(done, to, loop, committing));
}

function sayDone(done: RolledBack, to: string, { id }: Loop, committing: boolean): string[] {
  const { files, removed } = done;
  const stays = [
    ...sayFiles('kept, because somebody else changed it too', done.undecided),
    ...sayFiles('stays, not changed by the loop', done.others),
    ...sayFiles('stays, not recorded', done.leftAlone),
  ];
  if (done.is === 'same')
    return [
      stays.length === 0
        ? `The files are already as they were ${sayWhen(to)}.`
        : `What the loop changed is already as it was ${sayWhen(to)}.`,
      ...stays,
    ];
  const count = plural(files.length, 'file');
  const were = `as ${files.length === 1 ? 'it was' : 'they were'} ${sayWhen(to)}`;
  const lines = [
    ...sayFiles(
      'restored',
      files.filter((file) => !removed.includes(file)),
    ),
    ...sayFiles('removed', removed),
    ...stays,
  ];
  if (done.is === 'planned')
    return [
      `Would return ${count}, ${were}:`,
      ...lines,
      ...(committing ? ['A commit on top would record it.'] : []),
      'Nothing was changed.',
    ];
  return [
    `${count} ${were}:`,
    ...lines,
    ...sayCommit(done.commit),
    `To undo it: dacapo rollback ${done.undo} --loop ${id}`,
  ];
}

function sayFiles(what: string, files: readonly string[]): string[] {
  return few(files, (file) => oneLine(file, MAX_PATH_CHARS), MAX_FILES_LISTED).map(
    (name) => `  ${what}: ${name}`,
  );
}

function sayCommit(commit: Extract<RolledBack, { is: 'rolled-back' }>['commit']): string[] {
  if (commit === null || (commit.ok && commit.is === 'nothing')) return [];
  if (!commit.ok) return [`  not committed: ${commit.message} ${commit.next}`];
  return [`Committed as ${commit.sha.slice(0, 10)}: ${plural(commit.files.length, 'file')}.`];
}

/** Git's own advice is for a start, where the options that need git can be left out. */
function failToReturn(refusal: Refusal): number {
  return failFor(refusal.code === 'no-repository' ? { ...refusal, next: WHO_RECORDS } : refusal);
}

async function showPoints({ project, id }: Loop, store: string, json: boolean, now: string): Promise<number> {
  const points = listPoints(store);
  const found = points.length === 0 ? await inspect(project) : null;
  if (found?.ok === false) return failToReturn(found);
  if (points.length === 0 && !json) return fail(`loop ${id} has no recorded points.`, WHO_RECORDS);
  const rows = points.map(({ name, at, work, gates }) => [
    name,
    ago(at, now),
    oneLine(work ?? sayWhen(name), MAX_WORK_CHARS),
    gates ?? '',
  ]);
  return reply(
    json,
    points,
    ...headedTable(['POINT', 'WHEN', 'WORKED ON', 'GATES'], rows),
    '',
    `dacapo rollback POINT --loop ${id} --dry-run shows what a return would change.`,
  );
}

/** A number is an iteration. The other points were recorded by a rollback, before it changed anything. */
function sayWhen(name: string): string {
  if (name === '0') return 'before the first iteration';
  return /^\d+$/.test(name) ? `after iteration ${name}` : 'before a rollback';
}
