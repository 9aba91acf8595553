/** The markdown view. A person can delete it to cancel the loop, or edit it to change the prompt or the limit. */
import { basename, join } from 'node:path';
import { hasEnded } from '../../core/loop.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { readInFile, takeFile, type FileView } from '../file-view.ts';
import { readRegular } from '../../files/read.ts';
import { makeViewFile, removeViewFile, replaceViewFile } from '../file.ts';
import type { ImportPlaces } from '../imported.ts';
import { keepCopy } from '../renderings.ts';
import { promptOf, readPromptText } from '../../store/prompts.ts';
import type { View } from '../view.ts';
import { isRendering, readMarkdown, renderMarkdown } from './format.ts';
import { importMarkdown } from './import.ts';
import { showMarkdown } from './show.ts';
import { MARKDOWN_FILES, STATE_FILE, stateFileOf } from './names.ts';

const FILE: FileView = {
  kind: 'markdown',
  // The number of the rendering includes the `viewed` event, which is written next.
  render: (open, loop) => renderMarkdown({ ...loop, events: loop.events + 1 }, promptOf(open, loop)),
  read: (open, content) => readMarkdown(content, open.loop(), (key) => readPromptText(open.blobs, key)),
  isSigned: isRendering,
};

export const markdownView: View = {
  kind: 'markdown',
  files: MARKDOWN_FILES,
  make,
  read: (open, file, runtime) => readInFile(FILE, open, file, runtime),
  render,
  restore: (open) => make(open, {}),
  import: { place: STATE_FILE, knows: ({ is }) => is !== 'folder', from: importMarkdown },
};

/** An existing file belongs to someone else and stays, unless it is the one we adopt. */
function make(open: OpenLoop, { files }: Pick<ImportPlaces, 'files'>): string {
  if (files?.markdown !== undefined && takeFile(FILE, open, files.markdown)) return files.markdown;
  const loop = open.loop();
  const content = FILE.render(open, loop);
  // Of two loops that start at once, one makes the file. With a check beforehand, the second could replace it.
  if (makeViewFile(join(loop.project, STATE_FILE), content, loop.project)) return STATE_FILE;
  const own = stateFileOf(loop.id);
  replaceViewFile(join(loop.project, own), content);
  return own;
}

function render(open: OpenLoop, file: string, runtime: Runtime): void {
  const loop = open.loop();
  if (!hasEnded(loop)) return showMarkdown(open, loop, runtime);
  const path = join(loop.project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return;
  const change = FILE.read(open, found.content, null);
  if (change.is === 'foreign') return;
  if (change.is !== 'untouched') keepCopy(open, `last-${basename(path)}`, found.bytes);
  removeViewFile(path);
}
