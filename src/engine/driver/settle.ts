/**
 * Settles a pass: its stop is heard like any other; a fault is recorded, waited out, or handed to a person.
 */
import { gateStatuses } from '#telling/gate-status.ts';
import { few, sayOpen } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { doneOf } from '#law/proof/done.ts';
import { hasBudget, hasEnded, isLive, isPlain, planOf, type Loop } from '#law/loop.ts';
import type { EventOf, Event } from '#law/record/events.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { sayTurn } from '#telling/person/nesting.ts';
import { sayDone } from '#telling/person/status.ts';
import { askAboutFault, NO_NEWS, recordTold } from '../requests/ask.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { spokenStop } from '../claims/claim.ts';
import { hearStop } from '../hearing/stop.ts';
import { AWAITING } from '../hearing/proofs/late-room.ts';
import { interruptLoop } from '../steer/control.ts';
import { mayDrive } from '#store/runtime.ts';
import { sayFree, sayUnpriced } from '#hosts/prices/prices.ts';
import type { Denial, PassRecord } from '#hosts/port/stream.ts';
import type { Outcome } from '#hosts/port/headless.ts';
import type { StopArrival } from '#hosts/port/arrival.ts';
import { retryAfter } from './backoff.ts';
import type { Drive } from './options.ts';
import { onEnd, ownWithoutPass } from './wait.ts';
import type { RunEventBody } from '../run-event.ts';
import type { PassOrder } from './pass/begin-pass.ts';
import { accountFor, readStream, streamSince, usageEvent, usedIn } from './pass/pass-record.ts';
import { createReadStream } from 'node:fs';
import { evidenceFolder } from '#store/evidence.ts';

const MAX_DENIALS_LISTED = 5;
const MAX_DENIAL_CHARS = 120;

const VERDICTS: Readonly<Record<Verdict['is'], string>> = {
  continue: 'not done yet',
  complete: 'done',
  escalate: 'a person is needed',
  exhaust: 'a limit is reached',
  allow: 'let through',
};

const UNCOUNTED =
  'the host reported neither cost nor tokens, so the limit of this loop on them has no effect';

/**
 * Said after the first pass, before a night of work counts as free. Null: the limits of the loop can be kept.
 */
function doubtAbout({ spent, limits }: Loop, { spent: told, model }: PassRecord): string | null {
  if (told?.estimate === 'dearest') return sayUnpriced(model ?? 'its model');
  if (spent.costUsd > 0) return null;
  if (spent.tokens === 0) return UNCOUNTED;
  return limits.costUsd === null ? null : sayFree();
}

export interface EndedPass {
  readonly taken: PassOrder;
  readonly outcome: Exclude<Outcome, { is: 'broken-off' }>;
  readonly record: PassRecord;
}

export async function settlePass(drive: Drive, pass: EndedPass): Promise<void> {
  const { open, run, runtime } = drive;
  const { outcome, taken } = pass;
  switch (outcome.is) {
    case 'stopped':
    case 'budget':
      await hearPass(drive, pass);
      break;
    // Its work stays and its iteration is spent: a host that hangs every time must not run forever.
    case 'timed-out':
    case 'silent':
      writeFault(drive, pass, { fault: outcome.is, detail: sayCutShort(outcome), until: null });
      await hearPass(drive, pass);
      break;
    case 'transient':
    case 'crashed':
    case 'limit': {
      const resetsAt = outcome.is === 'limit' ? outcome.resetsAt : null;
      const attempt = open.loop().run.faults.inARow + 1;
      const until = retryAfter({ is: outcome.is, resetsAt }, attempt, runtime.now(), run.chance());
      writeFault(drive, pass, { fault: outcome.is, detail: outcome.why, until });
      break;
    }
    case 'fatal': {
      const detail = `${outcome.kind}: ${outcome.why}`;
      writeFault(drive, pass, { fault: 'fatal', detail, until: null, login: run.host.login });
      askAboutFault(open, outcome, taken.evidence, runtime);
      break;
    }
  }
  runtime.store.sessions.drop(taken.from.session);
}

