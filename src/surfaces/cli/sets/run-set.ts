/**
 * `dacapo run --items FILE --loops N`: a loop for each item, N at once, and the merge of what they have done.
 */
import { setMaxListeners } from 'node:events';
import { hasEnded, planOf, type Loop } from '#law/loop.ts';
import type { Refusal } from '#base/refusal.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import { isLanded } from '#evidence/git/worktree/merge.ts';
import { beginRun, continueRun } from '#engine/begin/run.ts';
import type { RunBegun, RunHost, RunProgress } from '#engine/begin/run.ts';
import { loopsOfItem, mendingOrder, mergeLoop, openSet, orderFor } from '#engine/sets/set.ts';
import type { ItemOrder, ItemSet, SetItem } from '#engine/sets/set.ts';
import { NOT_BEGUN, workThrough } from '#engine/sets/work-through.ts';
import type { LeftItem, Merged, SetOutcome, SetPort, Worked } from '#engine/sets/work-through.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { hideEcho } from '../terminal/hide-echo.ts';
import { openSetShow, type SetShow } from '#surfaces/screen/set.ts';
import type { ProofListener, Runtime } from '#store/runtime.ts';
import { sayProof } from '#law/words/check-outcomes.ts';
import { advise, type Audience, type Refused } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { adviseSteps, nextSteps } from '#telling/next-step.ts';
import { sayStatus } from '#telling/person/status.ts';
import { listenForStops, type Stops } from '../terminal/interrupts.ts';
import { EXIT, failToBegin, printNote } from '../terminal/terminal.ts';
import { here, actor, type ViewErrors } from '../context.ts';
import { driveTold, settingOf, showOptions } from '../begin/drive.ts';
import type { RunLine } from '../begin/run-line.ts';
import { costOfItems, exitFor, rowFor, sayRows } from './set-table.ts';

type SetLine = RunLine & { readonly what: { readonly is: 'run' }; readonly loops: number };

export interface SetTerminal {
  readonly show: SetShow;
  readonly stops: Stops;
}

/** Where the loops of a set work: on this machine, or on a fleet. */
export interface ItemRunner {
  /** The last loop of an item, placed where its work is merged. */
  readonly newest: (item: SetItem) => Loop | undefined;
  /**
   * `before`: the loop in whose work tree it goes on. It gives the loop once that rests or has ended, as
   * `continueLoop` does.
   */
  readonly begin: (item: SetItem, order: ItemOrder, before: Loop | undefined) => Promise<RestedItem>;
  readonly continueLoop: (item: SetItem, loop: Loop) => Promise<RestedItem>;
  /** Does what a merge needs, and what is to be done after it. */
  readonly around?: (item: SetItem, runtime: Runtime, merge: () => Promise<Merged>) => Promise<Merged>;
  /** Who reads the advice about a loop. Left out: somebody at a terminal of this machine. */
  readonly audience?: Audience;
}

export type RestedItem = Loop | LeftItem;

export interface SetOrder extends Pick<SetLine, 'loops' | 'as'> {
  /** What the first Ctrl-C is answered with. */
  readonly stopping: string;
  readonly setup: string | null;
  readonly runtime: Runtime;
}

export async function runSet(
  { what, loops, worktree, as }: SetLine,
  on: RunHost,
  viewErrors: ViewErrors,
  runtime: Runtime,
): Promise<number> {
  const set = await openSet({ ...what, project: here() }, runtime);
  if (!set.ok) return failToBegin(set);
  const order = { loops, as, stopping: STOPPING, setup: worktree?.setup ?? null, runtime };
  return workOnSet(set, order, (stage) => {
    viewErrors.tellTo((text) => stage.show.note(null, text));
    return localRunner({ ...stage, set, on, said: new Set(), runtime });
  });
}

const STOPPING = 'stopping after the iterations under way; Ctrl-C again stops now';

export async function workOnSet(
  set: ItemSet,
  { loops, as, stopping, setup, runtime }: SetOrder,
  runnerOn: (stage: SetTerminal) => ItemRunner,
): Promise<number> {
  let [merged, open] = [0, set.items.length];
  const opened = openSetShow(
    showOptions(as),
    () =>
      `${merged} of ${set.items.length} merged into ${set.onto}${stops.soon.aborted ? `; ${stopping}` : ''}`,
  );
  const aside: SetShow['note'] = (n, text) => printNote(`Da Capo: ${n === null ? '' : `[${n}] `}${text}`);
  const show = as === 'json' ? { ...opened, note: aside } : opened;
  const stops = listenForStops(() => show.note(null, stopping));
  // Every loop listens to them.
  setMaxListeners(0, stops.soon, stops.now);
  const showEcho = as === 'view' ? hideEcho() : null;
  try {
    for (const text of set.notes) show.note(null, text);
    const runner = runnerOn({ show, stops });
    const told = { audience: runner.audience ?? inTerminal, runtime };
    const orderOf: OrderItem = (item, isNew) =>
      orderFor(set, { item, setup: isNew ? setup : null, unsettled: open }, runtime);
    const port = portOver(set, runner, { show, stops, orderOf }, runtime);
    const outcomes = await workThrough(set.items, loops, port, (item, outcome) => {
      open -= 1;
      if (outcome.is === 'merged') merged += 1;
      show.note(item.n, sayOutcomeOfItem(outcome, set.onto));
      show.event({ is: 'item', at: runtime.now(), ...rowFor(set, item, outcome, told) });
    });
    const rows = set.items.map((item, at) => rowFor(set, item, outcomes[at] ?? NOT_BEGUN, told));
    const exit = exitFor(set, rows, stops.soon.aborted);
    const sum = { set: set.id, onto: set.onto, merged, costUsd: costOfItems(rows), exit, items: rows };
    show.event({ is: 'set', at: runtime.now(), ...sum });
    show.close();
    if (as !== 'json') sayRows(set, rows, exit === EXIT.ok);
    return exit;
  } finally {
    show.close();
    showEcho?.();
    stops.end();
  }
}

