/** `dacapo run --items FILE --loops N`: a loop for each item, N at once, and the merge of what they have done. */
import { setMaxListeners } from 'node:events';
import { hasEnded, iterationsInAll, type Loop } from '../../core/loop.ts';
import { planOf } from '../../core/record/plan.ts';
import { plural } from '../../core/words/phrases.ts';
import { sayUsd } from '../../core/words/figures.ts';
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
  loopOf,
  loopsOfSet,
  mendingOrder,
  mergeLoop,
  openSet,
  orderFor,
  type ItemSet,
  type SetItem,
} from '../../operations/begin/set.ts';
import {
  workThrough,
  type Left,
  type SetOutcome,
  type SetPort,
  type Worked,
} from '../../operations/begin/work-through.ts';
import { openWatchdog } from '../../process/watchdog.ts';
import { openSetShow, type SetShow } from '../../screen/set.ts';
import { clip } from '../../screen/width.ts';
import type { Runtime } from '../../store/runtime.ts';
import { nextStep } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { listenForStops, type Stops } from '../terminal/interrupts.ts';
import { EXIT, failToBegin, listing, note, reply, when, type Line } from '../terminal/terminal.ts';
import { here } from '../project.ts';
import { actor, type ViewErrors } from '../runtime.ts';
import { driveTold, provingTeller, settingOf, showOptions } from './drive.ts';
import type { RunLine } from './run-line.ts';

type SetLine = RunLine & { readonly what: { readonly is: 'run' }; readonly loops: number };

interface SetRun {
  readonly set: ItemSet;
  readonly on: RunHost;
  readonly setup: string | null;
  readonly stops: Stops;
  readonly show: SetShow;
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
  let merged = 0;
  const show = openSetShow(showOptions(as), () => `${merged} of ${set.items.length} merged into ${set.onto}`);
  const stops = listenForStops(() =>
    show.note(null, 'stopping after these iterations; Ctrl-C again stops now'),
  );
  // Each loop listens to them.
  setMaxListeners(0, stops.soon, stops.now);
  viewErrors.tellTo((text) => show.note(null, text));
  const run = { set, on, setup: worktree?.setup ?? null, stops, show, runtime };
  try {
    for (const text of set.notes) show.note(null, text);
    const outcomes = await workThrough(set.items, loops, portOf(run), (item, outcome) => {
      if (outcome.is === 'merged') merged += 1;
      show.note(item.n, outcome.is === 'merged' ? `merged into ${set.onto}` : `not merged: ${outcome.why}`);
      show.event({ at: runtime.now(), ...eventOf(run, item, outcome), is: 'item' });
    });
    show.close();
    return report(run, outcomes, as === 'json');
  } finally {
    show.close();
    stops.end();
  }
}

/** Loops in work trees of this machine, driven by this process. */
function portOf(run: SetRun): SetPort<SetItem> {
  const { set, on, setup, stops, show, runtime } = run;
  const newest = (item: SetItem) => loopOf(set, item, runtime);
  const begin = (item: SetItem, order: ReturnType<typeof orderFor>): Promise<Worked> =>
    driveItem(run, item, async (stoppable) => {
      const tell = (progress: RunProgress) => show.note(item.n, sayProgress(progress));
      return order.ok
        ? beginRun({ ...order, project: set.project, by: actor(), on, tell }, stoppable)
        : order;
    });
  return {
    stopped: stops.soon,
    work: async (item) => {
      const loop = newest(item);
      if (loop === undefined) return begin(item, orderFor(set, item, setup, runtime));
      if (hasEnded(loop)) return afterLoop(set, loop, runtime);
      const order = { choice: { id: loop.id, root: set.project }, planned: null, by: actor(), on };
      return driveItem(run, item, async () => continueRun(order, runtime));
    },
    merge: async (item) => {
      const loop = newest(item);
      if (loop === undefined) return { is: 'left', why: 'its loop is gone', next: null };
      const proving = provingTeller((what) => telling(run, item, what));
      return mergeLoop(set, item, loop, { ...runtime, proving, stopped: stops.now });
    },
    mend: async (item, broken) => {
      const loop = newest(item);
      const order = orderFor(set, item, null, runtime);
      show.note(item.n, `not merged yet: ${broken.why}. A loop mends it`);
      return begin(item, order.ok && loop !== undefined ? mendingOrder(order, loop, broken, runtime) : order);
    },
  };
}

/** The checks after a merge are nobody's iteration: only their failures are shown. */
function telling({ show }: SetRun, item: SetItem, what: RunEventBody): boolean {
  if (what.is === 'check-ended')
    show.note(item.n, `after the merge, ${what.command} ${what.passed ? 'passes' : 'fails'}`);
  return true;
}

