/**
 * One schedule: a small fleet whose size, work, people and strikes follow from the seed. After the strikes
 * everything is mended, and then every loop has to come to its end.
 */
import { setLimits } from '#fleet/limits.ts';
import { Violation, type Word } from './facts.ts';
import { say, submitLoop } from './people.ts';
import { Random } from './random.ts';
import { NO_FAULTS } from './server.ts';
import type { Sessions } from './sessions.ts';
import { FOCUSED, planStrike, STRIKES_MS, type Strike } from './strikes.ts';
import { replaceClock, Scheduler, SimProcess } from './time.ts';
import { Machine } from './worker.ts';
import { World } from './world.ts';

/** A loop that failed often waits for up to five minutes, and the people look again each second. */
const END_MS = 900_000;
const PEOPLE_LOOK_MS = 2_000;

export interface Found {
  readonly seed: number;
  readonly rule: string | null;
  readonly detail: string;
  readonly steps: number;
  readonly looks: number;
  readonly virtualMs: number;
  readonly strikes: readonly string[];
  readonly lines: readonly string[];
}

let running: Scheduler | null = null;
replaceClock(() => running);

/** By the clock of this scheduler. */
export async function runOn(scheduler: Scheduler, act: () => Promise<void>): Promise<void> {
  running = scheduler;
  try {
    await act();
  } finally {
    running = null;
  }
}

/** What a schedule has more of than others. */
export interface Focus {
  readonly strike?: Strike;
  readonly word?: Word['is'];
  readonly limit?: (typeof LIMITS)[number];
}

export async function runSchedule(sessions: Sessions, seed: number, focus: Focus): Promise<Found> {
  await sessions.clean();
  const random = new Random(seed);
  const scheduler = new Scheduler(random);
  running = scheduler;
  const world = new World(sessions, scheduler);
  const strikes = planFleet(world, random, sessions, focus);
  let error: unknown = null;
  try {
    await strikes.ready;
    await play(world);
  } catch (thrown) {
    error = thrown;
  }
  for (const machine of world.machines) machine.kill();
  await world.server.endAll();
  running = null;
  const { steps, now: virtualMs } = scheduler;
  const told = { seed, steps, looks: world.auditor.looks, virtualMs, strikes: strikes.names };
  if (error === null) return { ...told, rule: null, detail: '', lines: scheduler.lines() };
  if (!(error instanceof Violation)) throw new Error(`seed ${seed}`, { cause: error });
  return { ...told, rule: error.rule, detail: error.message, lines: scheduler.lines() };
}

async function play(world: World): Promise<void> {
  const { scheduler, auditor } = world;
  while (!isOver(world)) {
    if (scheduler.now > END_MS) break;
    if (!(await scheduler.step())) break;
    auditor.afterStep();
    world.throwFailure();
  }
  auditor.closing();
  world.throwFailure();
}

/** Every loop has come to its end, and nobody is left who could still believe that it has one. */
function isOver({ scheduler, auditor, scripts, server, machines, facts }: World): boolean {
  const { loops } = auditor.last;
  if (loops.length < scripts.size || server.openCount() > 0) return false;
  if (!loops.every((one) => one.worker === null && !one.isReady && isEnded(one.status))) return false;
  if (scheduler.now >= STRIKES_MS) return true;
  const isAway = machines.some(({ worker }) => worker.isFrozen || worker.isCut);
  const isAtWork = facts.passes.some(({ endedAt }) => endedAt === null);
  const isOpen = facts.words.some(({ outcome }) => outcome === 'open');
  return !isAway && !isAtWork && !isOpen && machines.every((machine) => machine.isIdle());
}

function isEnded(status: string): boolean {
  return ['completed', 'cancelled'].includes(status);
}

function planFleet(world: World, random: Random, sessions: Sessions, focus: Focus) {
  const { scheduler } = world;
  const names: string[] = [];
  const machines = Array.from(
    { length: random.whole(2, 3) },
    (_, k) => new Machine(world, `w${k + 1}`, random.whole(1, 2)),
  );
  world.machines.push(...machines);
  for (const machine of machines) scheduler.after(random.whole(0, 2_000), () => machine.start());
  world.server.slowestMs = random.chance(0.3) ? 400 : 5;
  const submitMs = random.chance(0.3) ? 50 : 4_000;
  const loops = Array.from({ length: random.whole(1, 3) }, (_, k) => `RALPH_SIM_${k + 1}`);
  for (const id of loops) {
    world.scripts.set(id, planLoop(random, focus));
    scheduler.after(
      random.whole(0, submitMs),
      () => void submitLoop(world, id, 'default').catch((error: unknown) => world.fail(error)),
    );
  }
  const fewestWords = focus.word === undefined ? 0 : 3;
  for (let k = random.whole(fewestWords, 4); k > 0; k--) planWord(world, random, loops, focus.word);
  const fewest = focus.strike === undefined ? 0 : 2;
  for (let k = random.whole(fewest, 4); k > 0; k--)
    names.push(planStrike(world, random, loops, focus.strike));
  planMending(world, loops);
  watchHealth(world);
  return { names, ready: planLimits(random, sessions, names, focus.limit) };
}

const LONG_PASS = [8_000, 20_000] as const;
const PASS_LENGTHS: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [500, 1_500],
  [500, 4_000],
  LONG_PASS,
];

