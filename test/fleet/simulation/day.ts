/**
 * A fleet at work for hours, with many workers: what grows with time, and what with their number. Machines die
 * and come back. Nobody audits after each step: `closing` counts at the end what must hold.
 */
import { memoryUsage } from 'node:process';
import { submitLoop } from './people.ts';
import { Random } from './random.ts';
import { runOn } from './schedule.ts';
import type { Sessions } from './sessions.ts';
import { Scheduler } from './time.ts';
import { Machine } from './worker.ts';
import { World } from './world.ts';

/** As `dacapo fleet init` sets it. */
const LEASE_SECONDS = 15;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PASS_MS = [2 * MINUTE_MS, 14 * MINUTE_MS] as const;
const MOST_PASSES = 14;
const ACCOUNTS = 10;
/** A machine dies about once in so long, and is back a minute later. */
const LIFE_MS = 6 * HOUR_MS;
const BOOT_MS = MINUTE_MS;
/** As often as autovacuum would look, at usual settings. */
const VACUUM_MS = MINUTE_MS;
const SUBMIT_MS = 30_000;
/** A pass that ended so short before the end may not be counted yet. */
const SETTLE_MS = MINUTE_MS;
/** The product's functions that cost most, by what people know them as. */
const STATEMENTS: Readonly<Record<string, string>> = {
  lease_next_loop: 'take',
  renew_leases: 'beat',
  begin_pass: 'begin',
  record_pass: 'record',
};
const PLAIN = 'select 1';
const PLAIN_ROUNDS = 200;

export interface DayPlan {
  readonly seed: number;
  readonly workers: number;
  readonly hours: number;
  /** How often it is looked at. */
  readonly slices: number;
}

