/** A view in one file of ours: made, read, replaced and removed in the same way for every format. */
import { basename, dirname, resolve } from 'node:path';
import type { ViewKind } from '#law/record/definition.ts';
import { type Loop } from '#law/loop.ts';
import { keepEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { readRegular, type FileReading } from '#base/files/read.ts';
import { liesStill, makeViewFile, removeViewFile, swapViewFile, takeViewFile } from './file.ts';
import type { ImportPlaces } from './imported.ts';
import { keepPrompt } from '#store/prompts.ts';
import { isReopening } from './reopening.ts';
import { isFromBeforeBoot, isTornPart, lastStates } from './torn.ts';
import type { Settled, View, ViewChange } from './view.ts';

type Found = Extract<FileReading, { is: 'content' }>;

export interface ViewFormat {
  readonly kind: ViewKind;
  readonly render: (open: OpenLoop, loop: Loop) => string;
  /** `last`: the previous rendering, where one is kept. */
  readonly read: (open: OpenLoop, content: string, last: string | null) => ViewChange;
  /**
   * Recognises our own rendering by its content. Without it, we keep renderings beside the journal and
   * compare.
   */
  readonly isSigned?: (content: string, loop: Loop) => boolean;
  /** How the view showed the loop in that state. Without it, `render` is kept beside the journal. */
  readonly renderingOf?: (open: OpenLoop, loop: Loop) => string;
  /** Where a new loop has its file, the first choice first. A file that is there stays. */
  readonly places: (loop: Loop, vault: string | null) => readonly string[];
  /** The file tells of a loop that is over. A new loop may have its place, after a copy. */
  readonly isOver?: (content: string) => boolean;
  readonly goes: (loop: Loop) => boolean;
  readonly putAside?: (open: OpenLoop, path: string) => void;
}

export function fileView(format: ViewFormat): Omit<View, 'import'> {
  return {
    kind: format.kind,
    make: (open, places) => make(format, open, places),
    read: (open, file, runtime) => read(format, open, file, runtime),
    render: (open, file, runtime) => {
      const loop = open.loop();
      if (format.goes(loop)) remove(format, open, file);
      else renderFile(format, open, file, runtime);
    },
    find: (open) => {
      const { project } = open.loop();
      const isHere = (file: string) => {
        const found = readRegular(resolve(project, file));
        return found.is === 'content' && isOwn(format, open, found.content);
      };
      return format.places(open.loop(), null).find(isHere) ?? null;
    },
    discard: (open, file) => {
      const path = resolve(open.loop().project, file);
      const found = readRegular(path);
      if (found.is === 'content' && isOwn(format, open, found.content)) removeViewFile(path);
    },
    restore: (open, file) => {
      if (makeFile(format, open, file)) return file;
      const found = readRegular(resolve(open.loop().project, file));
      const isTaken = found.is !== 'content' || format.read(open, found.content, null).is === 'foreign';
      return isTaken ? make(format, open, { vault: dirname(dirname(file)) }) : null;
    },
  };
}

function make(format: ViewFormat, open: OpenLoop, { files, vault = null }: Partial<ImportPlaces>): string {
  const given = files?.[format.kind];
  if (given !== undefined && replaceForeign(format, open, given)) return given;
  const places = format.places(open.loop(), vault);
  const file = places.find((one) => makeFile(format, open, one) || replaceFinished(format, open, one));
  if (file === undefined) throw new Error(`${places.at(-1)} is someone else's`);
  return file;
}

/**
 * False: the name is taken. Not checked beforehand: of two loops that start at once, the second would replace
 * the file of the first.
 */
function makeFile(format: ViewFormat, open: OpenLoop, file: string): boolean {
  const loop = open.loop();
  const rendering = format.render(open, loop);
  return remembered(format, open, rendering, () =>
    makeViewFile(resolve(loop.project, file), rendering, loop.project),
  );
}

function replaceFinished(format: ViewFormat, open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  if (found.is !== 'content' || format.isOver?.(found.content) !== true) return false;
  keepEvidence(open.blobs, `before-${basename(path)}`, found.bytes);
  return replaceForeign(format, open, file);
}

/**
 * Replaces a file that someone else wrote. The caller has kept a copy. False: the file is gone or has
 * changed.
 */
function replaceForeign(format: ViewFormat, open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return false;
  const rendering = format.render(open, open.loop());
  return remembered(format, open, rendering, () => isSwapped(path, found.bytes, rendering));
}

/** False: another process wrote it since. */
function isSwapped(path: string, before: Uint8Array, rendering: string): boolean {
  return swapViewFile(path, before, rendering).is !== 'changed';
}

function remembered(format: ViewFormat, open: OpenLoop, rendering: string, write: () => boolean): boolean {
  return format.isSigned === undefined ? keepRendering(open, format.kind, rendering, write) : write();
}

function read(format: ViewFormat, open: OpenLoop, file: string, runtime: Runtime): Settled {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readRegular(path);
  if (found.is === 'gone') {
    // Looked at again after the journal: whoever reopens the loop may have made it in between.
    const isDeleted = !isReopening(open) && readRegular(path).is === 'gone';
    return isDeleted ? cancelled(open, 'view', runtime) : 'unsettled';
  }
  if (found.is === 'unreadable')
    return found.passing ? 'unsettled' : aborted(open, `${file} can't be read (${found.why})`, null, runtime);
  if (format.isSigned?.(found.content, loop)) return 'settled';
  const { last, isOurs } = readRenderings(open, format.kind);
  if (isOurs(found.content)) return 'settled';
  if (isTorn(format, open, found, runtime)) {
    copyTorn(open, path, found.bytes);
    return 'settled';
  }
  if (!liesStill(path, found, Date.parse(runtime.now()))) return 'unsettled';
  const change = format.read(open, found.content, last);
  const copy = (why: string) => keepEvidence(open.blobs, `${why}-${basename(path)}`, found.bytes);
  switch (change.is) {
    case 'untouched':
      return 'settled';
    case 'foreign':
      return cancelled(open, 'view', runtime);
    case 'cancelled':
      return cancelled(open, 'status', runtime);
    case 'aborted':
    case 'garbage':
      return aborted(open, `${file} ${sayAborted(change)}`, copy('rejected'), runtime);
    case 'past':
      runtime.log(`loop=${loop.id} an edit of a frame that is not at work was kept in ${copy('edited')}`);
      return 'settled';
    case 'edited':
      if (isAmended(open, change, runtime)) copy('edited');
      return 'settled';
  }
}

function isTorn(format: ViewFormat, open: OpenLoop, found: Found, runtime: Runtime): boolean {
  if (!isFromBeforeBoot(found, runtime)) return false;
  const { last, next } = readRenderings(open, format.kind);
  const renderings = format.renderingOf
    ? lastStates(open).map((loop) => format.renderingOf?.(open, loop) ?? null)
    : [last, next];
  return renderings.some((rendering) => rendering !== null && isTornPart(found, rendering));
}

function copyTorn({ blobs }: OpenLoop, path: string, bytes: Uint8Array): void {
  if (blobs.list('evidence/torn-').length === 0) keepEvidence(blobs, `torn-${basename(path)}`, bytes);
}

type Edited = Extract<ViewChange, { is: 'edited' }>;

function isAmended(open: OpenLoop, { prompt: written, iterations }: Edited, runtime: Runtime): boolean {
  const { frame } = open.loop();
  const prompt = written === null ? null : keepPrompt(open.blobs, written);
  const isNew =
    (prompt !== null && prompt !== frame.prompt) ||
    (iterations !== null && iterations !== (frame.iterations ?? 'unlimited'));
  if (isNew) open.write({ type: 'amended', at: runtime.now(), by: 'view', prompt, iterations });
  return isNew;
}

/** If a person's text there does not count, we copy it before we replace it. */
function renderFile(format: ViewFormat, open: OpenLoop, file: string, runtime: Runtime): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const rendering = (format.renderingOf ?? format.render)(open, loop);
  const found = readRegular(path);
  if (found.is === 'unreadable') return reportViewError(loop, file, found.why, runtime);
  if (found.is === 'gone' || found.content === rendering) return;
  const isKept = isOwn(format, open, found.content) || isCopied(open, found.content);
  const copy = isKept ? null : `edited-${basename(path)}`;
  if (mayGo(format, open, found, copy))
    remembered(format, open, rendering, () => {
      const swapped = swapViewFile(path, found.bytes, rendering);
      if (swapped.is === 'overtaken') keepEvidence(open.blobs, `edited-${basename(path)}`, swapped.bytes);
      return swapped.is !== 'changed';
    });
}