async function hearPass(drive: Drive, pass: EndedPass): Promise<void> {
  const { open, run, runtime } = drive;
  const { outcome } = pass;
  const before = open.loop();
  const { stops, last } = before;
  // One driver process hears many stops. The start of the pass distinguishes them.
  await hearUnlessStopped(drive, arrivalOf(pass), pass.taken.began);
  const loop = open.look();
  if (loop.stops === stops && isLive(loop)) {
    const fault = { fault: 'crashed', detail: 'its stop could not be heard', until: null } as const;
    return writeFault(drive, pass, fault);
  }
  const verdict = loop.last?.verdict;
  // The hearing was interrupted: this stop has no verdict, and the last one belongs to an earlier stop.
  if (verdict === undefined || loop.last?.n === last?.n) return countSpent(drive, pass.record);
  if (outcome.is === 'stopped' && outcome.denied.length > 0) run.tell(sayDenied(outcome.denied));
  // A pass that failed has told its agent nothing, so the next one gets the same words.
  if (pass.taken.news !== NO_NEWS) recordTold(open, pass.taken.news, runtime);
  // The host made room in the conversation, which the next pass may continue.
  if (pass.record.compactions > 0) open.write({ type: 'compacted', at: runtime.now() });
  tellVerdict(drive, before, verdict);
  run.tell(usageEvent(loop));
  const doubt = loop.stops === 1 && hasBudget(loop) ? doubtAbout(loop, pass.record) : null;
  if (doubt !== null) run.tell({ is: 'warning', text: doubt });
  await run.keeper?.ended(open, messageOf(pass));
}

function tellVerdict({ open, run }: Drive, before: Loop, verdict: Verdict): void {
  const missing = 'missing' in verdict ? verdict.missing : [];
  run.tell({
    is: 'judged',
    verdict: verdict.is,
    words: sayVerdict(before, open.loop(), verdict),
    gates: gateStatuses(open.loop()),
    missing: missing.map(sayOpen),
  });
}

/**
 * A check said "not yet": the stop of the last pass is judged once more, with what the checks say now and
 * without an agent.
 */
export async function judgeAgain(drive: Drive): Promise<void> {
  const { open, run, runtime } = drive;
  ownWithoutPass(drive);
  const before = open.loop();
  const message = open.blobs.read(AWAITING) ?? '';
  await run.keeper?.begins(open);
  await hearUnlessStopped(drive, spokenStop(before, message, false), runtime.now());
  const { last } = open.look();
  if (last !== null && last.n !== before.last?.n) {
    // Otherwise the wait that follows says it all.
    if (!isNotYet(last.verdict)) tellVerdict(drive, before, last.verdict);
    await run.keeper?.ended(open, message);
  } else if (isLive(open.loop()) && !run.now.aborted) {
    interruptLoop(open, 'fault', 'its stop could not be heard', runtime);
  }
}

function isNotYet(verdict: Verdict): boolean {
  return verdict.is === 'allow' && verdict.why === 'not-yet';
}

/** Counts the cost of a pass that is not judged, because a budget covers the whole loop. */
export function countSpent({ open, run, runtime }: Drive, record: PassRecord): void {
  const used = usedIn(record);
  if (used === null) return;
  run.tell(usageEvent(open.write({ type: 'spent', at: runtime.now(), used })));
  open.keep();
}

/** A frame's end is not the loop's end. Then we say which frame ended and which begins. */
function sayVerdict(before: Loop, loop: Loop, verdict: Verdict): string {
  if (verdict.is === 'allow' && verdict.why === 'approval') return 'a person was asked';
  if (isNotYet(verdict)) return 'not yet';
  const turn = verdict.is === 'continue' && !isPlain(before) ? sayTurn(before, loop, verdict) : null;
  if (turn !== null) return turn;
  if (loop.status.is === 'stuck') return 'stuck: no progress';
  const done = hasEnded(loop) ? doneOf(loop) : null;
  return done === null ? VERDICTS[verdict.is] : sayDone(done);
}

/**
 * Checks take minutes. A cancel or pause by a person ends them within a second; so does the second Ctrl-C.
 */