export interface Slice {
  readonly hours: number;
  readonly iterations: number;
  readonly ended: number;
  readonly deaths: number;
  /** Medians, as ratios to `select 1` of the same time. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly plainMs: number;
  readonly databaseMb: number;
  readonly holdKb: number;
  readonly heapMb: number;
  readonly connections: number;
}

export interface Day {
  readonly broken: readonly string[];
  readonly slices: readonly Slice[];
}

export async function runDay(sessions: Sessions, plan: DayPlan, show: (slice: Slice) => void): Promise<Day> {
  await sessions.clean();
  const random = new Random(plan.seed);
  const scheduler = new Scheduler(random);
  scheduler.isTracing = false;
  const world = new World(sessions, scheduler, LEASE_SECONDS);
  world.goUnwatched();
  const times = new Map<string, number[]>();
  sessions.onExecuted = (text, ms) => {
    const name = /dacapo\.(\w+)\(/.exec(text)?.[1] ?? '';
    const kind = STATEMENTS[name];
    if (kind !== undefined) times.set(kind, [...(times.get(kind) ?? []), ms].slice(-2_000));
  };
  const deaths = planMachines(world, random, plan);
  planLoops(world, random, plan);
  planVacuum(world, sessions);
  const slices: Slice[] = [];
  const endMs = plan.hours * HOUR_MS;
  await runOn(scheduler, async () => {
    while (scheduler.now < endMs && (await scheduler.step())) {
      world.throwFailure();
      if (scheduler.now < ((slices.length + 1) * endMs) / plan.slices) continue;
      const slice = await look(world, sessions, times, deaths());
      slices.push(slice);
      show(slice);
    }
    for (const machine of world.machines) machine.kill();
    await world.server.endAll();
  });
  return { broken: await closing(world, sessions, deaths()), slices };
}

/** Gives how many have died so far. */
function planMachines(world: World, random: Random, { workers }: DayPlan): () => number {
  const { scheduler } = world;
  let deaths = 0;
  const die = (machine: Machine): void => {
    scheduler.after(random.next() * 2 * LIFE_MS, () => {
      if (!machine.worker.isDead) deaths++;
      machine.kill();
      scheduler.after(BOOT_MS, () => machine.start());
      die(machine);
    });
  };
  for (let k = 1; k <= workers; k++) {
    const machine = new Machine(world, `w${k}`, 1);
    world.machines.push(machine);
    // There is work by then: a word about a loop wakes every idle worker.
    scheduler.after(SUBMIT_MS + random.next() * MINUTE_MS, () => machine.start());
    die(machine);
  }
  return () => deaths;
}

/** There is always a tenth more work than workers. */
function planLoops(world: World, random: Random, { workers }: DayPlan): void {
  const { scheduler, server } = world;
  const wanted = Math.ceil(workers * 1.1);
  let count = 0;
  const submitSome = async (): Promise<void> => {
    const [row] = await server.ask(
      'select count(*)::int as open from dacapo.loop where ready_at is not null',
    );
    for (let open = (row as { open: number }).open; open < wanted; open++) {
      const id = `RALPH_SIM_${++count}`;
      const passes = random.whole(2, MOST_PASSES);
      const costUsd = random.whole(1, 40) / 100;
      world.scripts.set(id, { passes, passMs: PASS_MS, costUsd, pauseMs: 0, asksAfter: null });
      const account = `team-${count % ACCOUNTS}`;
      scheduler.after(
        random.next() * (SUBMIT_MS / 2),
        () => void submitLoop(world, id, account).catch((error: unknown) => world.fail(error)),
      );
    }
    scheduler.after(SUBMIT_MS, submitSome);
  };
  scheduler.after(0, submitSome);
}

function planVacuum({ scheduler }: World, sessions: Sessions): void {
  const vacuum = async (): Promise<void> => {
    for (const table of ['hold', 'loop', 'pass', 'worker', 'inbox', 'event'])
      await sessions.look(`vacuum analyze dacapo.${table}`);
    scheduler.after(VACUUM_MS, vacuum);
  };
  scheduler.after(VACUUM_MS, vacuum);
}

async function look(
  { scheduler }: World,
  sessions: Sessions,
  times: Map<string, number[]>,
  deaths: number,
): Promise<Slice> {
  const plain: number[] = [];
  for (let k = 0; k < PLAIN_ROUNDS; k++) {
    const began = performance.now();
    await sessions.look(PLAIN);
    plain.push(performance.now() - began);
  }
  const plainMs = median(plain);
  const [row] = await sessions.look(
    `select (select count(*)::int from dacapo.event where type = 'verdict') as iterations,
       (select count(*)::int from dacapo.loop where status = 'completed') as ended,
       pg_database_size(current_database())::float / 1e6 as "databaseMb",
       pg_total_relation_size('dacapo.hold')::float / 1e3 as "holdKb"`,
  );
  const ratios = Object.fromEntries([...times].map(([name, all]) => [name, median(all) / plainMs]));
  times.clear();
  globalThis.gc?.();
  return {
    hours: scheduler.now / HOUR_MS,
    deaths,
    ratios,
    plainMs,
    heapMb: memoryUsage().heapUsed / 1e6,
    connections: sessions.count(),
    ...(row as Pick<Slice, 'iterations' | 'ended' | 'databaseMb' | 'holdKb'>),
  };
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN;
}

interface Count {
  readonly loop: string;
  readonly events: number;
  readonly rows: number;
  readonly last: number;
  readonly judged: readonly string[];
  readonly point_ref: string | null;
  readonly isForgotten: boolean;
}

const COUNTS = `
select l.id as loop, l.events, count(e.n)::int as rows, coalesce(max(e.n), 0) as last, l.point_ref,
  coalesce(array_agg(e.body->>'preview' order by e.n) filter (where e.type = 'verdict'), '{}') as judged,
  l.status in ('pending', 'running', 'waiting') and l.ready_at is null as "isForgotten"
from dacapo.loop l left join dacapo.event e on e.loop = l.id group by l.id`;

/** What does not hold, as sentences. */
async function closing({ facts, repository, scheduler }: World, sessions: Sessions, deaths: number) {
  const broken: string[] = [];
  const counts = (await sessions.look(COUNTS)) as readonly Count[];
  const judged = new Map<string, number>();
  for (const { loop, events, rows, last, isForgotten, point_ref, ...own } of counts) {
    if (events !== rows || events !== last) broken.push(`the journal of ${loop} is not whole`);
    if (isForgotten) broken.push(`nobody may ever take ${loop}`);
    for (const nonce of own.judged) judged.set(nonce, (judged.get(nonce) ?? 0) + 1);
    const work = point_ref === null ? [] : repository.points.get(point_ref)?.work;
    if (work?.join() !== own.judged.join()) broken.push(`${loop} has other work than was counted`);
  }
  for (const [nonce, times] of judged) if (times > 1) broken.push(`pass ${nonce} is counted ${times} times`);
  const whole = new Set(facts.passes.flatMap(({ nonce, isWhole }) => (isWhole ? [nonce] : [])));
  for (const nonce of judged.keys())
    if (!whole.has(nonce)) broken.push(`pass ${nonce} never came to its end`);
  const settled = scheduler.now - SETTLE_MS;
  const lost = facts.passes.filter(
    ({ nonce, isWhole, endedAt }) => isWhole && (endedAt ?? 0) < settled && !judged.has(nonce),
  );
  // A machine dies between the end of a pass and its record now and then.
  if (lost.length > deaths) broken.push(`${lost.length} passes are lost, with ${deaths} deaths`);
  return broken;
}
