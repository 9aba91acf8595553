/** `dacapo fleet list`, `status`, `logs`, `pull`, `attach`, `watch` and `doctor`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, type StatusWord } from '#law/loop.ts';
import { plural } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { explainDatabaseError } from '#fleet/database/database.ts';
import { findProblems } from '#fleet/look/doctor.ts';
import { pull } from '#fleet/look/mirror.ts';
import { followLoop, followNews } from '#fleet/look/news.ts';
import { findHome } from '#store/file/home.ts';
import { findingLines } from '../setup/home-findings.ts';
import {
  readFleet,
  readFleetLoop,
  readLoops,
  readRecord,
  rowStatusesOf,
  type FleetLoop,
  type FleetStatus,
} from '#fleet/record.ts';
import { hideEcho } from '../terminal/hide-echo.ts';
import { out } from '../terminal/output.ts';
import { openShow } from '#surfaces/screen/open.ts';
import { showOptions } from '../begin/drive.ts';
import type { LookRecord, ShownStatus } from '../look/verbs.ts';
import {
  EXIT,
  failFor,
  headedTable,
  printNote,
  paint,
  paintStatus,
  reply,
  printLines,
  verbatim,
  linesWhen,
  type Line,
} from '../terminal/terminal.ts';
import type { AdvisedCommand } from '#telling/advice.ts';
import { inFleet } from '#telling/audience.ts';
import { sayNextSteps, type NextStep, type StepRole } from '#telling/next-step.ts';
import { answersTo } from '#telling/person/requests.ts';
import { ago } from '#telling/time.ts';
import { withFleet, withFleetLoop, type FleetOptions, type FleetLoopOptions } from './fleet.ts';

interface ListOptions extends FleetOptions {
  readonly status: readonly StatusWord[];
  readonly limit: number;
}

/** What `dacapo fleet list` shows. */
export function listOfFleet({ status, limit, ...options }: ListOptions): Pick<LookRecord, 'list'> {
  return {
    list: () =>
      withFleet(options, async (database) => {
        const rows = status.length === 0 ? {} : { statuses: status.flatMap(rowStatusesOf) };
        const read = await readLoops(database, { ...rows, limit });
        const loops =
          status.length === 0 ? read.loops : read.loops.filter((one) => status.includes(one.status));
        const cut = `Da Capo: these are the newest ${limit}. --limit shows more.`;
        return {
          loops,
          heading: LIST_HEADING,
          rows: loops.map(loopRow),
          none: 'The fleet has no loops. dacapo fleet submit "PROMPT" --repo URL --ref REF gives it one.',
          notes: [
            ...read.unfit.map(({ message }) => `Da Capo: ${message}`),
            ...linesWhen(read.loops.length === limit, cut),
          ],
          isPartial: false,
        };
      }),
  };
}

/** What `dacapo fleet status` shows, and the journals of its loops. */
export function loopsOfFleet(options: FleetOptions): Omit<LookRecord, 'list'> {
  return {
    status: (wanted) =>
      wanted === undefined
        ? withFleet(options, async (database) => {
            const fleet = await readFleet(database);
            return shownAs(fleet, fleetLines(fleet));
          })
        : withFleetLoop({ ...options, id: wanted }, async (id, database) => {
            const loop = await readFleetLoop(database, id);
            return shownAs(loop, loop === undefined ? [] : loopLines(loop));
          }),
    withLog: (wanted, show) =>
      withFleetLoop({ ...options, id: wanted ?? '' }, async (id, database) => {
        const { events, unknown } = await readRecord(database, id);
        const count = plural(unknown, 'event');
        const newer = `Da Capo: ${count} of a newer dacapo can't be shown here. Upgrade dacapo.`;
        return show({
          news: () => ({ events, acts: [] }),
          follow: () => Promise.resolve(),
          sayUnread: () => (unknown > 0 ? newer : null),
          ending: null,
        });
      }),
  };
}

function shownAs(value: unknown, lines: readonly Line[]): ShownStatus {
  return { value: () => value, lines: () => lines, notes: [], isPartial: false };
}

export function runPull(options: FleetLoopOptions): Promise<number> {
  return withFleetLoop(options, async (id, database, { shown }) => {
    const pulled = await pull(database, id, findHome(process.env, process.platform), shown);
    if (!pulled.ok) return failFor(pulled);
    const look = `Look at it with dacapo explain ${id}, dacapo report ${id}.`;
    const here = `Da Capo: loop ${id} was copied to this machine. ${look}`;
    return reply(options.json, { id, folder: pulled.folder }, here);
  });
}

export function runFleetDoctor(options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const findings = await findProblems(database);
    const isWell = findings.every(({ level }) => level !== 'problem');
    const told = reply(options.json, { ok: isWell, findings }, ...findingLines(findings));
    return isWell ? told : EXIT.failed;
  });
}

/** What one agent does now, in this terminal, as `dacapo run` would show it. */
export function runAttach(options: FleetLoopOptions): Promise<number> {
  return withFleetLoop(options, async (id, database, address) => {
    const loop = await readFleetLoop(database, id);
    if (loop === undefined) throw new Error(`${id} is gone`);
    const setting = {
      gates: loop.gates,
      budgetUsd: loop.max_cost_usd,
      workedMs: loop.worked_seconds * 1_000,
      costUsd: loop.cost_usd,
      tokens: loop.tokens,
      silenceMs: null,
    };
    if ((await followNews(database)([id])).length === 0)
      printNote(`Da Capo: loop ${id} ${loop.reason}. Its agent has done nothing yet.`);
    const show = openShow(setting, showOptions(options.json ? 'json' : 'view'));
    const showEcho = 'offer' in show ? hideEcho() : null;
    try {
      await followLoop(database, address, id, {
        tell: show.tell,
        isOver: ({ status: is }) => hasEnded({ status: { is } }),
        stop: stopSignal(),
      });
      return EXIT.ok;
    } finally {
      show.close();
      showEcho?.();
    }
  });
}

