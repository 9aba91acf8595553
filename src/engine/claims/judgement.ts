/** The answer to what an agent said about its loop: what was decided, and what each gate showed. */
import { fold } from '#law/fold/index.ts';
import { hash } from '#base/hash.ts';
import type { AnsweredStop, Loop } from '#law/loop.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { sayMissingToAgent } from '#law/words/phrases.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { paragraphs } from '#telling/agent/continuation.ts';
import { stillMissing } from '#telling/agent/open-gates.ts';
import { sayVerdict } from '#telling/verdict.ts';
import { sayTurn } from '#telling/person/nesting.ts';
import { gateStatuses, type GateStatus } from '#telling/gate-status.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';

export interface Judgement {
  readonly ok: true;
  /** The verdict on the stop; on what would be the stop, if `recorded` is not `stop`. */
  readonly decision: Verdict['is'];
  /**
   * What a person is asked, if the decision is to wait for them: the agent's question, or whether the task is
   * done.
   */
  readonly asks: 'question' | 'completion' | 'acceptance' | null;
  /** When Da Capo looks again, if all that is missing is a check that says "not yet". */
  readonly nextLook: string | null;
  readonly reason: string;
  /** `no`: nothing was written. `stop`: a pass is over. `said`: the host's next stop is judged with it. */
  readonly recorded: 'no' | 'stop' | 'said';
  /** The number of the stop in the journal; null if none was recorded. */
  readonly stop: number | null;
  readonly gates: readonly JudgedGate[];
  /** What is still missing, each in one line. */
  readonly missing: readonly string[];
  /**
   * Which frame ended, and what is missing with the output of failed checks, in words for the agent; empty:
   * nothing.
   */
  readonly toAgent: string;
  /** The loop afterwards; as it is, if nothing was written. */
  readonly loop: LoopStatus;
}

export interface JudgedGate extends GateStatus {
  /** The end of what a failed check printed. */
  readonly output?: string;
  /** The file with all of it. Only a recorded stop keeps one. */
  readonly evidence?: string;
}

/** `before`: the loop when the stop was heard. `after`: with the verdict on it. Null: it has none. */
export function judgement(
  before: Loop,
  after: Loop,
  recorded: Judgement['recorded'],
  now: string,
): Judgement | null {
  const { last } = after;
  if (last === null) return null;
  const { verdict } = last;
  const missing = 'missing' in verdict ? verdict.missing : [];
  // The verdict may have ended the frame that was judged.
  const judged = { ...before, last };
  return {
    ok: true,
    decision: verdict.is,
    asks: 'asks' in verdict ? (verdict.asks?.kind ?? null) : null,
    nextLook: verdict.is === 'allow' && verdict.why === 'not-yet' ? verdict.until : null,
    reason: sayVerdict(verdict),
    recorded,
    stop: recorded === 'stop' ? last.n : null,
    gates: gateStatuses(judged).map((gate) => withOutput(gate, last, recorded === 'stop')),
    missing: missing.map(sayMissingToAgent),
    toAgent: paragraphs([
      verdict.is === 'continue' ? (sayTurn(before, after, verdict) ?? '') : '',
      stillMissing(judged, missing),
    ]),
    loop: statusOf(recorded === 'stop' ? after : before, now),
  };
}

function withOutput(gate: GateStatus, { proofs }: NonNullable<Loop['last']>, isKept: boolean): JudgedGate {
  const proof = gate.gate === 'check' ? proofs.find(({ command }) => command === gate.wanted) : undefined;
  if (proof === undefined) return gate;
  return {
    ...gate,
    ...('tail' in proof.outcome && { output: proof.outcome.tail }),
    ...(isKept && proof.evidence !== null && { evidence: proof.evidence }),
  };
}

/**
 * The loop as it was right after the verdict on one stop. Another process may have judged a later one since.
 */
export function loopAtStop(open: OpenLoop, n: number): Loop | null {
  const now = open.look();
  if (now.last?.n === n) return now;
  let loop: Loop | null = null;
  for (const event of open.journal.read(0).events) {
    loop = fold(loop, event);
    if (event.type === 'verdict' && event.n === n) return loop?.last?.n === n ? loop : null;
  }
  return null;
}

/**
 * The stop of this call: this process claimed it, or another one did with the same words. Null: it was not
 * judged. Two calls of one process may begin in the same millisecond, so the words have to fit in any case.
 */
export function stopOf(loop: Loop, message: string, after: number, runtime: Runtime): number | null {
  const isMine = ({ process, started }: AnsweredStop) =>
    process === runtime.process && started === runtime.started;
  const words = hash(message);
  const same = loop.answered.filter((stop) => stop.n > after && stop.words === words);
  return (same.find(isMine) ?? same[0])?.n ?? null;
}
