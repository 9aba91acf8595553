/** `dacapo worker`: takes loops of a fleet until it is told to stop. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isId } from '#base/shape.ts';
import type { Granted } from '#base/refusal.ts';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { withScratch } from '#base/files/scratch.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { findLent, openLoopHome, runWorker as work } from '#fleet/worker/worker.ts';
import type { LeaseEnd, Lent, WorkerEvent } from '#fleet/worker/worker.ts';
import { allAdapters, adapterNamed } from '#hosts/tables/adapters.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { findProgram, isProgramNamed, NO_HOST } from '#hosts/port/program.ts';
import { preflightRun } from '#engine/begin/run.ts';
import { version } from '#base/process/package.ts';
import { homeFolder } from '#store/file/home.ts';
import { EXIT, fail, failFor, printNote, printLines, verbatim } from '../terminal/terminal.ts';
import type { GivenFlags } from '../command.ts';
import { placeOf, cliSink } from '../context.ts';
import { addressOf, type FleetOptions } from './fleet.ts';
import { openHealth } from './health.ts';
import { exitOf, readShift, sayExit, type ShiftOptions, type WorkerExit } from './shift.ts';

interface WorkerOptions
  extends FleetOptions, ShiftOptions, GivenFlags<'asOwner' | 'shareHome', 'name' | 'health'> {
  readonly labels: readonly string[];
  readonly capacity: number;
  readonly accept: readonly string[];
  readonly lend: readonly string[];
  /** Agents by a command, which nobody but the owner of this worker may name. */
  readonly agents: readonly string[];
}

export async function runWorker(options: WorkerOptions): Promise<number> {
  const database = options.database === '-' ? readOnce() : options.database;
  const address = addressOf({ database }, 'worker');
  if (!address.ok) return failFor(address, EXIT.usage);
  const shift = readShift(options, options.capacity);
  if (!shift.ok) return failFor(shift, EXIT.usage);
  const name = options.name ?? `${hostname().replaceAll(/[^A-Za-z0-9_-]/g, '-')}-${process.pid}`;
  if (!isId(name))
    return fail('--name may contain letters, digits, - and _ only.', 'give another name.', EXIT.usage);
  const lent = options.shareHome ? null : findLent(process.env, options.lend);
  if (lent?.ok === false) return failFor(lent, EXIT.usage);
  const hosts = await findHosts(options.agents, lent?.lent ?? null);
  if (!hosts.ok) return failFor(hosts);
  const health = options.health === undefined ? null : await openHealth(options.health, name);
  if (typeof health === 'number') return health;
  const stops = listen();
  const tell = (event: WorkerEvent | WorkerExit) => {
    const at = new Date().toISOString();
    printLines(options.json ? verbatim(JSON.stringify({ at, ...event })) : `Da Capo: ${inWords(event)}`);
  };
  const left = await work(
    {
      name,
      machine: hostname(),
      version: version(),
      labels: options.labels,
      hosts: hosts.names,
      capacity: options.capacity,
      shift: shift.value,
      loop: options.loop ?? null,
      accept: options.accept,
      mayOwn: options.asOwner,
      folder: join(homeFolder(process.env, process.platform), 'fleet'),
      env: process.env,
      lent: lent?.lent ?? null,
      ...stops,
      sink: cliSink(),
      tell: (event) => {
        health?.hear(event);
        tell(event);
      },
    },
    address,
  );
  health?.close();
  if (!left.ok) return failFor(left);
  if (shift.value.maxLoops === null) return EXIT.ok;
  const exit = exitOf(left.end);
  tell(exit);
  return exit.code;
}

/**
 * The URL from the standard input, which is closed before anything is started: no pass finds it in an
 * argument, in an environment, in a file or in a descriptor.
 */
function readOnce(): string {
  const given = readFileSync(0, 'utf8').trim();
  closeSync(0);
  // Nothing else gets its number.
  openSync(devNull, 'r');
  return given;
}

/** Those whose agents can work here: a worker without any would only take loops to give them back. */
async function findHosts(
  agents: readonly string[],
  lent: readonly Lent[] | null,
): Promise<Granted<{ readonly names: readonly string[] }>> {
  const adapters = [...allAdapters(), ...agents.flatMap((name) => adapterNamed(name) ?? [])];
  const asked = await withTrialHome(lent, (env) => adapters.map((host) => ({ host, ...fitness(host, env) })));
  // Of a host that is not installed, nobody wants to hear.
  const unfit = asked.filter((one) => !one.ok && (one.code !== NO_HOST || isAsked(one.host)));
  const names = asked.flatMap(({ ok, host: { name } }) => (ok ? [name] : []));
  const [first] = [...unfit, ...asked].flatMap((one) => (one.ok ? [] : [one]));
  if (names.length === 0 && first !== undefined)
    return {
      ...first,
      message: `No coding agent can work here. ${first.message}`,
      next: lent === null ? first.next : `${first.next} ${OWN_HOME}`,
    };
  for (const one of unfit) if (!one.ok) printNote(`Da Capo: ${one.message} ${one.next}`);
  return { ok: true, names };
}

const OWN_HOME =
  'Each loop has a home of its own, with copies of the files that hold logins: a login that is elsewhere, ' +
  'such as in a keychain, needs --share-home.';

/** A home as loops will have it. */
async function withTrialHome<T>(lent: readonly Lent[] | null, use: (env: Environment) => T): Promise<T> {
  if (lent === null) return use(process.env);
  return withScratch('fleet', async (folder) => {
    const home = openLoopHome(join(folder, 'home'), process.env, lent);
    try {
      return use(home.env);
    } finally {
      home.close();
    }
  });
}

/** Whether the person has named it, so that its absence is news. */
function isAsked(host: HostAdapter): boolean {
  return host.starts !== undefined || isProgramNamed(host, process.env);
}

function fitness(host: HostAdapter, env: Environment) {
  const found = findProgram(host, process.env);
  if (!found.ok) return found;
  const place = { ...placeOf(tmpdir()), env };
  return preflightRun({ host: host.headless, program: found.program }, place, DEFAULT_PLAN);
}

/** Once: hand over after this pass. Twice: at once. */
function listen(): { readonly soon: AbortSignal; readonly now: AbortSignal } {
  const [soon, now] = [new AbortController(), new AbortController()];
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (soon.signal.aborted ? now : soon).abort());
  return { soon: soon.signal, now: now.signal };
}

function inWords(event: WorkerEvent | WorkerExit): string {
  switch (event.is) {
    case 'exits':
      return sayExit(event);
    case 'ready':
      return `worker ${event.worker} takes loops of ${event.hosts.join(', ')}. ${sayHomes(event.lends)}`;
    case 'waits':
      return `waiting for the database. ${event.why}`;
    case 'takes':
      return `loop ${event.loop} begins here.`;
    case 'ends-loop':
      return `loop ${event.loop} ${sayEnded(event.how)}.`;
    case 'drains':
      return 'taking no more loops; the current iterations finish, then the loops are released.';
  }
}

function sayHomes(lends: readonly string[] | null): string {
  if (lends === null) return 'Loops share the home of this user.';
  const copies = lends.length === 0 ? 'an empty home' : `copies of ${lends.join(', ')}`;
  return `Each gets a home of its own, with ${copies}.`;
}

function sayEnded(how: LeaseEnd): string {
  if (how.is === 'lost') return 'is no longer ours';
  if (how.until === null) return 'is over here';
  if (how.until === 'now') return 'is handed over';
  // The reason is a sentence, and so is the line around it.
  return 'why' in how ? `is tried again later: ${how.why.replace(/\.$/, '')}` : `waits until ${how.until}`;
}
