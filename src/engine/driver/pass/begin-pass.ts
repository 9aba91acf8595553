/** Begins a pass: chooses its session and its model, and writes the prompt of its agent. */
import { randomUUID } from 'node:crypto';
import { oneLine } from '#base/words/sanitize.ts';
import { itemsPassing } from '#law/gates.ts';
import { confirmations } from '#law/proof/news.ts';
import { hasEnded, isLive, planOf, wasSpokenTo, type Frame, type Loop } from '#law/loop.ts';
import type { EventOf } from '#law/record/events.ts';
import { continuation, howToEnd, paragraphs } from '#telling/agent/continuation.ts';
import { TERMINAL } from '#telling/audience.ts';
import { gateActs, whatIsOpen } from '#telling/agent/open-gates.ts';
import { freshBrief } from '#telling/agent/to-agent.ts';
import { saySoFar } from '#telling/person/requests.ts';
import { stopAwaitingPrompt } from '#engine/begin/bind.ts';
import { ownerRuns } from '#engine/look/loops.ts';
import { NO_NEWS, readNews, type News } from '#engine/requests/ask.ts';
import { readTask } from '#store/prompts.ts';
import { isHere, isOwnedElsewhere, type Runtime } from '#store/runtime.ts';
import type { Pass } from '#hosts/port/headless.ts';
import type { Spent } from '#hosts/port/stream.ts';
import { type Sender, NO_LIMITS } from '#hosts/port/arrival.ts';
import { evidenceFile, evidenceFolder } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { sayPlanted } from '#law/words/phrases.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { recordPlanted } from '#engine/trust/brought.ts';
import type { Drive, FreshRun } from '../options.ts';
import { notesFor, featureAtWork, featureFacts, nextFeature } from '../work.ts';
import { chooseSession, whoGoesOn, type SessionSoFar } from './session-choice.ts';
import { totalSoFar } from './pass-record.ts';
import type { RunEventBody } from '#engine/run-event.ts';

/** The title shares a line with the iteration. */
const MAX_TITLE_CHARS = 120;

export interface PassOrder {
  readonly from: Sender;
  readonly asked: Pass;
  /** An extra pass before this one, which only compacts the context of its session. */
  readonly compaction: { readonly pass: Pass; readonly evidence: string } | null;
  readonly news: News;
  readonly began: string;
  readonly session: SessionSoFar;
  /** What the session had used before. Null: nothing, as far as we know. */
  readonly earlier: Spent | null;
  readonly evidence: string;
  readonly begins: Extract<RunEventBody, { is: 'iteration-begins' }>;
}

/**
 * What an agent or a check wrote for the host, and nobody agreed to, must not run: the loop then needs a
 * person. False: the pass may begin.
 */
export function stopIfPlanted({ open, run, runtime }: Drive): boolean {
  const planted = recordPlanted(open, run.host, runtime);
  if (planted === null) return false;
  showAndKeep(open, runtime);
  run.tell({ is: 'warning', text: sayPlanted(planted) });
  return true;
}

/** Null: another process has the loop, or has ended it. */
export function beginPass(
  open: OpenLoop,
  { host, permissionMode }: Pick<FreshRun, 'host' | 'permissionMode'>,
  last: SessionSoFar | null,
  runtime: Runtime,
): PassOrder | null {
  const before = open.loop();
  const passing = itemsPassing(featureFacts(before)) ?? 0;
  // Whoever did the work does not see what is missing in it, so a new agent confirms it.
  const isConfirming = before.frame.confirm !== undefined && confirmations(before) !== null;
  const choice = chooseSession(planOf(before).context, isConfirming ? null : last, passing);
  const pass = randomUUID();
  const resume = choice === 'new' ? null : (last?.session ?? null);
  const session = resume ?? pass;
  const model = modelFor(before);
  const earlier = resume === null ? null : totalSoFar(evidenceFolder(open), host);
  const loop = claimPass(open, { session, pass, model, host: host.name }, runtime);
  if (loop === null) return null;
  runtime.store.sessions.keep(session, { loop: loop.id, process: runtime.process, project: loop.project });
  open.keep();
  const compacts = choice === 'compact' && host.can.compact === true;
  const news = wasSpokenTo(loop) ? readNews(loop) : NO_NEWS;
  const { fallbackModel, tools, extra } = planOf(loop);
  const asked = {
    session,
    resume,
    compact: false,
    model: modelFor(loop),
    fallbackModel,
    allowedTools: tools,
    budgetUsd: usdLeft(loop),
    extra,
    permissionMode,
    prompt: promptFor(open, loop, { knows: resume !== null, compacts }, news.words),
  };
  const n = loop.frame.passes + 1;
  const fresh = { session, iterations: 0, passing, compactedAt: 0 };
  return {
    from: {
      host: loop.host,
      limits: NO_LIMITS,
      session,
      process: runtime.process,
      project: loop.project,
      prompt: pass,
      commands: TERMINAL,
    },
    asked,
    compaction: compacts
      ? { pass: compacting(loop, asked), evidence: evidenceFile(open, `compaction-${n}.jsonl`) }
      : null,
    news,
    began: loop.session.boundAt,
    session: resume !== null && last !== null ? last : fresh,
    earlier,
    evidence: evidenceFile(open, `pass-${n}.jsonl`),
    begins: beginsWith(loop, session, model),
  };
}

