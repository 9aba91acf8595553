/** A view in one file that is ours alone, beside the markdown one: read back and replaced with the same care. */
import { basename, resolve } from 'node:path';
import type { Loop, OtherView } from '../core/loop.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { keepRendering, renderingsOf } from './renderings.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { liesStill, makeViewFile, readViewFile } from './file.ts';
import { swapViewFile } from './swap.ts';
import type { Seen } from './view.ts';
import type { World } from '../store/runtime.ts';

/** What was done to the file, in the words of all views of this kind. */
export type Reading =
  | { readonly is: 'untouched' | 'foreign' | 'cancelled' }
  | { readonly is: 'aborted' | 'garbage'; readonly why: string };

export interface FileView {
  readonly kind: OtherView['kind'];
  readonly read: (content: string, loop: Loop, last: string | null) => Reading;
  readonly render: (open: OpenLoop, loop: Loop) => string;
}

export function lookAtFile({ kind, read }: FileView, open: OpenLoop, file: string, world: World): Seen {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readViewFile(path);
  if (found.is === 'gone') return { loop: cancelled(open, 'view', world) };
  if (found.is === 'unreadable')
    return found.passing
      ? { loop, unsettled: true }
      : { loop: aborted(open, `${file} can't be read (${found.why})`, null, world) };
  const { last, isOurs } = renderingsOf(open.dir, kind);
  if (isOurs(found.content)) return { loop };
  if (!liesStill(path, found, Date.parse(world.now()))) return { loop, unsettled: true };
  const reading = read(found.content, loop, last);
  switch (reading.is) {
    case 'untouched':
      return { loop };
    case 'foreign':
    case 'cancelled':
      return { loop: cancelled(open, 'status', world) };
    case 'aborted':
    case 'garbage': {
      const evidence = keepEvidence(open.dir, `rejected-${basename(path)}`, found.bytes);
      const detail =
        reading.is === 'aborted'
          ? `${file} says ABORT (${reading.why})`
          : `${file} can't be trusted: ${reading.why}`;
      return { loop: aborted(open, detail, evidence, world) };
    }
  }
}

/** What someone wrote there and does not count is copied before it goes. */
export function showInFile(view: FileView, open: OpenLoop, file: string, world: World): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const rendering = view.render(open, loop);
  const found = readViewFile(path);
  if (found.is === 'unreadable') {
    world.log(`loop=${loop.id} ${file}: ${found.why}`);
    return world.unshown?.(file, found.why);
  }
  if (found.is === 'gone') return;
  const { last, isOurs } = renderingsOf(open.dir, view.kind);
  if (found.content === rendering) return;
  if (!isOurs(found.content)) {
    if (view.read(found.content, loop, last).is === 'foreign') return;
    keepEvidence(open.dir, `edited-${basename(path)}`, found.bytes);
  }
  keepRendering(
    open.dir,
    view.kind,
    rendering,
    () => swapViewFile(path, found.bytes, rendering).is !== 'changed',
  );
}

/** Where nothing is. False: something came in between, and stays. */
export function makeFile({ kind, render }: FileView, open: OpenLoop, file: string): boolean {
  const rendering = render(open, open.loop());
  const path = resolve(open.loop().project, file);
  return keepRendering(open.dir, kind, rendering, () => makeViewFile(path, rendering));
}

/** Another tool's file becomes ours. Whoever calls has kept a copy. */
export function takeFile({ kind, render }: FileView, open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readViewFile(path);
  if (found.is !== 'content') return false;
  const rendering = render(open, open.loop());
  return keepRendering(
    open.dir,
    kind,
    rendering,
    () => swapViewFile(path, found.bytes, rendering).is !== 'changed',
  );
}

function cancelled(open: OpenLoop, by: 'view' | 'status', world: World): Loop {
  return open.write({ type: 'cancelled', at: world.now(), by, prompt: null });
}

export function aborted(open: OpenLoop, detail: string, evidence: string | null, world: World): Loop {
  return open.write({ type: 'aborted', at: world.now(), why: 'view', detail, evidence });
}