async function driveItem(
  { on, set, stops, show, runtime }: SetRun,
  item: SetItem,
  ready: (stoppable: Runtime) => Promise<RunBegun>,
): Promise<Worked> {
  const watchdog = openWatchdog(process.env);
  try {
    const begun = await ready({ ...runtime, stopped: stops.soon });
    if (!begun.ok) return { is: 'left', why: begun.message, next: begun.next };
    const { open } = begun;
    try {
      const shown = show.loop(
        { n: item.n, title: item.title, id: open.loop().id },
        settingOf(open.loop(), runtime),
      );
      const tell = (what: RunEventBody) => shown.tell({ at: runtime.now(), ...what });
      const loop = await driveTold(begun, { on, watchdog, stops, tell, drained: shown.drained }, runtime);
      return await afterLoop(set, loop, runtime);
    } finally {
      open.close();
    }
  } finally {
    watchdog.close();
  }
}

/** A person may have merged what a mending loop could not. */
async function afterLoop(set: ItemSet, loop: Loop, runtime: Runtime): Promise<Worked> {
  const { part, branch } = planOf(loop);
  const isMending =
    loopsOfSet(set, runtime).filter((one) => planOf(one).part?.item === part?.item).length > 1;
  if (loop.status.is === 'completed') return { is: 'completed' };
  if (hasEnded(loop) && isMending && branch !== null && (await isLanded(set.project, branch, set.onto)))
    return { is: 'completed' };
  return { is: 'left', why: sayStatus(loop), next: nextStep(loop, runtime.now(), 'runner') };
}

function sayProgress(progress: RunProgress): string {
  return progress.is === 'sets-up' ? `prepares the work tree: ${progress.command}` : progress.text;
}

function eventOf({ set, runtime }: SetRun, item: SetItem, outcome: SetOutcome) {
  const loops = loopsOfSet(set, runtime).filter((loop) => planOf(loop).part?.item === item.id);
  const loop = loopOf(set, item, runtime);
  return {
    item: item.id,
    title: item.title,
    loop: loop?.id ?? null,
    status: loop?.status.is ?? null,
    iterations: loops.reduce((sum, one) => sum + iterationsInAll(one), 0),
    costUsd: loops.reduce((sum, one) => sum + one.spent.costUsd, 0),
    branch: loop === undefined ? null : planOf(loop).branch,
    merged: outcome.is === 'merged',
    why: outcome.is === 'merged' ? null : outcome.why,
    next: outcome.is === 'merged' ? null : outcome.next,
  };
}

const TITLE = 32;

function report(run: SetRun, outcomes: ReadonlyMap<SetItem, SetOutcome>, json: boolean): number {
  const { set, runtime, show } = run;
  const rows = set.items.map((item) => {
    const outcome = outcomes.get(item) ?? NOT_HEARD;
    return { n: item.n, ...eventOf(run, item, outcome) };
  });
  const merged = rows.filter((row) => row.merged).length;
  const costUsd = rows.reduce((sum, row) => sum + row.costUsd, 0);
  const isAll = merged === rows.length && set.more === 0;
  const code = isAll ? EXIT.ok : exitFor(rows, set);
  if (json) {
    show.event({
      is: 'set',
      at: runtime.now(),
      ...{ set: set.id, onto: set.onto, merged, costUsd, exit: code, items: rows },
    });
    return code;
  }
  const cells = rows.map(({ n, title, loop, iterations, costUsd: usd, branch, why }) => [
    `${n} ${clip(title, TITLE, '…')}`,
    loop ?? '–',
    String(iterations),
    sayUsd(usd),
    branch ?? '–',
    why === null ? 'merged' : `not merged: ${why}`,
  ]);
  const open = rows.filter((row) => !row.merged);
  const lines: Line[] = [
    '',
    ...listing(['ITEM', 'LOOP', 'ITER', 'COST', 'BRANCH', 'RESULT'], cells),
    '',
    `${merged} of ${plural(rows.length, 'item')} merged into ${set.onto}, ${sayUsd(costUsd)}.`,
    ...open.flatMap(({ n, next }) => when(next !== null, `  ${n}: ${next}`)),
    ...when(set.more > 0, `${plural(set.more, 'item')} of the list wait: --max-items.`),
  ];
  reply(false, null, ...lines);
  if (!isAll) note('Da Capo: the same command goes on with what is left.');
  return code;
}

const NOT_HEARD: Left = { is: 'left', why: 'not begun', next: null };

/** Something can go on by itself; else a limit is used up; else a person has to look. */
function exitFor(rows: readonly ReturnType<typeof eventOf>[], { more }: ItemSet): number {
  const open = rows.filter((row) => !row.merged).map(({ status }) => status);
  if (
    open.some(
      (status) =>
        status === null || status === 'paused' || status === 'interrupted' || status === 'completed',
    )
  )
    return EXIT.unfinished;
  return more > 0 || open.includes('exhausted') ? EXIT.exhausted : EXIT.escalated;
}
