/** The answer to a judged stop. `wordsFor` is pure; `answerStop` reads what it needs. */
import type { Context } from '#law/record/events.ts';
import { hasEnded, isLive, isPlain, looksAround, wasSpokenTo, type Loop } from '#law/loop.ts';
import type { ContinueVerdict, Verdict } from '#law/record/verdict.ts';
import { SILENCE, type Answer } from '#hosts/port/arrival.ts';
import type { Hearing } from './claim.ts';
import { continuation, hasMoreOpen, type TaskText } from '#telling/agent/continuation.ts';
import { sayShortened, sayTurn } from '#telling/person/nesting.ts';
import { gateActs, whatIsOpen } from '#telling/agent/open-gates.ts';
import type { Commands } from '#telling/audience.ts';
import { sayContinue } from '#telling/person/to-person.ts';
import { sayCrowded } from '#telling/context-warnings.ts';
import { isCrowded } from '#telling/person/status.ts';
import { readTask } from '#store/prompts.ts';
import { deliverNews } from '../requests/ask.ts';
import { sayEnd, sayStanding } from './ending.ts';
import { sayHold } from './say-hold.ts';
import type { Proven } from './prove.ts';

interface HeardStop extends Proven {
  readonly before: Loop;
  readonly after: Loop;
}

export function answerStop({ open, n, arrival, runtime }: Hearing, heard: HeardStop): Answer {
  const { from } = arrival;
  const { before, after, note, facts } = heard;
  const { context } = facts.stop;
  // The journal decides: a cancel that came before the verdict has voided it.
  if (hasEnded(after)) return sayEnd(open, after, from, runtime);
  if (after.last?.n !== n || !isLive(after)) return sayStanding(after);
  if (arrival.isUnanswered) return SILENCE;
  const { verdict } = after.last;
  const goesOn = verdict.is === 'continue';
  // Most loops were neither answered nor steered, so they never load the code that says it. A run tells its
  // next agent.
  const news = goesOn && after.driver === 'hook' && wasSpokenTo(after) ? deliverNews(open, runtime) : '';
  const task = goesOn ? readTask(open, after, from.limits.text) : { prompt: '', file: null };
  const crowded =
    goesOn && isCrowded(context) && runtime.store.once.isNews(crowdedNews(after)) ? context : null;
  return wordsFor(verdict, { before, after, task, crowded, note, news }, from.commands);
}

interface ToSay extends Pick<HeardStop, 'before' | 'after' | 'note'> {
  readonly task: TaskText;
  /** Set if the context is nearly full and that was not reported yet. */
  readonly crowded: Context | null;
  /** What a person answered or said, for the agent. Empty: nothing. */
  readonly news: string;
}

export function wordsFor(verdict: Verdict, said: ToSay, commands: Commands): Answer {
  const { before, after, note } = said;
  const isNested = !isPlain(before);
  // Not for an ending: its message names such items itself.
  const shortened = isNested ? sayShortened(before, after) : null;
  if (verdict.is === 'continue') {
    const turn = isNested ? sayTurn(before, after, verdict) : null;
    return continueAnswer(verdict, { ...said, shortened, turn }, commands);
  }
  if (verdict.is !== 'allow') return SILENCE;
  return { is: 'tell', toPerson: lines([words([sayHold(verdict, after, commands), shortened]), note]) };
}

/** `shortened`, `turn`: what changed in a list of items, and which frame is at work now. */
type ToSayOfFrames = ToSay & { readonly shortened: string | null; readonly turn: string | null };

function continueAnswer(
  verdict: ContinueVerdict,
  { before, after, task, crowded, note, news, shortened, turn }: ToSayOfFrames,
  commands: Commands,
): Answer {
  const { frame } = after;
  const more =
    looksAround(after) || after.notes.length > 0 || hasMoreOpen(verdict)
      ? { open: whatIsOpen(after, verdict, !before.session.compacted), acts: gateActs(frame) }
      : {};
  const toAgent = continuation(after, verdict, task, before.session.compacted, {
    ...more,
    news,
    ...(turn !== null && { turn: `Da Capo: ${turn}` }),
  });
  const toPerson = turn === null ? sayContinue(after, verdict, commands) : `Da Capo: ${turn}`;
  const full = crowded === null ? null : sayCrowded(crowded);
  return {
    is: 'continue',
    toAgent: full === null ? toAgent : `${toAgent}\n\n${full.toAgent}`,
    toPerson: words([lines([words([toPerson, shortened]), note]), full?.toPerson ?? null]),
    iteration: { n: frame.passes + 1, of: frame.iterations },
  };
}

/** A full context is reported once, and again when it fills up after a compaction. */
export function crowdedNews({ id, session: { owner } }: Loop): string {
  return `${owner?.session ?? ''} ${id} context`;
}

function words(parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(' ');
}

function lines(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}