async function hearUnlessStopped({ open, run, runtime }: Drive, arrival: StopArrival, started: string) {
  const elsewhere = new AbortController();
  const unwatch = onEnd(open, () => elsewhere.abort());
  const stopped = AbortSignal.any([run.now, elsewhere.signal]);
  try {
    const { id, project } = open.loop();
    const entry = { loop: id, process: runtime.process, project };
    await hearStop(arrival, { ...runtime, started, stopped }, entry);
  } finally {
    unwatch();
  }
}

function messageOf({ outcome, record }: EndedPass): string {
  return outcome.is === 'stopped' ? outcome.message : record.message;
}

function arrivalOf(pass: EndedPass): StopArrival {
  const { taken, record } = pass;
  const { context, toolUsed } = record;
  return {
    is: 'stop',
    from: taken.from,
    message: messageOf(pass),
    background: [],
    cap: null,
    attended: false,
    continuedByHook: false,
    isUnanswered: true,
    look: (since) => ({ queue: since, taken: false, toolUsed, used: usedIn(record), context }),
  };
}

/** Tool calls that were denied because no person was there to answer a permission prompt. */
function sayDenied(denied: readonly Denial[]): RunEventBody {
  const say = ({ tool, summary }: Denial) => oneLine(`${tool} (${summary})`, MAX_DENIAL_CHARS);
  const what = few(denied, say, MAX_DENIALS_LISTED).join(', ');
  const text =
    `the host denied ${what}, because nobody is there to ask; --allowed-tools or --permission-mode can ` +
    'allow it';
  return { is: 'warning', text };
}

function sayCutShort(outcome: Extract<Outcome, { is: 'timed-out' | 'silent' }>): string {
  const after = `${Math.round(outcome.afterMs / 1000)} s`;
  return outcome.is === 'silent' ? `no output for ${after}` : `it had not ended after ${after}`;
}

function writeFault(
  { open, run, runtime }: Drive,
  { taken, outcome, record }: EndedPass,
  fault: Pick<EventOf<'faulted'>, 'fault' | 'detail' | 'until' | 'login'>,
): void {
  if (!isLive(open.look())) return;
  const attempt = open.loop().run.faults.inARow + 1;
  // For a pass that is heard as a stop, the hearing counts the usage.
  const used = outcome.is === 'timed-out' || outcome.is === 'silent' ? null : usedIn(record);
  const { evidence } = taken;
  const loop = open.write({ type: 'faulted', at: runtime.now(), ...fault, attempt, evidence, used });
  showAndKeep(open, runtime);
  run.tell({ is: 'fault', class: fault.fault, why: fault.detail });
  if (used !== null) run.tell(usageEvent(loop));
}

/** After either of these, the cost of a pass is in the journal. */
const ACCOUNTS: readonly Event['type'][] = ['verdict', 'faulted'];

/**
 * What a pass had spent when its driver was killed. The driver could not record it, but the stream was kept.
 * The next driver counts it once, so that a budget covers the whole loop.
 */
export async function countLost(drive: Drive): Promise<void> {
  const { open, run, runtime } = drive;
  const { events } = open.journal.read(0);
  const at = events.findLastIndex(({ type }) => type === 'taken');
  const taken = events[at];
  if (taken === undefined || events.slice(at + 1).some(({ type }) => ACCOUNTS.includes(type))) return;
  // A `spent` before the pass, for compacting its context, does not cover the pass itself.
  const spent = events.findLast(({ type }, k) => k > at && type === 'spent');
  const since = spent === undefined ? Date.parse(taken.at) : Date.parse(spent.at) + 1;
  const path = streamSince(evidenceFolder(open), since);
  if (path === null) return;
  const reader = readStream(run.host, () => undefined);
  try {
    // Read in chunks: the stream of one night may be a gigabyte.
    for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) reader.push(chunk);
  } catch {
    // What we have read so far counts.
  }
  reader.end();
  const loop = open.loop();
  const session = loop.session.owner?.session ?? '';
  const account = { session, since: taken.at, earlier: null, model: planOf(loop).model };
  countSpent(
    drive,
    accountFor(reader.record(), run, account, { limits: loop.limits, config: runtime.store.config }),
  );
}

/** Stops in a pass or in a wait. A change that another process made to the loop meanwhile stays. */
export function interruptHere({ open, runtime }: Drive, why: string): void {
  if (mayDrive(open.look(), runtime)) interruptLoop(open, 'session-end', why, runtime);
}