function sayOutcomeOfItem(outcome: SetOutcome, onto: string): string {
  if (outcome.is === 'left') return `not merged: ${outcome.why}`;
  return outcome.is === 'merged' ? `merged into ${onto}` : 'done, nothing to merge: no file was changed';
}

type OrderItem = (item: SetItem, isNew: boolean) => ItemOrder | Refusal;

function portOver(
  set: ItemSet,
  { newest, begin, continueLoop, around }: ItemRunner,
  { show, stops, orderOf }: SetTerminal & { readonly orderOf: OrderItem },
  runtime: Runtime,
): SetPort<SetItem> {
  const after = async (item: SetItem, rested: RestedItem): Promise<Worked> => {
    return 'is' in rested ? rested : afterLoop(set, item, rested, runtime);
  };
  return {
    stopped: stops.soon,
    work: async (item) => {
      const loop = newest(item);
      if (loop !== undefined) return after(item, hasEnded(loop) ? loop : await continueLoop(item, loop));
      const order = orderOf(item, true);
      return after(item, order.ok ? await begin(item, order, undefined) : itemLeftBy(order));
    },
    merge: async (item) => {
      const loop = newest(item);
      if (loop === undefined) return LOOP_GONE;
      const proving: ProofListener = (check, outcome) => {
        if (outcome !== null) show.note(item.n, `after the merge: ${check} ${sayProof(outcome)}`);
      };
      const merging = { ...runtime, proving, stopped: stops.now };
      const merge = () => mergeLoop(set, item, loop, merging);
      return around === undefined ? merge() : around(item, merging, merge);
    },
    mend: async (item, broken) => {
      const [loop, order] = [newest(item), orderOf(item, false)];
      if (loop === undefined) return LOOP_GONE;
      show.note(item.n, `can't be merged yet: ${broken.why}. A loop mends it.`);
      const mending = order.ok ? mendingOrder(order, loop, broken, runtime) : order;
      return after(item, mending.ok ? await begin(item, mending, loop) : itemLeftBy(mending));
    },
  };
}

export const LOOP_GONE: LeftItem = { is: 'left', why: 'its loop is gone', next: null };

export function itemLeftBy({ code, message, next }: Refused): LeftItem {
  return { is: 'left', code, why: message.replace(/\.$/, ''), next };
}

interface SetHere extends SetTerminal {
  readonly set: ItemSet;
  readonly on: RunHost;
  /** What was said about one loop is not said again for the next. */
  readonly said: Set<string>;
  readonly runtime: Runtime;
}

function localRunner(run: SetHere): ItemRunner {
  const { set, on, stops, show, said, runtime } = run;
  return {
    newest: (item) => loopsOfItem(set, item, runtime).at(-1),
    begin: async (item, order) => {
      const tell = (progress: RunProgress) => {
        const text =
          progress.is === 'sets-up' ? `prepares the work tree: ${progress.command}` : progress.text;
        if (progress.is !== 'note' || news(said, [text]).length > 0) show.note(item.n, text);
      };
      const stoppable = { ...runtime, stopped: stops.soon };
      const wanted = { ...order, project: set.project, by: actor(), on, tell };
      return driveItem(run, item, await beginRun(wanted, stoppable));
    },
    continueLoop: async (item, { id }) => {
      const wanted = { choice: { id, root: set.project }, planned: null, by: actor(), on };
      return driveItem(run, item, continueRun(wanted, runtime));
    },
  };
}

async function driveItem(
  { on, stops, show, said, runtime }: SetHere,
  item: SetItem,
  begun: RunBegun,
): Promise<RestedItem> {
  if (!begun.ok) return itemLeftBy(begun);
  const watchdog = openWatchdog(process.env);
  const { open } = begun;
  try {
    const shown = show.loop({ ...item, id: open.loop().id }, settingOf(open.loop(), runtime));
    const tell = (what: RunEventBody) => shown.tell({ at: runtime.now(), ...what });
    const warned = { ...begun, warnings: news(said, begun.warnings) };
    return await driveTold(warned, { on, watchdog, stops, tell, drained: shown.drained }, runtime);
  } finally {
    open.close();
    watchdog.close();
  }
}

function news(said: Set<string>, texts: readonly string[]): string[] {
  return texts.filter((text) => !said.has(text) && said.add(text));
}

/** A person may have merged what a mending loop could not. */
async function afterLoop(set: ItemSet, item: SetItem, loop: Loop, runtime: Runtime): Promise<Worked> {
  if (loop.status.is === 'completed') return { is: 'completed' };
  const [why, next] = [sayStatus(loop), adviseSteps(nextSteps(loop, runtime.now(), 'runner'))];
  const isMending = loopsOfItem(set, item, runtime).length > 1;
  const { branch } = planOf(loop);
  if (!isMending || branch === null || !hasEnded(loop)) return { is: 'left', why, next };
  const work = { loop: loop.id, branch, tree: loop.project };
  if (await isLanded(set.project, work, set.onto)) return { is: 'completed' };
  const byHand = `or fix it in ${shellWord(loop.project)}, commit it, and git merge ${shellWord(branch)}`;
  return { is: 'left', why: `can't be merged: ${why}`, next: advise`${next}; ${byHand}` };
}
