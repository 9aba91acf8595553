/** `dacapo run --items FILE --loops N`: a loop for each item, N at once, and the merge of what they have done. */
import { setMaxListeners } from 'node:events';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { planOf } from '../../core/record/plan.ts';
import type { Refusal } from '../../core/refusal.ts';
import { shellWord } from '../../core/words/shell-quote.ts';
import type { RunEventBody } from '../../fresh/run-event.ts';
import { isLanded } from '../../git/worktree/merge.ts';
import {
  beginRun,
  continueRun,
  type RunBegun,
  type RunHost,
  type RunProgress,
} from '../../operations/begin/run.ts';
import {
  loopsOfItem,
  mendingOrder,
  mergeLoop,
  openSet,
  orderFor,
  type ItemOrder,
  type ItemSet,
  type SetItem,
} from '../../operations/begin/set.ts';
import { NOT_BEGUN, workThrough, type SetPort, type Worked } from '../../operations/begin/work-through.ts';
import { openWatchdog } from '../../process/watchdog.ts';
import { openSetShow, type SetShow } from '../../screen/set.ts';
import type { Runtime } from '../../store/runtime.ts';
import { nextStep } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { listenForStops, type Stops } from '../terminal/interrupts.ts';
import { EXIT, failToBegin, note } from '../terminal/terminal.ts';
import { here } from '../project.ts';
import { actor, type ViewErrors } from '../runtime.ts';
import { driveTold, settingOf, showOptions } from './drive.ts';
import type { RunLine } from './run-line.ts';
import { costOf, exitFor, rowFor, sayRows } from './set-table.ts';

type SetLine = RunLine & { readonly what: { readonly is: 'run' }; readonly loops: number };

/** Where a set is shown, and how it is stopped. */
export interface SetStage {
  readonly show: SetShow;
  readonly stops: Stops;
  /** How many items are not settled. */
  readonly open: () => number;
}

interface SetRun extends SetStage {
  readonly set: ItemSet;
  readonly on: RunHost;
  readonly setup: string | null;
  /** What was said about one loop is not said again for the next. */
  readonly said: Set<string>;
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
  const portOn = (stage: SetStage) => {
    viewErrors.tellTo((text) => stage.show.note(null, text));
    return portOf({ ...stage, set, on, setup: worktree?.setup ?? null, said: new Set(), runtime });
  };
  return workOnStage(set, { loops, as, stopping: STOPPING }, portOn, runtime);
}

/** Works through a set, shows it, and gives the exit code. `stopping`: what the first Ctrl-C is answered with. */
export async function workOnStage(
  set: ItemSet,
  { loops, as, stopping }: Pick<SetLine, 'loops' | 'as'> & { readonly stopping: string },
  portOn: (stage: SetStage) => SetPort<SetItem>,
  runtime: Runtime,
): Promise<number> {
  let [merged, open] = [0, set.items.length];
  const opened = openSetShow(
    showOptions(as),
    () => `${merged} of ${set.items.length} merged into ${set.onto}`,
  );
  const aside: SetShow['note'] = (n, text) => note(`Da Capo: ${n === null ? '' : `[${n}] `}${text}`);
  const show = as === 'json' ? { ...opened, note: aside } : opened;
  const stops = listenForStops(() => show.note(null, stopping));
  // Every loop listens to them.
  setMaxListeners(0, stops.soon, stops.now);
  try {
    for (const text of set.notes) show.note(null, text);
    const port = portOn({ show, stops, open: () => open });
    const outcomes = await workThrough(set.items, loops, port, (item, outcome) => {
      const isMerged = outcome.is === 'merged';
      open -= 1;
      if (isMerged) merged += 1;
      show.note(item.n, isMerged ? `merged into ${set.onto}` : `not merged: ${outcome.why}`);
      show.event({ is: 'item', at: runtime.now(), ...rowFor(set, item, outcome, runtime) });
    });
    const rows = set.items.map((item, at) => rowFor(set, item, outcomes[at] ?? NOT_BEGUN, runtime));
    const exit = exitFor(set, rows, stops.soon.aborted);
    const sum = { set: set.id, onto: set.onto, merged, costUsd: costOf(rows), exit, items: rows };
    show.event({ is: 'set', at: runtime.now(), ...sum });
    show.close();
    if (as !== 'json') sayRows(set, rows, exit === EXIT.ok);
    return exit;
  } finally {
    show.close();
    stops.end();
  }
}