/** One pass must not spend more than is left for the whole loop. */
function usdLeft({ limits: { costUsd }, spent }: Loop): number | null {
  return costUsd === null ? null : Math.max(0, costUsd - spent.costUsd);
}

function beginsWith(loop: Loop, session: string, model: string | null): PassOrder['begins'] {
  const { frame } = loop;
  return {
    is: 'iteration-begins',
    iteration: frame.passes + 1,
    iterations: frame.iterations,
    model,
    session,
    feature: featureAtWork(loop),
    item: itemOf(frame),
  };
}

/**
 * Null: another run has the loop. Two may have waited for the same moment. A person's word may come in
 * between. It does not take the loop, so we try again.
 */
function claimPass(
  open: OpenLoop,
  wanted: Pick<EventOf<'taken'>, 'session' | 'pass' | 'model' | 'host'>,
  runtime: Runtime,
): Loop | null {
  const machine = runtime.store.machine();
  for (let before = open.loop(); ; before = open.loop()) {
    if (isDrivenByAnother(before, runtime)) return null;
    const taken = { ...wanted, process: runtime.process, machine };
    const loop = open.write({ type: 'taken', at: runtime.now(), n: before.events + 1, ...taken });
    if (loop.session.chain === wanted.pass) {
      if (before.status.is === 'pending') stopAwaitingPrompt(open, runtime);
      return loop;
    }
    const { chain, boundAt } = before.session;
    if (hasEnded(loop) || loop.session.chain !== chain || loop.session.boundAt !== boundAt) return null;
  }
}

/** On another machine nobody can be looked up; there the record decides who drives. */
function isDrivenByAnother(loop: Loop, runtime: Runtime): boolean {
  const { owner } = loop.session;
  if (owner === null || !isHere(owner, runtime)) return false;
  return isLive(loop) && isOwnedElsewhere(loop, runtime) && ownerRuns(loop, runtime);
}

function compacting(loop: Loop, pass: Pass): Pass {
  const prompt =
    `Keep what the task of loop ${loop.id} needs: what is done, what is open, what was ` + 'found out.';
  return { ...pass, compact: true, prompt };
}

/**
 * An agent with the conversation gets what is new; an agent without it, or with a summary of it, gets
 * everything.
 */
function promptFor(
  open: OpenLoop,
  loop: Loop,
  { knows, compacts }: { readonly knows: boolean; readonly compacts: boolean },
  news: string,
): string {
  const task = readTask(open, loop, NO_LIMITS.text);
  const verdict = loop.last?.verdict;
  const forgot = compacts || loop.session.compacted;
  if (knows && verdict?.is === 'continue')
    return continuation(loop, verdict, task, forgot, {
      news: paragraphs([forgot ? saySoFar(loop) : '', news]),
      open: whatIsOpen(loop, verdict, !forgot),
      acts: gateActs(loop.frame),
    });
  // The pass before it ended with a request. Its agent knows the task, and waits for the answer.
  if (knows && verdict?.is === 'allow' && news !== '')
    return paragraphs([news, howToEnd(loop.frame, gateActs(loop.frame))]);
  const brief = freshBrief(loop, task, whoGoesOn(planOf(loop).context));
  return paragraphs([brief, planOf(loop).notes ? notesFor(loop) : '', news]);
}

function modelFor(loop: Loop): string | null {
  return nextFeature(loop)?.model ?? planOf(loop).model;
}

function itemOf({ item }: Frame): string | null {
  return item === null ? null : `item ${item.n} of ${item.of}: ${oneLine(item.title, MAX_TITLE_CHARS)}`;
}
