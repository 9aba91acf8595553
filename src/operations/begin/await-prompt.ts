/** The store's entry by which the first session that gets the prompt of a loop finds that loop. */
import { readPrompt } from '../look/loops.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';

export function awaitPrompt(open: OpenLoop, { store }: Runtime): void {
  const { project, id } = open.loop();
  store.ready.keep(project, readPrompt(open), id);
}

/** The loop was cancelled or taken up in another way. Another loop may wait for the same prompt by now. */
export function stopAwaitingPrompt(open: OpenLoop, { store }: Runtime): void {
  const { project, id } = open.loop();
  const prompt = readPrompt(open);
  if (store.ready.find(project, prompt) === id) store.ready.drop(project, prompt);
}
