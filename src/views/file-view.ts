/** A view in one file that is ours alone: what others did to it is read, and it is replaced, with the same care in each format. */
import { basename, resolve } from 'node:path';
import type { ViewKind } from '../core/definition.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { liesStill, makeViewFile, readViewFile } from './file.ts';
import { keepCopy, keepRendering, renderingsOf } from './renderings.ts';
import { swapViewFile } from './swap.ts';
import { keepPromptOf } from './task.ts';
import type { Settled } from './view.ts';

/** What someone did to the file. */
export type Change =
  | { readonly is: 'untouched' | 'cancelled' }
  /** It is another loop's now, or names none. */
  | { readonly is: 'foreign' }
  | { readonly is: 'aborted' | 'garbage'; readonly why: string }
  | {
      readonly is: 'edited';
      readonly prompt: string | null;
      readonly iterations: number | 'unlimited' | null;
    }
  /** An edit of another frame than the one at work. */
  | { readonly is: 'past' };

export interface FileView {
  readonly kind: ViewKind;
  readonly render: (open: OpenLoop, loop: Loop) => string;
  /** `last`: the rendering before, where one is kept. */
  readonly read: (open: OpenLoop, content: string, last: string | null) => Change;
  /** Tells a rendering of ours by its content. Without it, renderings are kept beside the journal and compared. */
  readonly isSigned?: (content: string, loop: Loop) => boolean;
}

export function readInFile(view: FileView, open: OpenLoop, file: string, world: Runtime): Settled {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readViewFile(path);
  if (found.is === 'gone') return cancelled(open, 'view', world);
  if (found.is === 'unreadable')
    return found.passing ? 'unsettled' : aborted(open, `${file} can't be read (${found.why})`, null, world);
  if (view.isSigned?.(found.content, loop)) return 'settled';
  const { last, isOurs } = renderingsOf(open, view.kind);
  if (isOurs(found.content)) return 'settled';
  if (!liesStill(path, found, Date.parse(world.now()))) return 'unsettled';
  const change = view.read(open, found.content, last);
  const copy = (why: string) => keepCopy(open, `${why}-${basename(path)}`, found.bytes);
  switch (change.is) {
    case 'untouched':
      return 'settled';
    case 'foreign':
      return cancelled(open, 'view', world);
    case 'cancelled':
      return cancelled(open, 'status', world);
    case 'aborted':
      return aborted(open, `${file} says ABORT (${change.why})`, copy('rejected'), world);
    case 'garbage':
      return aborted(open, `${file} can't be trusted: ${change.why}`, copy('rejected'), world);
    case 'past':
      world.log(`loop=${loop.id} an edit of a frame that is not at work was kept in ${copy('edited')}`);
      return 'settled';
    case 'edited':
      if (amended(open, change, world)) copy('edited');
      return 'settled';
  }
}

/** False: it says nothing that is new. */
function amended(
  open: OpenLoop,
  { prompt: written, iterations }: Extract<Change, { is: 'edited' }>,
  world: Runtime,
): boolean {
  const frame = topFrame(open.loop());
  const prompt = written === null ? null : keepPromptOf(open, written);
  const isNew =
    (prompt !== null && prompt !== frame.prompt) ||
    (iterations !== null && iterations !== (frame.iterations ?? 'unlimited'));
  if (isNew) open.write({ type: 'amended', at: world.now(), by: 'view', prompt, iterations });
  return isNew;
}

/** What someone wrote there and does not count is copied before it goes. */
export function showInFile(view: FileView, open: OpenLoop, file: string, world: Runtime): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const rendering = view.render(open, loop);
  const found = readViewFile(path);
  if (found.is === 'unreadable') {
    world.log(`loop=${loop.id} ${file}: ${found.why}`);
    return world.unshown?.(file, found.why);
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

/** Where nothing is. False: something came in between, and stays. */
export function makeFile(view: FileView, open: OpenLoop, file: string): boolean {
  const rendering = view.render(open, open.loop());
  const path = resolve(open.loop().project, file);
  return remembered(view, open, rendering, () => makeViewFile(path, rendering));
}

/** A file that someone else wrote becomes ours. The caller has kept a copy. False: it is not there any more, or changed. */
export function takeFile(view: FileView, open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readViewFile(path);
  if (found.is !== 'content') return false;
  const rendering = view.render(open, open.loop());
  return remembered(view, open, rendering, () => swapViewFile(path, found.bytes, rendering).is !== 'changed');
}

function remembered(view: FileView, open: OpenLoop, rendering: string, write: () => boolean): boolean {
  return view.isSigned === undefined ? keepRendering(open, view.kind, rendering, write) : write();
}

function cancelled(open: OpenLoop, by: 'view' | 'status', world: Runtime): Settled {
  open.write({ type: 'cancelled', at: world.now(), by, prompt: null });
  return 'settled';
}

export function aborted(open: OpenLoop, detail: string, evidence: string | null, world: Runtime): Settled {
  open.write({ type: 'aborted', at: world.now(), why: 'view', detail, evidence });
  return 'settled';
}
