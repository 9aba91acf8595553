/** What the agent has to be told: answers to what it asked, and a person's own words. */
import { untoldAnswers } from '../../core/waiting/requests.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayNews } from '../../text/requests.ts';

export interface News {
  readonly words: string;
  readonly ids: readonly string[];
}

/** Without recording that it was told: a pass may fail before the agent has read it. */
export function readNews({ loop }: Pick<OpenLoop, 'loop'>): News {
  const { requests, steers } = loop().people;
  const untold = [...untoldAnswers({ people: { requests } }), ...steers.filter(({ told }) => !told)];
  return { words: sayNews({ people: { requests, steers } }), ids: untold.map(({ id }) => id) };
}

export function recordTold(open: OpenLoop, { ids }: News, runtime: Pick<Runtime, 'now'>): void {
  if (ids.length === 0) return;
  open.write({ type: 'told', at: runtime.now(), ids });
  open.keep();
}

/** For a message that reaches the agent at once. */
export function takeNews(open: OpenLoop, runtime: Pick<Runtime, 'now'>): string {
  const news = readNews(open);
  recordTold(open, news, runtime);
  return news.words;
}
