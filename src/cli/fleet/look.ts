/** `dacapo fleet list`, `status` and `logs`. */
import {
  findLoop,
  readEvents,
  readFleet,
  readLoops,
  type FleetLoop,
  type FleetWorker,
} from '../../fleet/record.ts';
import { makeLogLines } from '../look/log-lines.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { table } from '../terminal/table.ts';
import { failFor, paint, paintStatus, say, sayJson, verbatim } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { withFleet, type FleetOptions } from './fleet.ts';

export function runList(options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const loops = await readLoops(database);
    if (options.json) sayJson(loops);
    else if (loops.length === 0)
      say('The fleet has no loops. dacapo fleet submit "PROMPT" --repo URL --ref REF gives it one.');
    else say(...rows(['LOOP', 'STATUS', 'ITERATION', 'ACCOUNT', 'WORKER', 'REASON'], loops.map(loopRow)));
    return EXIT.ok;
  });
}

export function runStatus(wanted: string | undefined, options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    if (wanted === undefined) {
      const fleet = await readFleet(database);
      const counts = Object.entries(fleet.loops).map(([status, count]) => `${count} ${status}`);
      if (options.json) sayJson(fleet);
      else {
        say(`Loops: ${counts.join(', ') || 'none'}. Lease: ${fleet.lease_seconds}s.`);
        if (fleet.workers.length === 0) say('No worker is there. dacapo worker starts one.');
        else say(...rows(['WORKER', 'LABELS', 'LOOPS', 'SEEN'], fleet.workers.map(workerRow)));
      }
      return EXIT.ok;
    }
    const found = await findLoop(database, wanted);
    if (!found.ok) return failFor(found);
    const [loop] = await readLoops(database, found.id);
    if (options.json) sayJson(loop);
    else if (loop !== undefined)
      say(...facts(loop).map(([name, value]) => `${paint.dim(name.padEnd(9))}  ${value}`));
    return EXIT.ok;
  });
}

export function runLogs(wanted: string, options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const found = await findLoop(database, wanted);
    if (!found.ok) return failFor(found);
    const events = await readEvents(database, found.id);
    const lines = makeLogLines(Boolean(process.stdout.isTTY));
    const told = events.map((event) => (options.json ? verbatim(JSON.stringify(event)) : lines.event(event)));
    if (told.length > 0) say(...told);
    return EXIT.ok;
  });
}

function rows(heading: readonly string[], lines: readonly string[][]) {
  return table([heading.map((word) => paint.dim(word)), ...lines]).map(verbatim);
}

function loopRow({ id, status, iteration, max_iterations, account, worker, reason }: FleetLoop): string[] {
  return [id, paintStatus(status), `${iteration}/${max_iterations ?? '∞'}`, account, worker ?? '–', reason];
}

function workerRow({ name, labels, capacity, draining, seen_at, loops }: FleetWorker): string[] {
  const seen = `${ago(seen_at, new Date().toISOString())}${draining ? ', draining' : ''}`;
  return [name, labels.join(',') || '–', `${loops.length}/${capacity}`, seen];
}

function facts(loop: FleetLoop): [string, string][] {
  const {
    id,
    status,
    reason,
    iteration,
    max_iterations,
    account,
    worker,
    repo,
    branch,
    point,
    cost_usd,
    requests,
  } = loop;
  return [
    ['loop', `${paint.bold(id)}  ${paintStatus(status)}`],
    ['state', reason],
    ['iteration', `${iteration} of ${max_iterations ?? 'any number'}`],
    ['account', `${account}, $${cost_usd.toFixed(2)} so far`],
    ['worker', worker ?? 'none'],
    ['work', [repo, branch ?? point].filter(Boolean).join('  ')],
    ...requests.map(({ id: request, what }): [string, string] => ['asks you', `${request}: ${what}`]),
  ];
}
