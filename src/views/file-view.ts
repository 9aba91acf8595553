/** A view in one file of ours: reads what others did to it, and replaces it, in the same way for every format. */
import { basename, resolve } from 'node:path';
import type { ViewKind } from '../core/record/definition.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { readRegular } from '../files/read.ts';
import { liesStill, makeViewFile } from './file.ts';
import { keepCopy, keepRendering, renderingsOf } from './renderings.ts';
import { swapViewFile } from './swap.ts';
import { keepPrompt } from '../store/prompts.ts';
import type { Settled } from './view.ts';

/** What someone did to the file. */
export type FileChange =
  | { readonly is: 'untouched' | 'cancelled' }
  /** The file belongs to another loop now, or names none. */
  | { readonly is: 'foreign' }
  | { readonly is: 'aborted' | 'garbage'; readonly why: string }
  | {
      readonly is: 'edited';
      readonly prompt: string | null;
      readonly iterations: number | 'unlimited' | null;
    }
  /** An edit of a frame that is not the current one. */
  | { readonly is: 'past' };

export interface FileView {
  readonly kind: ViewKind;
  readonly render: (open: OpenLoop, loop: Loop) => string;
  /** `last`: the previous rendering, where one is kept. */
  readonly read: (open: OpenLoop, content: string, last: string | null) => FileChange;
  /** Recognises our own rendering by its content. Without it, we keep renderings beside the journal and compare. */
  readonly isSigned?: (content: string, loop: Loop) => boolean;
}

export function readInFile(view: FileView, open: OpenLoop, file: string, runtime: Runtime): Settled {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readRegular(path);
  if (found.is === 'gone') return cancelled(open, 'view', runtime);
  if (found.is === 'unreadable')
    return found.passing ? 'unsettled' : aborted(open, `${file} can't be read (${found.why})`, null, runtime);
  if (view.isSigned?.(found.content, loop)) return 'settled';
  const { last, isOurs } = renderingsOf(open, view.kind);
  if (isOurs(found.content)) return 'settled';
  if (!liesStill(path, found, Date.parse(runtime.now()))) return 'unsettled';
  const change = view.read(open, found.content, last);
  const copy = (why: string) => keepCopy(open, `${why}-${basename(path)}`, found.bytes);
  switch (change.is) {
    case 'untouched':
      return 'settled';
    case 'foreign':
      return cancelled(open, 'view', runtime);
    case 'cancelled':
      return cancelled(open, 'status', runtime);
    case 'aborted':
      return aborted(open, `${file} says ABORT (${change.why})`, copy('rejected'), runtime);
    case 'garbage':
      return aborted(open, `${file} can't be trusted: ${change.why}`, copy('rejected'), runtime);
    case 'past':
      runtime.log(`loop=${loop.id} an edit of a frame that is not at work was kept in ${copy('edited')}`);
      return 'settled';
    case 'edited':
      if (amended(open, change, runtime)) copy('edited');
      return 'settled';
  }
}

/** False: the edit changes nothing. */
function amended(
  open: OpenLoop,
  { prompt: written, iterations }: Extract<FileChange, { is: 'edited' }>,
  runtime: Runtime,
): boolean {
  const frame = topFrame(open.loop());
  const prompt = written === null ? null : keepPrompt(open.blobs, written);
  const isNew =
    (prompt !== null && prompt !== frame.prompt) ||
    (iterations !== null && iterations !== (frame.iterations ?? 'unlimited'));
  if (isNew) open.write({ type: 'amended', at: runtime.now(), by: 'view', prompt, iterations });
  return isNew;
}

/** If a person's text there does not count, we copy it before we replace it. */
export function showInFile(view: FileView, open: OpenLoop, file: string, runtime: Runtime): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const rendering = view.render(open, loop);
  const found = readRegular(path);
  if (found.is === 'unreadable') {
    runtime.log(`loop=${loop.id} ${file}: ${found.why}`);
    return runtime.onViewError?.(file, found.why);
  }
  if (found.is === 'gone' || found.content === rendering) return;
  const { last, isOurs } = renderingsOf(open, view.kind);
  if (!isOurs(found.content)) {
    if (view.read(open, found.content, last).is === 'foreign') return;
    keepCopy(open, `edited-${basename(path)}`, found.bytes);
  }
  keepRendering(
    open,
    view.kind,
    rendering,
    () => swapViewFile(path, found.bytes, rendering).is !== 'changed',
  );
}

/** Makes a file where there is none. False: another process made one meanwhile, and that one stays. */
export function makeFile(view: FileView, open: OpenLoop, file: string): boolean {
  const rendering = view.render(open, open.loop());
  const { project } = open.loop();
  const path = resolve(project, file);
  return remembered(view, open, rendering, () => makeViewFile(path, rendering, project));
}

/** Takes over a file that someone else wrote. The caller has kept a copy. False: the file is gone or has changed. */
export function takeFile(view: FileView, open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return false;
  const rendering = view.render(open, open.loop());
  return remembered(view, open, rendering, () => swapViewFile(path, found.bytes, rendering).is !== 'changed');
}

function remembered(view: FileView, open: OpenLoop, rendering: string, write: () => boolean): boolean {
  return view.isSigned === undefined ? keepRendering(open, view.kind, rendering, write) : write();
}

function cancelled(open: OpenLoop, by: 'view' | 'status', runtime: Runtime): Settled {
  open.write({ type: 'cancelled', at: runtime.now(), by, prompt: null });
  return 'settled';
}

export function aborted(open: OpenLoop, detail: string, evidence: string | null, runtime: Runtime): Settled {
  open.write({ type: 'aborted', at: runtime.now(), why: 'view', detail, evidence });
  return 'settled';
}
