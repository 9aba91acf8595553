/**
 * `dacapo fleet submit`: gives the fleet a loop, or with `--items` and `--loops` one for each item, and
 * merges them here.
 */
import { hash } from '#base/hash.ts';
import type { Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import type { Address } from '#fleet/database/address.ts';
import { UnfitRecord } from '#fleet/codec/rows.ts';
import type { Database } from '#fleet/database/database.ts';
import type { Show } from '#engine/run-event.ts';
import { memoryRuntime } from '#fleet/memory.ts';
import { followLoop } from '#fleet/look/news.ts';
import type { FleetLoop } from '#fleet/record.ts';
import { idOfKey, submit } from '#fleet/submit.ts';
import { bringWork, loadLoops, loopHere, submitItem, type FleetSet } from '#fleet/set.ts';
import { hasCommit } from '#evidence/git/worktree/merge.ts';
import { removeWorktree } from '#evidence/git/worktree/worktree.ts';
import { landedKind, loopsOfItem, openSet, type SetItem } from '#engine/sets/set.ts';
import { inFleet } from '#telling/audience.ts';
import { settingOf } from '../begin/drive.ts';
import {
  LOOP_GONE,
  itemLeftBy,
  workOnSet,
  type RestedItem,
  type ItemRunner,
  type SetTerminal,
} from '../sets/run-set.ts';
import { here, cliRuntime } from '../context.ts';
import { EXIT, failFor, failToBegin, reply } from '../terminal/terminal.ts';
import { withFleet } from './fleet.ts';
import { readSubmitLine, type SubmitLine } from './submit-line.ts';

export async function runSubmit(words: readonly string[]): Promise<number> {
  const read = readSubmitLine(words);
  if (!read.ok) return failFor(read, EXIT.usage);
  const { submission, loops, key, json, ...line } = read.value;
  return withFleet(line, async (fleet, address) => {
    if (loops !== null) return submitSet({ ...line, submission, loops, key, json }, fleet, address);
    const id = await submit(fleet, submission, key === null ? undefined : idOfKey(key));
    const stands = `dacapo fleet status ${id} shows its status.`;
    return reply(json, { id }, `Da Capo: the fleet has loop ${id}.`, stands);
  });
}

type FleetSetLine = SubmitLine & { readonly loops: number };

async function submitSet(
  { asked, submission, loops, json }: FleetSetLine,
  database: Database,
  address: Address,
) {
  const own = cliRuntime();
  const opened = await openSet({ ...asked, project: here() }, own);
  if (!opened.ok) return failToBegin(opened);
  const { ref, branch: _branch, commits: _commits, ...given } = submission;
  const { onto, project } = opened;
  const next = `Leave out --ref: the loops begin with ${onto}.`;
  if (!(await hasCommit(project, ref, onto)))
    return failFor(refuse('not-in', `${onto} does not have ${ref}.`, next));
  // Two repositories may lie in the same folder of two machines.
  const set = { ...opened, id: hash([opened.id, given.repo].join('\n')).slice(0, 8) };
  const fleet: FleetSet = {
    set,
    database,
    given,
    home: own.store.place(),
    runtime: memoryRuntime(),
    unfit: new Map(),
  };
  await loadLoops(fleet);
  const order = { loops, as: json ? 'json' : 'view', stopping: LEAVING, setup: null } as const;
  return workOnSet(set, { ...order, runtime: fleet.runtime }, (stage) => fleetRunner(fleet, address, stage));
}

const LEAVING = 'leaving; the loops continue in the fleet, and the same command merges what they have done';

/**
 * Loops of a fleet. They begin with a commit of this repository, and what they have done comes back to it.
 */
function fleetRunner(fleet: FleetSet, address: Address, { show, stops }: SetTerminal): ItemRunner {
  const { set, database, home, runtime } = fleet;
  const loopsOf = (item: SetItem) => loopsOfItem(set, item, runtime);
  const newest = (item: SetItem) => loopHere(fleet, loopsOf(item));
  const follow = async (id: string, tell: Show['tell']) => {
    try {
      return await followLoop(database, address, id, { tell, isOver: isAtRest, stop: stops.soon });
    } catch (error) {
      if (error instanceof UnfitRecord) return error.refusal;
      throw error;
    }
  };
  const continueLoop = async (item: SetItem, loop: Loop): Promise<RestedItem> => {
    const { id } = loop;
    const { tell } = show.loop({ ...item, id }, settingOf(loop, runtime));
    const row = await follow(id, tell);
    if (row !== undefined && 'ok' in row) return itemLeftBy(row);
    if (row === undefined || !isAtRest(row)) return { is: 'left', why: 'at work on the fleet', next: null };
    await loadLoops(fleet, id);
    const refused = fleet.unfit.get(id);
    return refused === undefined ? (newest(item) ?? LOOP_GONE) : itemLeftBy(refused);
  };
  return {
    newest,
    continueLoop,
    begin: async (item, order, before) => {
      const from =
        before === undefined
          ? { at: set.project, commit: `refs/heads/${set.onto}` }
          : { at: before.project, commit: 'HEAD' };
      const submitted = await submitItem(fleet, { item, order, nth: loopsOf(item).length }, from);
      if (!submitted.ok) return itemLeftBy(submitted);
      show.note(item.n, `the fleet has loop ${submitted.id}`);
      const loop = newest(item);
      return loop === undefined ? LOOP_GONE : continueLoop(item, loop);
    },
    around: async (item, merging, merge) => {
      const loops = loopsOf(item);
      const brought = await bringWork(fleet, loops, (text) => show.note(item.n, text), merging);
      const kind = () =>
        landedKind(
          set,
          loops.map(({ id }) => id),
        );
      if (brought === 'landed') return { is: await kind() };
      if (brought !== null) return itemLeftBy(brought);
      const merged = await merge();
      if (merged.is === 'merged' || merged.is === 'unchanged')
        await removeWorktree({ project: set.project, loop: loops[0]?.id ?? '', home });
      return merged.is === 'unchanged' ? { is: await kind() } : merged;
    },
    audience: inFleet,
  };
}

/** Nobody would take it: it has ended, or a person has to act. */
function isAtRest({ worker, waits, requests }: FleetLoop): boolean {
  return worker === null && waits === null && requests.length === 0;
}
