/**
 * Reads every row that comes from the database. A worker that an agent has taken over may have written it, so
 * nothing in it is trusted: each field has a shape, and sizes are bounded. A row that does not fit throws an
 * `UnfitRecord`, which costs only its own loop.
 */
import { readEvent, type Event, type EventOf } from '#law/record/events.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isId, isRecord, orNull, text, type Shape } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isLoopFileName, type LoopFile } from '#store/manifest.ts';

/** One loop that can't be shown or driven, because of what its rows say. */
export class UnfitRecord extends Error {
  readonly refusal: Refusal;
  /** Null: its id is none. */
  readonly loop: string | null;
  /** A newer Da Capo reads it: another machine, or this one after an upgrade. */
  readonly isNewer: boolean;

  constructor(id: unknown, why: string, isNewer = false) {
    const loop = isId(id) ? id : null;
    const what =
      `Loop ${loop ?? JSON.stringify(oneLine(String(id), MAX_VALUE_CHARS_SHOWN))} can't be read: ` +
      `${why}.`;
    super(what);
    this.loop = loop;
    const otherwise = loop === null ? DELETE : `dacapo fleet cancel ${loop} ends it.`;
    this.refusal = refuse('unfit', what, isNewer ? UPGRADE : otherwise);
    this.isNewer = isNewer;
  }
}

const UPGRADE = 'Upgrade dacapo on this machine.';
const DELETE = 'The owner of the database can delete its row.';

/** Of a word that does not fit, people see so much. */
const MAX_VALUE_CHARS_SHOWN = 60;

/**
 * The journal of a loop, and the files beside it: more than any loop has needed, and less than a machine has.
 */
export const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;
export const MAX_FILES_BYTES = 64 * 1024 * 1024;
/** What the row of one loop shows of it. */
export const MAX_SUMMARY_BYTES = 1024 * 1024;
/** What was asked for: a prompt may be a long file. */
export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/** SHA-1 or SHA-256, whole. */
export const commit: Shape<string> = (value): value is string =>
  text(value) && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

/**
 * The rules of `git check-ref-format --allow-onelevel --branch`, and no more than git itself can bear. So no
 * ref begins with a dash, and none is a revision, a range or a refspec.
 */
export const ref: Shape<string> = (value): value is string =>
  text(value) &&
  value.length <= MAX_REF_CHARS &&
  // eslint-disable-next-line no-control-regex
  !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|^@$/.test(value) &&
  value.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));

const MAX_REF_CHARS = 1_000;

/** Where a repository is. Git reads one that begins with a dash as an option, and `NAME::` as a program. */
export const address: Shape<string> = (value): value is string =>
  text(value) &&
  value !== '' &&
  value.length <= MAX_ADDRESS_CHARS &&
  // eslint-disable-next-line no-control-regex
  !/^-|[\u0000-\u001f\u007f]|^[\w.+-]+::/.test(value);

const MAX_ADDRESS_CHARS = 4_000;

/** The value, if it has the shape. Throws what it costs: its loop. */
export function fitShape<T>(shape: Shape<T>, value: unknown, id: unknown, what: string): T {
  if (shape(value)) return value;
  throw new UnfitRecord(id, `${what} was not written by Da Capo`);
}

/** Null stands for a value above its bound. */
export function fitRow<T>(shape: Shape<T>, row: unknown, what: string): T {
  const id = isRecord(row) ? row['id'] : undefined;
  return fitShape(shape, row, id, what);
}

/** Those that fit, and what was wrong with the others. */
export function fitEach<Row, T>(rows: readonly Row[], read: (row: Row) => T) {
  const fitting: T[] = [];
  const unfit: UnfitRecord[] = [];
  for (const row of rows)
    try {
      fitting.push(read(row));
    } catch (error) {
      if (!(error instanceof UnfitRecord)) throw error;
      unfit.push(error);
    }
  return { fitting, unfit };
}

export interface EventRow {
  readonly n: number;
  /** Null: the journal is too long to be read. */
  readonly body: unknown;
}

/**
 * `upTo`: the number of the last event. `unknown`: how many of them a newer Da Capo wrote; they mean nothing
 * here.
 */
export interface JournalRows {
  readonly events: readonly Event[];
  readonly upTo: number;
  readonly unknown: number;
}

/** The events of a loop, in their order. `after`: how many are known already. */
export function readJournal(id: string, rows: readonly EventRow[], after = 0): JournalRows {
  let [upTo, unknown] = [after, 0];
  const events: Event[] = [];
  for (const { n, body } of rows) {
    if (body === null) throw new UnfitRecord(id, `its journal is longer than ${MAX_JOURNAL_BYTES} bytes`);
    if (n !== upTo + 1) throw new UnfitRecord(id, `its journal lacks event ${upTo + 1}`);
    upTo = n;
    const read = readEvent(body);
    if (read.is === 'newer') throw new UnfitRecord(id, 'a newer Da Capo has begun it', true);
    if (read.is === 'older') throw new UnfitRecord(id, read.why);
    if (read.is === 'broken') throw new UnfitRecord(id, `line ${n} of its journal is not an event`);
    const event = read.is === 'event' ? read.event : null;
    if ((n === 1) !== (event?.type === 'created') || (event?.type === 'created' && !isBeginning(event, id)))
      throw new UnfitRecord(id, 'its journal does not begin with exactly one creation of this loop');
    if (event === null) unknown++;
    else events.push(event);
  }
  return { events, upTo, unknown };
}

/**
 * Only the fresh driver works on a fleet. A session of the person who looks must never take such a loop for
 * its own.
 */
function isBeginning({ id, definition }: EventOf<'created'>, of: string): boolean {
  return id === of && definition.driver === 'fresh';
}

/** `content`: null if all files together are too long. */
export interface FileRow {
  readonly name: string;
  readonly sha256: string;
  readonly content: Uint8Array | null;
}

export function readFileRow(id: string, { name, sha256, content }: FileRow): LoopFile {
  if (content === null) throw new UnfitRecord(id, `its files are longer than ${MAX_FILES_BYTES} bytes`);
  if (!isLoopFileName(name))
    throw new UnfitRecord(
      id,
      `${JSON.stringify(oneLine(name, MAX_VALUE_CHARS_SHOWN))} is not a valid name of its files`,
    );
  return { name, sha256, content: Buffer.from(content).toString('utf8') };
}

/** What of a row says where the work is. */
export const workShape = {
  repo: address,
  ref,
  points: orNull(address),
  branch: orNull(ref),
  base: orNull(commit),
  head: orNull(commit),
  point: orNull(commit),
  point_ref: orNull(ref),
};
