/** `dacapo rollback ITERATION`: the files as they were after an iteration. What is there now is recorded first. */
import { planOf } from '../../core/plan.ts';
import { isLive, type Loop } from '../../core/loop.ts';
import { plural } from '../../core/phrases.ts';
import { title } from '../../text/to-person.ts';
import { ownFiles } from '../../views/own-files.ts';
import { inspect } from '../../git/inspect.ts';
import { iterationAfter, listPoints } from '../../git/points.ts';
import { rollback } from '../../git/rollback.ts';
import { treeStore } from '../../store/tree-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { ownerRuns, withLoop } from '../../operations/find.ts';
import { noLoops, pickNewest } from '../loops.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld } from '../runtime.ts';

export interface RollbackOptions {
  /** Absent: which there are is shown. */
  readonly to: string | undefined;
  readonly loop: string | undefined;
  readonly json: boolean;
}

export async function runRollback({ to, loop: wanted, json }: RollbackOptions): Promise<number> {
  const world = cliWorld();
  const picked = pickNewest(wanted, 'rollback --loop', world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const { loop } = picked;
  const store = withLoop(loop.id, world, treeStore);
  if (store === null) return noLoops();
  if (to === undefined) return showPoints(loop, store, json);
  const holder = loop.owner?.process ?? null;
  if (isLive(loop) && holder !== null && ownerRuns(loop, world))
    return fail(
      `loop ${title(loop)} is at work (process ${holder}), and would work on while its files change.`,
      `dacapo pause ${loop.id} first.`,
    );
  const committing = planOf(loop).commit !== 'none';
  const done = await rollback({
    project: loop.project,
    store,
    to,
    ignored: ownFiles(loop).ignored,
    ...(committing ? { message: `Return to the files ${sayWhen(to)}\n\nLoop ${loop.id}.\n` } : {}),
  });
  if (!done.ok) return failFor(done);
  if (json) sayJson(done);
  else if (done.is === 'same') say(`The files are as they were ${sayWhen(to)} already.`);
  else
    say(
      `${plural(done.files.length, 'file')} as ${done.files.length === 1 ? 'it was' : 'they were'} ${sayWhen(to)}.`,
      ...done.leftAlone.map((file) => `left alone: ${file}`),
      `To undo it: dacapo rollback ${done.undo} --loop ${loop.id}`,
    );
  return EXIT.ok;
}

async function showPoints({ project, id }: Loop, store: string, json: boolean): Promise<number> {
  const points = listPoints(store);
  const found = points.length === 0 ? await inspect(project) : null;
  if (found?.ok === false) return failFor(found);
  if (json) sayJson(points);
  else if (points.length === 0)
    return fail(
      `loop ${id} has no recorded points.`,
      'dacapo run records one after each iteration, in a repository.',
    );
  else
    say(
      ...points.map(
        ({ name, tree }) => `${name.padEnd(widest(points))}  ${tree.slice(0, 12)}  ${sayWhen(name)}`,
      ),
    );
  return EXIT.ok;
}

function widest(points: readonly { readonly name: string }[]): number {
  return Math.max(...points.map(({ name }) => name.length));
}

/** A number is an iteration; most other names are a rollback's, which recorded what it was about to change. */
function sayWhen(name: string): string {
  if (name === '0') return 'before the first iteration';
  if (/^\d+$/.test(name)) return `after iteration ${name}`;
  const begins = iterationAfter(name);
  return begins === null
    ? 'before a rollback'
    : `before iteration ${begins}, changed since the one before it`;
}
