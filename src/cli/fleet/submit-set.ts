/** `dacapo fleet submit --items FILE --loops N`: a loop on the fleet for each item, N at once, and their merges here. */
import { hash } from '../../core/hash.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Address } from '../../fleet/address.ts';
import type { Database } from '../../fleet/database.ts';
import { memoryRuntime } from '../../fleet/memory.ts';
import { followLoop } from '../../fleet/news.ts';
import type { FleetLoop } from '../../fleet/record.ts';
import { bringWork, loadLoops, loopHere, submitItem, type FleetSet } from '../../fleet/set.ts';
import { hasCommit } from '../../git/worktree/merge.ts';
import { removeWorktree } from '../../git/worktree/worktree.ts';
import {
  loopsOfItem,
  mendingOrder,
  mergeLoop,
  openSet,
  orderFor,
  type ItemOrder,
  type SetItem,
} from '../../operations/begin/set.ts';
import type { Left, SetPort, Worked } from '../../operations/begin/work-through.ts';
import type { Runtime } from '../../store/runtime.ts';
import { fleetWords } from '../../text/fleet.ts';
import { settingOf } from '../begin/drive.ts';
import { afterLoop, workOnStage, type SetStage } from '../begin/run-set.ts';
import { here } from '../project.ts';
import { cliRuntime } from '../runtime.ts';
import { failFor, failToBegin } from '../terminal/terminal.ts';
import type { SubmitLine } from './submit-line.ts';

type SetLine = SubmitLine & { readonly loops: number };

export async function submitSet(
  { asked, submission, loops, json }: SetLine,
  database: Database,
  address: Address,
): Promise<number> {
  const own = cliRuntime();
  const opened = await openSet({ ...asked, project: here() }, own);
  if (!opened.ok) return failToBegin(opened);
  const { ref, branch: _branch, commits: _commits, ...given } = submission;
  const { onto, project } = opened;
  if (!(await hasCommit(project, ref, onto)))
    return failFor(
      refuse('not-in', `${onto} does not have ${ref}.`, `Leave out --ref: the loops begin with ${onto}.`),
    );
  // Two repositories may lie in the same folder of two machines.
  const set = { ...opened, id: hash([opened.id, given.repo].join('\n')).slice(0, 8) };
  const fleet: FleetSet = { set, database, given, home: own.store.place(), runtime: memoryRuntime() };
  await loadLoops(fleet);
  return workOnStage(
    set,
    { loops, as: json ? 'json' : 'view', stopping: LEAVING },
    (stage) => portOf(fleet, address, stage, own),
    fleet.runtime,
  );
}

const LEAVING = 'leaving; the loops go on on the fleet, and the same command merges what they have done';

function portOf(
  fleet: FleetSet,
  address: Address,
  { show, stops, open }: SetStage,
  own: Runtime,
): SetPort<SetItem> {
  const { set, database, home, runtime } = fleet;
  const loopsOf = (item: SetItem) => loopsOfItem(set, item, runtime);
  const after = async (item: SetItem, loop: Loop | undefined): Promise<Worked> => {
    if (loop === undefined) return GONE;
    const worked = await afterLoop(set, item, loop, runtime);
    return worked.is === 'left' && worked.next !== null
      ? { ...worked, next: fleetWords(worked.next) }
      : worked;
  };
  const follow = async (item: SetItem, loop: Loop): Promise<Worked> => {
    const { id } = loop;
    const { tell } = show.loop({ n: item.n, title: item.title, id }, settingOf(loop, runtime));
    const row = await followLoop(database, address, id, { tell, isOver: isAtRest, stop: stops.soon });
    if (row === undefined || !isAtRest(row)) return { is: 'left', why: 'at work on the fleet', next: null };
    await loadLoops(fleet, id);
    return after(item, loopHere(fleet, loopsOf(item)));
  };
  const begin = async (
    item: SetItem,
    order: ItemOrder | Refusal,
    from: Parameters<typeof submitItem>[2],
  ): Promise<Worked> => {
    const before = loopsOf(item);
    const submitted = order.ok ? await submitItem(fleet, { item, order, before }, from) : order;
    if (!submitted.ok) return leftBy(submitted);
    show.note(item.n, `the fleet has loop ${submitted.id}`);
    const loop = loopsOf(item).at(-1);
    return loop === undefined ? GONE : follow(item, loop);
  };
  return {
    stopped: stops.soon,
    work: async (item) => {
      const loop = loopHere(fleet, loopsOf(item));
      if (loop !== undefined) return hasEnded(loop) ? after(item, loop) : follow(item, loop);
      const from = { at: set.project, commit: `refs/heads/${set.onto}` };
      return begin(item, orderFor(set, item, null, open(), runtime), from);
    },
    merge: async (item) => {
      const loops = loopsOf(item);
      const [first, loop] = [loops[0], loopHere(fleet, loops)];
      if (first === undefined || loop === undefined) return GONE;
      const note = (text: string) => show.note(item.n, text);
      const proving: NonNullable<Runtime['proving']> = (check, how) => {
        if (how !== null) note(`after the merge: ${check} ${how}`);
      };
      const here = { ...own, proving, stopped: stops.now };
      const brought = await bringWork(fleet, loops, note, here);
      if (brought === 'landed') return { is: 'merged' };
      if (brought !== null) return leftBy(brought);
      const merged = await mergeLoop(set, item, loop, here);
      if (merged.is === 'merged') await removeWorktree({ project: set.project, loop: first.id, home });
      return merged;
    },
    mend: async (item, broken) => {
      const [loop, order] = [loopHere(fleet, loopsOf(item)), orderFor(set, item, null, open(), runtime)];
      if (loop === undefined) return GONE;
      show.note(item.n, `can't be merged yet: ${broken.why}. A loop on the fleet mends it.`);
      const mending = order.ok ? mendingOrder(order, loop, broken, runtime) : order;
      return begin(item, mending, { at: loop.project, commit: 'HEAD' });
    },
  };
}

const GONE: Left = { is: 'left', why: 'its loop is gone', next: null };

function leftBy({ code, message, next }: Refusal): Left {
  return { is: 'left', code, why: message.replace(/\.$/, ''), next };
}

/** Nobody would take it: it has ended, or a person has to act. */
function isAtRest({ worker, waits, requests }: FleetLoop): boolean {
  return worker === null && waits === null && requests.length === 0;
}
