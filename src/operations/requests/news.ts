/** What the agent has to be told once: answers to what it asked, and a person's own words. */
import { untoldAnswers } from '../../core/requests.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayNews } from '../../text/requests.ts';

export function takeNews(open: OpenLoop, world: Pick<Runtime, 'now'>): string {
  const loop = open.loop();
  const ids = [...untoldAnswers(loop), ...loop.steers].map(({ id }) => id);
  if (ids.length === 0) return '';
  open.write({ type: 'told', at: world.now(), ids });
  return sayNews(loop);
}