const STOPPING = 'stopping after the iterations under way; Ctrl-C again stops now';

/** Loops in work trees of this machine, driven by this process. */
function portOf(run: SetRun): SetPort<SetItem> {
  const { set, on, setup, stops, show, said, open, runtime } = run;
  const newest = (item: SetItem) => loopsOfItem(set, item, runtime).at(-1);
  const begin = (item: SetItem, order: ItemOrder | Refusal) =>
    driveItem(run, item, async (stoppable) => {
      const tell = (progress: RunProgress) => {
        const text =
          progress.is === 'sets-up' ? `prepares the work tree: ${progress.command}` : progress.text;
        if (progress.is !== 'note' || news(said, [text]).length > 0) show.note(item.n, text);
      };
      return order.ok
        ? beginRun({ ...order, project: set.project, by: actor(), on, tell }, stoppable)
        : order;
    });
  return {
    stopped: stops.soon,
    work: async (item) => {
      const loop = newest(item);
      if (loop === undefined) return begin(item, orderFor(set, item, setup, open(), runtime));
      if (hasEnded(loop)) return afterLoop(set, item, loop, runtime);
      const order = { choice: { id: loop.id, root: set.project }, planned: null, by: actor(), on };
      return driveItem(run, item, async () => continueRun(order, runtime));
    },
    merge: async (item) => {
      const loop = newest(item);
      if (loop === undefined) return { is: 'left', why: 'its loop is gone', next: null };
      const proving: NonNullable<Runtime['proving']> = (check, how) => {
        if (how !== null) show.note(item.n, `after the merge: ${check} ${how}`);
      };
      return mergeLoop(set, item, loop, { ...runtime, proving, stopped: stops.now });
    },
    mend: async (item, broken) => {
      const [loop, order] = [newest(item), orderFor(set, item, null, open(), runtime)];
      show.note(item.n, `can't be merged yet: ${broken.why}. A loop mends it.`);
      return begin(item, order.ok && loop !== undefined ? mendingOrder(order, loop, broken, runtime) : order);
    },
  };
}

async function driveItem(
  { on, set, stops, show, said, runtime }: SetRun,
  item: SetItem,
  ready: (stoppable: Runtime) => Promise<RunBegun>,
): Promise<Worked> {
  const begun = await ready({ ...runtime, stopped: stops.soon });
  if (!begun.ok)
    return { is: 'left', code: begun.code, why: begun.message.replace(/\.$/, ''), next: begun.next };
  const watchdog = openWatchdog(process.env);
  const { open } = begun;
  try {
    const shown = show.loop(
      { n: item.n, title: item.title, id: open.loop().id },
      settingOf(open.loop(), runtime),
    );
    const tell = (what: RunEventBody) => shown.tell({ at: runtime.now(), ...what });
    const warned = { ...begun, warnings: news(said, begun.warnings) };
    const loop = await driveTold(warned, { on, watchdog, stops, tell, drained: shown.drained }, runtime);
    return await afterLoop(set, item, loop, runtime);
  } finally {
    open.close();
    watchdog.close();
  }
}

function news(said: Set<string>, texts: readonly string[]): string[] {
  return texts.filter((text) => !said.has(text) && said.add(text));
}

/** A person may have merged what a mending loop could not. */
export async function afterLoop(set: ItemSet, item: SetItem, loop: Loop, runtime: Runtime): Promise<Worked> {
  if (loop.status.is === 'completed') return { is: 'completed' };
  const [why, next] = [sayStatus(loop), nextStep(loop, runtime.now(), 'runner')];
  const isMending = loopsOfItem(set, item, runtime).length > 1;
  const { branch } = planOf(loop);
  if (!isMending || branch === null || !hasEnded(loop)) return { is: 'left', why, next };
  const work = { loop: loop.id, branch, tree: loop.project };
  if (await isLanded(set.project, work, set.onto)) return { is: 'completed' };
  const byHand = `or mend it in ${shellWord(loop.project)}, commit it, and git merge ${shellWord(branch)}`;
  return { is: 'left', why: `can't be merged: ${why}`, next: `${next}; ${byHand}` };
}
