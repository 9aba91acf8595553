/**
 * The limits that have to be counted: money, tokens, stops without progress; and a context that is nearly full. A file of
 * its own in the plugin: a loop without a budget whose only gate is a promise, and which gets on, never loads it.
 */
import { join } from 'node:path';
import { overBudget } from '../core/budget.ts';
import { stagnation, stallsAt, wantsTree } from '../core/circuit.ts';
import { isCrowded } from '../core/context.ts';
import type { EventOf } from '../core/events.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Overrun, Proofs, Stop } from '../core/stop.ts';
import { sayCrowded } from '../text/usage.ts';
import type { Answer, StopArrival } from '../hosts/arrival.ts';
import { isNews } from '../store/file/once.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { crowdedNews } from './crowded.ts';
import { markOf } from './prove.ts';
import type { World } from '../store/runtime.ts';

export interface Limits {
  readonly counts: Pick<EventOf<'verdict'>, 'used' | 'tree' | 'stalls'>;
  readonly over: Overrun | null;
  /** Adds what the person and the agent have to know of it. */
  readonly warn: (answer: Answer, world: World) => Answer;
}

/** `draft`: how the stop would be judged if no such limit were reached. */
export async function limitsAt(
  open: OpenLoop,
  arrival: StopArrival,
  stop: Stop,
  proofs: Proofs,
  draft: Verdict,
): Promise<Limits> {
  const loop = open.loop();
  const hasBudget = (loop.costUsd ?? loop.tokens) !== null;
  const counted = hasBudget ? await arrival.count?.(loop, join(open.dir, 'usage.json')) : undefined;
  const used = counted?.used ?? stop.used;
  const tree = wantsTree(loop, stop, proofs, draft) ? await markOf(loop) : null;
  const stalls = stallsAt(loop, stop, proofs, draft, tree);
  return {
    counts: { used, tree, stalls },
    over: overBudget(loop, used) ?? stagnation(loop, stop, draft, stalls),
    warn: (answer, world) => {
      const noted = withNote(answer, counted?.note ?? null);
      const isFirst = () => isNews(world.home, crowdedNews(loop));
      return isCrowded(stop.context) && noted.is === 'continue' && isFirst() ? crowded(noted, stop) : noted;
    },
  };
}

function withNote(answer: Answer, note: string | null): Answer {
  if (note === null || !('toPerson' in answer)) return answer;
  return { ...answer, toPerson: [answer.toPerson, note].join('\n') };
}

function crowded(answer: Extract<Answer, { is: 'continue' }>, { context }: Stop): Answer {
  const words = sayCrowded(context);
  return {
    ...answer,
    toAgent: `${answer.toAgent}\n\n${words.toAgent}`,
    toPerson: `${answer.toPerson} ${words.toPerson}`,
  };
}