function planLoop(random: Random, { strike, limit }: Focus) {
  const usual = random.pick<readonly [number, number]>(PASS_LENGTHS);
  // A long pass is struck more often, and short ones meet at a limit.
  const passMs = limit === undefined && strike !== undefined ? LONG_PASS : usual;
  return {
    passes: random.whole(1, 3),
    passMs,
    costUsd: random.whole(1, 40) / 100,
    pauseMs: random.chance(0.25) ? random.pick([2_000, 7_000]) : 0,
    asksAfter: random.chance(0.2) ? 1 : null,
  };
}

const LIMITS = ['max_loops', 'max_cost_per_day', 'max_calls_per_hour'] as const;

async function planLimits(
  random: Random,
  sessions: Sessions,
  names: string[],
  focus: Focus['limit'],
): Promise<void> {
  const usual = random.chance(0.6) ? random.pick(LIMITS) : null;
  const limit = focus !== undefined && random.chance(FOCUSED) ? focus : usual;
  if (limit === null) return;
  const value = limit === 'max_cost_per_day' ? random.pick([0.3, 1, 20]) : random.pick([1, 1, 2, 3]);
  names.push(`${limit} ${value}`);
  await sessions.look(`update dacapo.account set ${limit} = ${value}`);
}

const WORDS = [
  'steer',
  'steer',
  'amend',
  'pause',
  'resume',
  'cancel',
] as const satisfies readonly Word['is'][];

function planWord(world: World, random: Random, loops: readonly string[], focus: Focus['word']): void {
  const loop = random.pick(loops) ?? '';
  const usual = random.pick(WORDS);
  const is = focus !== undefined && random.chance(FOCUSED) ? focus : usual;
  world.scheduler.after(random.whole(1_000, STRIKES_MS), () => {
    if (!world.auditor.last.loops.some(({ id }) => id === loop)) return;
    void say(world, loop, is).catch((error: unknown) => world.fail(error));
  });
}

/** What an account may use is not what the end of a loop has to wait for. */
async function liftLimits(world: World): Promise<void> {
  const process = new SimProcess('administrator', world.scheduler);
  const database = world.server.connect(process, 'dacapo_person');
  // More than all passes can use: money that is held for nobody would still be missed.
  const none = { max_loops: null, max_calls_per_hour: null, max_cost_per_day: 20 };
  await database.transaction((sql) => setLimits(sql, 'default', none));
}

/** How often a worker is looked at, how long it has to be well before, and how long it may be silent. */
const HEALTH_LOOK_MS = 1_000;
const WELL_MS = 13_000;
const SILENT_MS = 9_000;

/** A worker that is well, and whose database is, shows that it lives. */
function watchHealth({ scheduler, server, machines, auditor }: World): void {
  const wellSince = new Map<Machine, number>();
  const look = (): void => {
    scheduler.after(HEALTH_LOOK_MS, look);
    for (const machine of machines) {
      const { worker } = machine;
      const isWell = !worker.isDead && !worker.isFrozen && !worker.isCut && server.isUp;
      if (!isWell || server.faults !== NO_FAULTS) wellSince.delete(machine);
      else if (!wellSince.has(machine)) wellSince.set(machine, scheduler.now);
      const since = Math.max(wellSince.get(machine) ?? Infinity, machine.silencedAt);
      if (scheduler.now - since > WELL_MS) auditor.onSilence(machine.name, SILENT_MS);
    }
  };
  look();
}

/** From then on all is well, and people look after their loops. */
function planMending(world: World, loops: readonly string[]): void {
  const { scheduler, server, repository, faults, auditor } = world;
  scheduler.after(STRIKES_MS, () => {
    scheduler.trace('MENDED');
    server.faults = NO_FAULTS;
    server.isUp = true;
    repository.isAway = false;
    repository.failures = 0;
    faults.unready = 0;
    faults.leaves = 0;
    void liftLimits(world).catch((error: unknown) => world.fail(error));
    for (const [branch, { before }] of repository.foreign) repository.branches.set(branch, before);
    repository.foreign.clear();
    for (const machine of world.machines) {
      machine.worker.isCut = false;
      if (machine.worker.isFrozen) machine.worker.thaw();
      for (const { process } of machine.children) if (process.isFrozen) process.thaw();
      scheduler.after(1_000, () => machine.start());
    }
  });
  const lookAfter = (): void => {
    scheduler.after(PEOPLE_LOOK_MS, lookAfter);
    for (const id of loops) {
      const loop = auditor.last.loops.find((one) => one.id === id);
      if (loop === undefined || loop.worker !== null) continue;
      const [request] = loop.requests;
      const answers = loop.isReady && request !== undefined && loop.status === 'waiting';
      if (
        answers &&
        world.facts.words.every((one) => one.loop !== id || one.is !== 'answer' || one.outcome !== 'open')
      )
        void say(world, id, 'answer', request.id).catch((error: unknown) => world.fail(error));
      if (scheduler.now > STRIKES_MS && !loop.isReady && !isEnded(loop.status))
        void say(world, id, 'resume').catch((error: unknown) => world.fail(error));
    }
  };
  scheduler.after(PEOPLE_LOOK_MS, lookAfter);
}
