/**
 * A prompt arrives in a session. It may bind a loop that waits for it, continue one, or be the person's own.
 */
import { hasEnded, isAwaitingAnswer, isCutOff, isLive, isStale, type Loop } from '#law/loop.ts';
import { untoldAnswers } from '#law/waiting/requests.ts';
import { isRestored } from '#telling/agent/open-gates.ts';
import { brief, shortBrief } from '#telling/agent/to-agent.ts';
import { isUsualExit } from '#telling/person/status.ts';
import { sayAnswered } from '#telling/person/requests.ts';
import { sayGoesOn, sayGoesOnAfter, sayPaused, sayStarted } from '#telling/person/to-person.ts';
import {
  SILENCE,
  type Answer,
  type HostSetup,
  type PromptArrival,
  type Sender,
} from '#hosts/port/arrival.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { pauseLoop, resumeLoop } from '../steer/control.ts';
import { endedMeanwhile } from './ending.ts';
import { bind } from '../begin/bind.ts';
import { isOwner } from './own-loop.ts';
import { briefWithNews } from './session.ts';
import { withSetupWords } from './commands/command.ts';
import { withLoop } from '../look/loops.ts';
import { deliverNews } from '../requests/ask.ts';
import { readTask } from '#store/prompts.ts';
import { readViews, showAndKeep } from '#evidence/views/views.ts';
import type { Runtime } from '#store/runtime.ts';

const UNKNOWN: HostSetup = { cap: null, liftCap: null };

export function hearPrompt(arrival: PromptArrival, runtime: Runtime): Answer {
  const { from } = arrival;
  const entry = runtime.store.sessions.find(from.session);
  const id = entry?.loop ?? (arrival.person ? runtime.store.ready.find(from.project, arrival.text) : null);
  const hearAs = entry === null ? bindReady : carryOnOrPause;
  return (id === null ? null : withLoop(id, runtime, (open) => hearAs(open, arrival, runtime))) ?? SILENCE;
}

function carryOnOrPause(open: OpenLoop, arrival: PromptArrival, runtime: Runtime): Answer {
  const { from } = arrival;
  const loop = isAwaitingAnswer(open.loop()) ? readViews(open, runtime) : open.loop();
  if (loop.status.is === 'interrupted') {
    if (!arrival.person) return SILENCE;
    return isCutOff(loop) && !isStale(loop, runtime.now())
      ? goOnAfterFault(open, from, runtime)
      : pauseHere(open, from, runtime);
  }
  if (arrival.person && endedUnheard(loop)) return endedMeanwhile(loop, from, runtime);
  if (!isLive(loop)) return SILENCE;
  const { owner, chain } = loop.session;
  if (owner?.process === null && owner.session === from.session && from.process !== null)
    bind(open, from, { how: 'start', prompt: null }, runtime);
  else if (!isOwner(loop, from, runtime)) return SILENCE;
  if (chain === from.prompt && from.prompt !== null) return SILENCE;
  if (arrival.person && !waitsFor(loop, runtime.now())) return pauseHere(open, from, runtime);
  open.write({ type: 'prompted', at: runtime.now(), prompt: from.prompt });
  const carried = showAndKeep(open, runtime);
  if (hasEnded(carried)) return endedMeanwhile(carried, from, runtime);
  const news = deliverNews(open, runtime);
  return withNews(chain === null ? welcome(open, arrival, runtime) : SILENCE, news, whoAnswered(loop));
}

/**
 * What a person answered or said reaches the agent with this prompt, and the person in the session reads who
 * it was.
 */
function withNews(answer: Answer, news: string, who: string | null): Answer {
  const brief = answer.is === 'brief' ? [answer.toAgent] : [];
  const toPerson = (answer.is === 'brief' || answer.is === 'tell' ? answer.toPerson : null) ?? who;
  if (news !== '') return { is: 'brief', toAgent: [news, ...brief].join('\n\n'), toPerson };
  return answer.is === 'silence' && toPerson !== null ? { is: 'tell', toPerson } : answer;
}

/**
 * The answers since the last stop, which the session goes on with. Null: none, or the person gave them here.
 */