/** Shows every change, until Ctrl-C: as the list on a screen, as a line for each loop elsewhere. */
export function runFleetWatch(options: FleetOptions): Promise<number> {
  return withFleet(options, async (database, address) => {
    const shown = new Map<string, string>();
    const told = new Set<string>();
    const isTable = out.isScreen() && !options.json;
    const show = async () => {
      const { loops, unfit } = await readLoops(database);
      for (const { message } of unfit) {
        if (!told.has(message)) printNote(`Da Capo: ${message}`);
        told.add(message);
      }
      const news = loops.filter((loop) => shown.get(loop.id) !== JSON.stringify(loop));
      for (const loop of news) shown.set(loop.id, JSON.stringify(loop));
      if (news.length === 0) return;
      if (isTable) printLines('\n', ...headedTable(LIST_HEADING, loops.map(loopRow)));
      else
        printLines(
          ...news.map((loop) => verbatim(options.json ? JSON.stringify(loop) : loopRow(loop).join('  '))),
        );
    };
    const stop = stopSignal();
    let isAway = false;
    while (!stop.aborted) {
      try {
        await show();
        isAway = false;
      } catch (error) {
        const refusal = explainDatabaseError(error, address);
        if (refusal?.later !== true) throw error;
        if (!isAway) printNote(`Da Capo: waiting for the database. ${refusal.message}`);
        isAway = true;
      }
      await sleep(FLEET_POLL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
    return EXIT.ok;
  });
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

const FLEET_POLL_MS = 1_000;

const LIST_HEADING = ['LOOP', 'STATUS', 'ITERATION', 'ACCOUNT', 'WORKER', 'ABOUT', 'REASON'];

const MAX_TASK_CHARS = 40;

function loopRow(loop: FleetLoop): string[] {
  const { id, status, iteration, max_iterations, account, worker, task, reason } = loop;
  const passes = `${iteration}/${max_iterations ?? '∞'}`;
  return [id, paintStatus(status), passes, account, worker ?? '–', oneLine(task, MAX_TASK_CHARS), reason];
}

function fleetLines({ loops, lease_seconds, workers, unfit }: FleetStatus): Line[] {
  const counts = Object.entries(loops).map(([status, count]) => `${count} ${status}`);
  return [
    `Loops: ${counts.join(', ') || 'none'}. Lease: ${lease_seconds}s.`,
    ...unfit,
    ...(workers.length === 0
      ? ['No workers are running. dacapo worker starts one.']
      : headedTable(['WORKER', 'LABELS', 'HOSTS', 'LOOPS', 'SEEN'], workers.map(workerRow))),
  ];
}

function workerRow(worker: FleetStatus['workers'][number]): string[] {
  const { name, labels, hosts, capacity, draining, seen_at, loops } = worker;
  const seen = `${ago(seen_at, new Date().toISOString())}${draining ? ', draining' : ''}`;
  const [can, has] = [labels, hosts ?? []].map((words) => words.join(',') || '–');
  return [name, can ?? '', has ?? '', `${loops.length}/${capacity}`, seen];
}

function loopLines(loop: FleetLoop): string[] {
  const facts: [string, string][] = [
    ['loop', `${paint.bold(loop.id)}  ${paintStatus(loop.status)}`],
    ['about', loop.task],
    ['state', loop.reason],
    ['iteration', `${loop.iteration} of ${loop.max_iterations ?? 'any number'}`],
    ['account', `${loop.account}, $${loop.cost_usd.toFixed(2)} so far`],
    ['worker', loop.worker ?? 'none'],
    ['work', [loop.repo, loop.branch ?? loop.point].filter(Boolean).join('  ')],
    ...loop.requests.map(({ id, what }): [string, string] => ['asks you', `${id}: ${what}`]),
    ['next', sayNextSteps(stepsInFleet(loop), inFleet)],
  ];
  return facts.map(([name, value]) => `${paint.dim(name.padEnd(9))}  ${value}`);
}

/** What a person can do about it now, by its row: `nextSteps` knows more, and needs the whole loop. */
function stepsInFleet({ id, status, waits, requests: [request] }: FleetLoop): readonly NextStep[] {
  const step = (role: StepRole, verb: AdvisedCommand['verb']) => ({ role, commands: [{ verb, loop: id }] });
  if (request !== undefined) return [{ role: 'answer', commands: answersTo(request) }];
  switch (status) {
    case 'completed':
      return [{ role: 'nothing', commands: [] }, step('show-proof', 'explain')];
    case 'aborted':
      return [step('explain', 'explain')];
    case 'running':
      return [step('watch', 'follow'), step('stop', 'pause')];
    case 'pending':
    case 'waiting':
      return waits?.for === 'limit' || waits?.for === 'retry' || waits?.for === 'pause'
        ? [step('continue-now', 'resume'), step('end', 'cancel')]
        : [{ role: 'find-worker', commands: [{ verb: 'doctor' }] }, step('end', 'cancel')];
    case 'exhausted':
    case 'stuck':
    case 'escalated':
    case 'cancelled':
    case 'paused':
    case 'interrupted':
      return [step('explain', 'explain'), step('continue', 'resume')];
  }
}
