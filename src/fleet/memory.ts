/**
 * Loops in the memory of this process, so that what a person does to a loop of the fleet is done by the same operations
 * as on one machine: read from the database, changed here, and written back.
 */
import { tmpdir } from 'node:os';
import type { Event } from '../core/record/events.ts';
import { parseRunWords, type RunRequest } from '../flags/run-request.ts';
import type { Reading } from '../flags/values.ts';
import { hostOf } from '../hosts/adapters.ts';
import { startLoop } from '../operations/begin/start.ts';
import { RUNNER } from '../process/package.ts';
import { manifestOf, type LoopFile } from '../store/manifest.ts';
import { memoryStore } from '../store/memory/store.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** What was asked for, as the row of the loop keeps it. The worker that begins the loop reads it there. */
export interface LoopRequest {
  readonly prompt: string;
  /** Flags of `dacapo run`, each with its value. */
  readonly words: readonly string[];
  /** Flags for the host itself. */
  readonly extra: readonly string[];
  readonly host: string;
}

export function readRequest({ prompt, words, extra, host }: LoopRequest): Reading<RunRequest> {
  const read = parseRunWords(words, prompt, hostOf({ host }).headless.permissionModes);
  return read.ok ? { ok: true, value: { ...read.value, plan: { ...read.value.plan, extra } } } : read;
}

/**
 * Where a loop lies, and whose pids its record names, is the business of its workers. To an operation here the loop lies
 * in a folder that is there, and nobody works on it: the caller fences its worker.
 */
const SOMEWHERE = tmpdir();
const MACHINE = 'fleet';

export function memoryRuntime(): Runtime {
  return {
    store: { ...memoryStore(), machine: () => MACHINE },
    now: () => new Date().toISOString(),
    process: process.pid,
    started: new Date().toISOString(),
    runner: RUNNER,
    isAlive: () => false,
    log: () => undefined,
    env: process.env,
  };
}

/** A loop that no worker has begun: all that was asked for, and nothing that only its work tree can tell. */
export function pendingLoop(id: string, asked: LoopRequest, runtime: Runtime): OpenLoop {
  const open = makePending(id, asked, SOMEWHERE, runtime);
  if (open === null) throw new Error(`${id} can't be made from what was asked for`);
  return open;
}

/** Null: what was asked for can't be read, or there is such a loop. */
export function makePending(
  id: string,
  asked: LoopRequest,
  project: string,
  runtime: Runtime,
): OpenLoop | null {
  const read = readRequest(asked);
  if (!read.ok) return null;
  const request = { ...read.value.request, driver: 'fresh' as const };
  const order = { request, project, host: asked.host, actor: 'terminal' as const };
  const made = startLoop(
    { ...order, from: null, owns: null, view: false, imported: { id, passes: 0 } },
    runtime,
  );
  return made.is === 'started' ? made.open : null;
}

/** A loop as its record has it. */
export function loadLoop(events: readonly Event[], files: readonly LoopFile[], { store }: Runtime): OpenLoop {
  const [created, ...others] = events.map(placed);
  if (created?.type !== 'created') throw new Error('the record does not begin with a loop');
  const open = store.make(created, ({ blobs }) => {
    for (const { name, content } of files) blobs.write(name, content);
  });
  if (open === 'taken') throw new Error(`${created.id} is there already`);
  for (const event of others) open.write(event);
  return open;
}

function placed(event: Event): Event {
  const here = 'machine' in event ? { ...event, machine: MACHINE } : event;
  return 'project' in here ? { ...here, project: SOMEWHERE } : here;
}

/** What a loop wrote beyond what was known before. */
export interface Grown {
  readonly events: readonly Event[];
  /** New or changed. */
  readonly files: readonly LoopFile[];
  readonly gone: readonly string[];
}

/** Gives what is new since the last call that was confirmed. */
export type Growth = () => Grown & { readonly confirm: () => void };

/** Follows what a loop writes. `known`: where its journal stood, and the digests of the files beside it. */
export function followGrowth(
  open: OpenLoop,
  known: { readonly upTo: number; readonly files: ReadonlyMap<string, string> },
): Growth {
  let { upTo, files } = known;
  return () => {
    const reading = open.journal.read(upTo);
    const parts = manifestOf(open);
    const now = new Map(parts.map(({ name, sha256 }) => [name, sha256]));
    return {
      events: reading.events,
      files: parts.filter(({ name, sha256 }) => files.get(name) !== sha256),
      gone: [...files.keys()].filter((name) => !now.has(name)),
      confirm: () => {
        upTo = reading.upTo;
        files = now;
      },
    };
  };
}
