/**
 * Loops in the memory of this process, so that what a person does to a loop of the fleet is done by the same
 * operations as on one machine: read from the database, changed here, and written back.
 */
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import type { Event } from '#law/record/events.ts';
import { sha256 } from '#base/files/sha256.ts';
import { asRun } from '#engine/begin/run.ts';
import { startLoop } from '#engine/begin/start.ts';
import { RUNNER } from '#base/process/package.ts';
import { readEvidence } from '#store/evidence.ts';
import { isLoopFileName, buildManifest, type LoopFile } from '#store/manifest.ts';
import { memoryStore } from '#store/memory/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { assertKnownRequest, type SubmittedRequest } from './codec/loop-row.ts';

/**
 * Where a loop lies, and whose pids its record names, is the business of its workers. To an operation here
 * the loop lies in a folder that is there, and nobody works on it: the caller fences its worker.
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

/**
 * A loop that no worker has begun: all that was asked for, and nothing that only its work tree can tell.
 * Throws `UnfitRecord`.
 */
export function pendingLoop(id: string, asked: SubmittedRequest, runtime: Runtime, project = SOMEWHERE) {
  assertKnownRequest(id, asked);
  const { request, plan, host } = asked;
  const order = { request: asRun(request), project, host, actor: 'terminal' as const };
  const imported = { id, passes: 0 };
  const made = startLoop({ ...order, from: null, owns: null, view: false, imported }, runtime);
  if (made.is !== 'started') throw new Error(`${id} can't be made here`);
  made.open.write({ type: 'planned', at: runtime.now(), by: 'terminal', plan });
  return made.open;
}

/** A loop as its record has it. */
export function loadLoop(
  events: readonly Event[],
  files: readonly LoopFile[],
  { store }: Runtime,
  project: string = SOMEWHERE,
): OpenLoop {
  const [created, ...others] = events.map((event) => placed(event, project));
  if (created?.type !== 'created') throw new Error('the record does not begin with a loop');
  const open = store.make(created, ({ blobs }) => {
    for (const { name, content } of files) blobs.write(name, content);
  });
  if (open === 'taken') throw new Error(`${created.id} is there already`);
  for (const event of others) open.write(event);
  return open;
}

/**
 * An event as it is told elsewhere: its process means nothing there, and neither does the folder of its
 * worker.
 */
export function placed(event: Event, project: string): Event {
  const here = 'machine' in event ? { ...event, machine: MACHINE } : event;
  return 'project' in here ? { ...here, project } : here;
}

/** What a loop wrote beyond what was known before. */
export interface JournalDelta {
  readonly events: readonly Event[];
  /** New or changed. */
  readonly files: readonly LoopFile[];
  readonly removedFiles: readonly string[];
}

/** Where the journal of a loop stood, and the digests of the files beside it. */
export interface KnownState {
  readonly upTo: number;
  readonly files: ReadonlyMap<string, string>;
}

/** Follows what a loop writes: gives what is new since the last call that was confirmed. */
export function followDeltas(open: OpenLoop, known: KnownState) {
  let { upTo, files } = known;
  return (): JournalDelta & { readonly confirm: () => void } => {
    const reading = open.journal.read(upTo);
    const parts = buildManifest(open);
    const now = new Map(parts.map(({ name, sha256 }) => [name, sha256]));
    return {
      events: reading.events,
      files: [
        ...parts.filter(({ name, sha256 }) => files.get(name) !== sha256),
        ...collectEvidence(reading.events, open),
      ],
      removedFiles: [...files.keys()].filter((name) => !now.has(name)),
      confirm: () => {
        upTo = reading.upTo;
        files = now;
      },
    };
  };
}

/**
 * Of a longer output the beginning and the end. Streams of passes are no evidence of an event: they stay on
 * the worker.
 */
const MAX_EVIDENCE_CHARS = 64 * 1024;

/** The evidence that these events name goes where they go, and no other. */
function collectEvidence(events: readonly Event[], { blobs }: OpenLoop): LoopFile[] {
  const names = new Set<string>();
  JSON.stringify(events, (key, value: unknown) => {
    if (key === 'evidence' && typeof value === 'string') names.add(basename(value));
    return value;
  });
  const shown = [...names].filter((name) => isLoopFileName(`evidence/${name}`));
  return shown.flatMap((name) => {
    const text = readEvidence(blobs, name);
    if (text === null) return [];
    const half = MAX_EVIDENCE_CHARS / 2;
    const content =
      text.length <= MAX_EVIDENCE_CHARS ? text : `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
    return [{ name: `evidence/${name}`, sha256: sha256(content), content }];
  });
}