function remove(format: ViewFormat, open: OpenLoop, file: string): void {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  const isFree = found.is === 'content' && mayGo(format, open, found, `last-${basename(path)}`);
  format.putAside?.(open, path);
  if (!isFree) return;
  // Where a power cut takes the ending but not the removal, a person seems to have deleted the view.
  open.journal.settle();
  takeViewFile(path, found.bytes, (bytes) => keepEvidence(open.blobs, `last-${basename(path)}`, bytes));
}

/** Not if it is another loop's. What others wrote is copied. */
function mayGo(
  format: ViewFormat,
  open: OpenLoop,
  { content, bytes }: { readonly content: string; readonly bytes: Uint8Array },
  copy: string | null,
): boolean {
  if (isOwn(format, open, content)) return true;
  const { last } = readRenderings(open, format.kind);
  if (format.read(open, content, last).is === 'foreign') return false;
  if (copy !== null) keepEvidence(open.blobs, copy, bytes);
  return true;
}

/** Whoever read the view before has kept a copy, if nobody has written it since. */
function isCopied({ blobs }: OpenLoop, content: string): boolean {
  const copies = ['edited', 'torn', 'rejected'].flatMap((why) => blobs.list(`evidence/${why}-`));
  return copies.some((copy) => blobs.read(copy) === content);
}

