/** What strikes the machines, the database, the network and the repository of a schedule. */
import { shaOf } from './git.ts';
import type { Random } from './random.ts';
import { NO_FAULTS } from './server.ts';
import type { Machine } from './worker.ts';
import type { World } from './world.ts';

/** Strikes are over by then. */
export const STRIKES_MS = 45_000;

/** Of what follows from the seed, so much is what the focus says. */
export const FOCUSED = 0.8;

const STRIKES = [
  'kill',
  'kill',
  'freeze',
  'cut',
  'restart',
  'hang',
  'network',
  'words',
  'git',
  'drain',
  'skew',
  'rogue',
  'foreign',
  'unready',
  'leaves',
  'hang and cut',
  'hang and freeze',
] as const;

export type Strike = (typeof STRIKES)[number];

const NETWORK_OF_ALL: readonly Strike[] = ['restart', 'network', 'words'];
/** A machine may say nothing for a while after it. */
const SILENCING: readonly Strike[] = [...NETWORK_OF_ALL, 'cut', 'freeze'];

/** Strikes one machine, the database, the network or the repository, for a while. */
export function planStrike(world: World, random: Random, loops: readonly string[], focus?: Strike): string {
  const { scheduler, server, repository, faults, auditor } = world;
  const usual = random.pick(STRIKES);
  const strike = focus !== undefined && random.chance(FOCUSED) ? focus : usual;
  const machine = random.pick(world.machines);
  const at = random.whole(500, STRIKES_MS - 15_000);
  // Shorter than a lease, or longer.
  const lasts = random.chance(0.4) ? random.whole(500, 6_000) : random.whole(10_500, 15_000);
  // A look at who is well may come before and after a short strike.
  const struck = NETWORK_OF_ALL.includes(strike) ? world.machines : [machine];
  const mark = (): void => {
    if (SILENCING.includes(strike)) for (const one of struck) if (one) one.silencedAt = scheduler.now;
  };
  const begin = (what: () => unknown) =>
    scheduler.after(at, () => {
      mark();
      scheduler.trace(`STRIKE ${strike} ${machine?.name} for ${lasts} ms`);
      return what();
    });
  const until = (what: () => unknown) =>
    scheduler.after(at + lasts, () => {
      mark();
      return what();
    });
  switch (strike) {
    case 'kill':
      begin(() => machine?.kill());
      until(() => machine?.start());
      break;
    case 'freeze':
      begin(() => freezeWorker(machine));
      until(() => machine?.worker.thaw());
      break;
    case 'hang': {
      begin(() => {
        // Both at once are one strike of their own below.
        if (machine?.worker.isCut === true) auditor.mayLosePasses = true;
        hangChild(machine);
      });
      until(() => machine?.children.forEach((one) => one.process.thaw()));
      break;
    }
    case 'cut':
      begin(() => {
        if (machine?.children.some(({ process }) => process.isFrozen)) auditor.mayLosePasses = true;
        if (machine !== undefined) machine.worker.isCut = true;
      });
      until(() => machine && (machine.worker.isCut = false));
      break;
    case 'restart':
      begin(() => server.restart(random.chance(0.5) ? 1 : lasts));
      break;
    case 'network':
      begin(() => (server.faults = { ...server.faults, breaks: 0.08, slow: random.chance(0.5) ? 0.05 : 0 }));
      until(() => (server.faults = NO_FAULTS));
      break;
    case 'words':
      begin(() => (server.faults = { ...server.faults, wordLost: 0.3, wordLate: 0.3, wordDoubled: 0.3 }));
      until(() => (server.faults = NO_FAULTS));
      break;
    case 'git':
      auditor.mayLosePasses = true;
      begin(() => (random.chance(0.5) ? (repository.failures = 0.3) : (repository.isAway = true)));
      until(() => {
        repository.failures = 0;
        repository.isAway = false;
      });
      break;
    case 'drain':
      begin(() => machine?.drain());
      until(() => machine?.start());
      break;
    case 'skew':
      begin(() => machine && (machine.worker.skewMs = random.whole(-600_000, 600_000)));
      break;
    case 'rogue':
      auditor.mayLosePasses = true;
      begin(() => (faults.rogue = 0.5));
      until(() => (faults.rogue = 1e-9));
      break;
    case 'leaves':
      begin(() => (faults.leaves = 0.3));
      until(() => (faults.leaves = 0));
      break;
    case 'hang and cut': {
      auditor.mayLosePasses = true;
      begin(() => {
        hangChild(machine);
        if (machine !== undefined) machine.worker.isCut = true;
      });
      scheduler.after(at + 14_000, () => {
        machine?.children.forEach((one) => one.process.thaw());
        if (machine !== undefined) machine.worker.isCut = false;
      });
      break;
    }
    case 'hang and freeze':
      begin(() => hangAndFreeze(world, machine));
      break;
    case 'unready':
      begin(() => (faults.unready = 0.7));
      until(() => (faults.unready = 0));
      break;
    case 'foreign': {
      auditor.mayLosePasses = true;
      const branch = `dacapo/${random.pick(loops)}`;
      begin(() => pushForeign(world, branch));
      break;
    }
  }
  return `${strike}@${at}`;
}

/**
 * Of a frozen worker and a child that hangs at the same time, nobody could end the host. They meet only in
 * `hangAndFreeze`, which ends in time.
 */
function freezeWorker(machine: Machine | undefined): void {
  const hangs = machine?.children.some(({ process }) => process.isFrozen && !process.isDead);
  if (hangs === false) machine?.worker.freeze();
}

function hangChild(machine: Machine | undefined): void {
  if (machine?.worker.isFrozen === false)
    machine.children.findLast((one) => !one.process.isDead)?.process.freeze();
}

/** How often somebody looks whether the pass of a machine has begun. */
const PASS_LOOK_MS = 300;
const HANGS_MS = 5_800;

/**
 * A child hangs in its pass, hears a renewal too late, and hears nothing after it, because its worker is
 * frozen. It comes back before the lease can be over: nobody could end a host that runs on behind it.
 */
function hangAndFreeze(world: World, machine: Machine | undefined): void {
  const { scheduler, facts, repository, auditor } = world;
  if (machine === undefined || repository.isAway || scheduler.now > STRIKES_MS - 15_000) return;
  const child = machine.children.findLast((one) => !one.process.isDead);
  const pass = facts.passes.find((one) => one.worker === child?.process.name && one.endedAt === null);
  const { worker } = machine;
  if (child === undefined || pass === undefined || worker.isFrozen || worker.isCut)
    return void scheduler.after(PASS_LOOK_MS, () => hangAndFreeze(world, machine));
  child.process.freeze();
  scheduler.after(scheduler.random.whole(500, 4_000), () => {
    if (auditor.leaseLeftMs(pass.loop) < HANGS_MS + 500) return child.process.thaw();
    worker.freeze();
    scheduler.after(HANGS_MS, () => child.process.thaw());
    return void scheduler.after(15_000, () => worker.thaw());
  });
}

/** A person commits to the branch of a loop. */
function pushForeign({ repository }: World, branch: string): void {
  const before = repository.branches.get(branch);
  if (before === undefined || repository.foreign.has(branch)) return;
  const sha = shaOf('foreign', before);
  repository.branches.set(branch, sha);
  repository.foreign.set(branch, { sha, before });
}
