/** The brief for an agent that takes up its loop again, with what a person answered or said meanwhile. */
import type { Loop } from '../core/loop.ts';
import type { Sender } from '../hosts/arrival.ts';
import { takeNews } from '../operations/requests/news.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { brief } from '../text/agent/to-agent.ts';
import { taskOf } from '../store/prompts.ts';

export function briefWithNews(open: OpenLoop, loop: Loop, from: Sender, world: Runtime): string {
  const news = takeNews(open, world);
  const words = brief(loop, taskOf(open, loop, from.limits.text - news.length));
  return news === '' ? words : `${news}\n\n${words}`;
}