function whoAnswered({ people: { requests }, last }: Loop): string | null {
  const since = requests.filter(
    ({ answer }) =>
      answer !== null &&
      answer.is !== 'expired' &&
      answer.by !== 'session' &&
      Date.parse(answer.at) >= Date.parse(last?.at ?? answer.at),
  );
  return since.length === 0 ? null : `Da Capo: ${sayAnswered(since)}.`;
}

/** Nobody read what we said when it happened, so the person hears it with their next prompt. */
function endedUnheard({ status }: Loop): boolean {
  return status.is === 'escalated' && (status.why.is === 'fatal' || status.why.is === 'unanswered');
}

/**
 * Whether the next prompt continues the loop. What a person types while they are asked something else, or
 * while a check is waited for, is answered, and the loop goes on waiting. Once the loop is stale, only an
 * explicit command of the person revives it.
 */
function waitsFor(loop: Loop, now: string): boolean {
  if (isAwaitingAnswer(loop) || loop.session.awaits !== null || untoldAnswers(loop).length > 0) return true;
  return (loop.session.chain === null || loop.session.yielded) && !isStale(loop, now);
}

/**
 * The first prompt of a loop that was started or resumed outside the session. If it is not the task itself,
 * the agent gets the task too.
 */
function welcome(open: OpenLoop, arrival: PromptArrival, runtime: Runtime): Answer {
  const { from, text } = arrival;
  const loop = open.loop();
  const task = readTask(open, loop, from.limits.text);
  // The agent does not know yet that the loop was resumed from a checkpoint.
  if (isRestored(loop)) return { is: 'brief', toAgent: brief(loop, task), toPerson: sayGoesOn(loop) };
  if (loop.stops > 0) return { is: 'tell', toPerson: sayGoesOn(loop) };
  const toAgent = text.trim() === task.prompt.trim() ? shortBrief(loop) : brief(loop, task);
  return { is: 'brief', toAgent, toPerson: sayBegun(loop, arrival, runtime) };
}

function sayBegun(loop: Loop, { setup }: PromptArrival, runtime: Runtime): string {
  return withSetupWords(sayStarted(loop), loop.people.notify, setup?.() ?? UNKNOWN, runtime);
}

/**
 * A fault stopped the loop, so this prompt continues it. What the person wants comes first, then the task.
 */
function goOnAfterFault(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  const { session, process, prompt } = from;
  const before = open.loop();
  const loop = resumeLoop(open, { by: 'session', session, process, prompt, iterations: null }, runtime);
  if (hasEnded(loop)) return endedMeanwhile(loop, from, runtime);
  const toPerson = sayGoesOnAfter(before, from.commands);
  return { is: 'brief', toAgent: briefWithNews(open, loop, from, runtime), toPerson };
}

/** A prompt of the person's own. Said once: from then on the loop is paused, and the person knows. */
function pauseHere(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  const before = open.loop();
  const paused = pauseLoop(open, 'session', 'prompt', runtime) ?? open.loop();
  if (hasEnded(paused)) return endedMeanwhile(paused, from, runtime);
  // A session that was quit and opened again has just said so. An error, a kill or the host's cap is still
  // news.
  const { status } = before;
  const isNews = status.is === 'interrupted' && !(status.why === 'session-end' && isUsualExit(status.detail));
  return { is: 'tell', toPerson: sayPaused(isNews ? before : paused, from.commands) };
}

function bindReady(open: OpenLoop, arrival: PromptArrival, runtime: Runtime): Answer {
  const { from } = arrival;
  if (open.loop().status.is !== 'pending') return SILENCE;
  const bound = bind(open, from, { how: 'prompt', prompt: from.prompt }, runtime);
  // If two sessions submit the prompt at once, the first in file order owns the loop.
  if (bound.session.owner?.session !== from.session) {
    runtime.store.sessions.drop(from.session);
    return SILENCE;
  }
  const loop = showAndKeep(open, runtime);
  runtime.store.ready.drop(loop.project, arrival.text);
  if (hasEnded(loop)) return endedMeanwhile(loop, from, runtime);
  return { is: 'brief', toAgent: shortBrief(loop), toPerson: sayBegun(loop, arrival, runtime) };
}