function isOwn(format: ViewFormat, open: OpenLoop, content: string): boolean {
  return format.isSigned?.(content, open.loop()) || readRenderings(open, format.kind).isOurs(content);
}

/** A person's edit is told from our own text by the renderings that we keep beside the journal. */
export function readRenderings({ blobs }: OpenLoop, kind: ViewKind) {
  const [last, next] = [blobs.read(`views/${kind}`), blobs.read(`views/${kind}.next`)];
  return { last: last ?? next, next, isOurs: (content: string) => content === last || content === next };
}

/**
 * `write` puts the rendering into the view; false: the view was left unchanged. We keep the rendering before
 * it is written too: a process that dies in between leaves either of the two in the view.
 */
export function keepRendering({ blobs }: OpenLoop, kind: ViewKind, rendering: string, write: () => boolean) {
  blobs.write(`views/${kind}.next`, rendering);
  if (!write()) return false;
  blobs.write(`views/${kind}`, rendering);
  blobs.remove(`views/${kind}.next`);
  return true;
}

function cancelled(open: OpenLoop, by: 'view' | 'status', runtime: Runtime): Settled {
  open.write({ type: 'cancelled', at: runtime.now(), by, prompt: null });
  return 'settled';
}

export function aborted(open: OpenLoop, detail: string, evidence: string | null, runtime: Runtime): Settled {
  open.write({ type: 'aborted', at: runtime.now(), why: 'view', detail, evidence });
  return 'settled';
}

export function sayAborted({ is, why }: Extract<ViewChange, { is: 'aborted' | 'garbage' }>): string {
  return is === 'aborted' ? `says ABORT (${why})` : `can't be trusted: ${why}`;
}

export function reportViewError({ id }: Loop, file: string, why: unknown, runtime: Runtime): void {
  runtime.log(`loop=${id} ${file}: ${String(why)}`);
  runtime.onViewError?.(file, why);
}
