/**
 * The loop and its view. A person speaks through the view, so it is read before a stop is judged and once more before
 * it is replaced: gone means cancelled, changed means read first. What a person wrote is copied before it goes.
 */
import { basename, join } from 'node:path';
import type { ViewKind } from '../../core/definition.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { keepEvidence } from '../../store/file/evidence.ts';
import { keepPrompt, readPromptText } from '../../store/file/prompts.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { excludeFromGit } from '../exclude.ts';
import { liesStill, makeViewFile, readViewFile, removeViewFile, replaceViewFile } from '../file.ts';
import { readMarkdown, renderMarkdown, type ViewReading } from './format.ts';
import { show } from './glance.ts';
import { STATE_FILE, stateFileOf } from './names.ts';
import type { Places } from '../view.ts';
import { lookAtOthers, makeOthers, restoreOthers, showOthers } from '../registry.ts';
import { promptOf } from '../task.ts';
import type { World } from '../../store/runtime.ts';

/** Gives a new loop its views. */
export function makeViews(open: OpenLoop, kinds: readonly ViewKind[], places: Places, world: World): void {
  if (kinds.includes('markdown')) makeView(open, world);
  makeOthers(open, kinds, places, world);
  if (open.loop().views.length > 0) hideFromGit(open.loop(), world);
}

/** After a loop was reopened. */
export function remakeViews(open: OpenLoop, world: World): void {
  if (open.loop().view !== null) makeView(open, world);
  restoreOthers(open, world);
}

/** A file that is there already is someone else's, and stays. */
function makeView(open: OpenLoop, world: World): void {
  const loop = open.loop();
  const own = stateFileOf(loop.id);
  try {
    const content = renderMarkdown({ ...loop, events: loop.events + 1 }, promptOf(open, loop));
    // Of two loops that start at once, one makes the file: a look beforehand would let the second replace it.
    const file = makeViewFile(join(loop.project, STATE_FILE), content) ? STATE_FILE : own;
    if (file === own) replaceViewFile(join(loop.project, own), content);
    open.write({ type: 'viewed', at: world.now(), kind: 'markdown', file });
    hideFromGit(loop, world);
  } catch (error) {
    world.log(`loop=${loop.id} no view: ${String(error)}`);
    world.unshown?.(STATE_FILE, error);
  }
}

/** Where git's own folder can't be written, git shows the view: no reason to do without it. */
export function hideFromGit({ id, project, views }: Loop, world: World): void {
  try {
    excludeFromGit(project, views);
  } catch (error) {
    world.log(`loop=${id} view not hidden from git: ${String(error)}`);
    world.unshown?.(join('.git', 'info', 'exclude'), error);
  }
}

/** Takes over what a person did to the view, as events. */
export function readView(open: OpenLoop, world: World): Loop {
  const { loop } = lookAtView(open, world);
  return loop.views.length === 0 ? loop : lookAtOthers(open, world);
}

interface Seen {
  readonly loop: Loop;
  /** Someone is writing the file right now: it is read, and replaced, at the next stop. */
  readonly unsettled?: boolean;
}

function lookAtView(open: OpenLoop, world: World): Seen {
  const loop = open.loop();
  if (loop.view === null || hasEnded(loop)) return { loop };
  const path = join(loop.project, loop.view);
  const file = readViewFile(path);
  switch (file.is) {
    case 'gone':
      return { loop: open.write({ type: 'cancelled', at: world.now(), by: 'view', prompt: null }) };
    case 'unreadable': {
      if (file.passing) return { loop, unsettled: true };
      const detail = `${loop.view} can't be read (${file.why})`;
      return {
        loop: open.write({ type: 'aborted', at: world.now(), why: 'view', detail, evidence: null }),
      };
    }
    case 'content': {
      const reading = read(open, file.content);
      if (reading.is === 'untouched') return { loop };
      if (!liesStill(path, file, Date.parse(world.now()))) return { loop, unsettled: true };
      return { loop: takeOver(open, world, path, file.bytes, reading) };
    }
  }
}

function takeOver(
  open: OpenLoop,
  world: World,
  path: string,
  written: Uint8Array,
  reading: Exclude<ViewReading, { is: 'untouched' }>,
): Loop {
  const loop = open.loop();
  switch (reading.is) {
    case 'foreign':
      return open.write({ type: 'cancelled', at: world.now(), by: 'view', prompt: null });
    case 'past': {
      const kept = keepEvidence(open.dir, `edited-${basename(path)}`, written);
      world.log(`loop=${loop.id} an edit of a frame that is not at work was kept in ${kept}`);
      return loop;
    }
    case 'garbage': {
      const evidence = keepEvidence(open.dir, `rejected-${basename(path)}`, written);
      return open.write({
        type: 'aborted',
        at: world.now(),
        why: 'view',
        detail: `${loop.view} can't be trusted: ${reading.why}`,
        evidence,
      });
    }
    case 'edited': {
      const frame = topFrame(loop);
      const prompt = reading.prompt === null ? null : keepPrompt(open.dir, reading.prompt);
      const isNew =
        (prompt !== null && prompt !== frame.prompt) ||
        (reading.iterations !== null && reading.iterations !== (frame.iterations ?? 'unlimited'));
      if (!isNew) return loop;
      keepEvidence(open.dir, `edited-${basename(path)}`, written);
      return open.write({
        type: 'amended',
        at: world.now(),
        by: 'view',
        prompt,
        iterations: reading.iterations,
      });
    }
  }
}

/** Shows the loop as it is now; at its end, takes the file away. Returns what the last look at the view made of the loop. */
export function renderView(open: OpenLoop, world: World): Loop {
  const { loop: seen, unsettled } = lookAtView(open, world);
  const loop = seen.views.length === 0 ? seen : showOthers(open, world);
  if (loop.view === null) return loop;
  const path = join(loop.project, loop.view);
  if (hasEnded(loop)) {
    try {
      removeView(open, path);
    } catch (error) {
      world.log(`loop=${loop.id} view not removed: ${String(error)}`);
      world.unshown?.(loop.view, error);
    }
    return loop;
  }
  if (!unsettled) show(open, loop, world);
  return loop;
}

function removeView(open: OpenLoop, path: string): void {
  const file = readViewFile(path);
  if (file.is !== 'content') return;
  const reading = read(open, file.content);
  if (reading.is === 'foreign') return;
  if (reading.is !== 'untouched') keepEvidence(open.dir, `last-${basename(path)}`, file.bytes);
  removeViewFile(path);
}

function read(open: OpenLoop, content: string): ViewReading {
  return readMarkdown(content, open.loop(), (key) => readPromptText(open.dir, key));
}
