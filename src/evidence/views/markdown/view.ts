/**
 * The markdown view. A person can delete it to cancel the loop, or edit it to change the prompt or the limit.
 */
import { hasEnded } from '#law/loop.ts';
import { fileView } from '../file-view.ts';
import { readPromptOf, readPromptText } from '#store/prompts.ts';
import type { View } from '../view.ts';
import { isRendering, readMarkdown, renderMarkdown } from './format.ts';
import { importMarkdown } from './import.ts';
import { STATE_FILE, stateFileOf } from '../places.ts';

export const markdownView: View = {
  ...fileView({
    kind: 'markdown',
    // The number of the rendering includes the `viewed` event, which is written next.
    render: (open, loop) => renderMarkdown({ ...loop, events: loop.events + 1 }, readPromptOf(open, loop)),
    read: (open, content) => readMarkdown(content, open.loop(), (key) => readPromptText(open.blobs, key)),
    renderingOf: (open, loop) => renderMarkdown(loop, readPromptOf(open, loop)),
    isSigned: isRendering,
    places: ({ id }) => [STATE_FILE, stateFileOf(id)],
    goes: hasEnded,
  }),
  import: { place: STATE_FILE, knows: ({ is }) => is !== 'folder', from: importMarkdown },
};
