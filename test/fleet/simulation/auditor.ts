/**
 * Checks after every transaction what `docs/fleet.md` promises. It reads the record by its own SQL, knows what
 * really happened (`facts.ts`), and shares no code with what it checks.
 */
import type { LeaseEnd } from '#fleet/worker/leased-loop/state.ts';
import type { Facts, Word } from './facts.ts';
import { Violation } from './facts.ts';
import type { SimRepository } from './git.ts';
import type { EventSeen, LoopSeen, PassSeen, Snapshot } from './snapshot.ts';
import { instantOf, type Scheduler } from './time.ts';

const HOUR_MS = 3_600_000;
const CENT_PART = 1e-6;
/** A wait that is longer holds no process. */
const SHORT_WAIT_MS = 5_000;

const ENDED = ['completed', 'cancelled', 'exhausted', 'escalated', 'aborted'];
const LIVE = ['pending', 'running', 'waiting'];

/** What the auditor remembers of a loop. */
interface Known {
  events: number;
  epoch: number;
  /** The passes that were judged, in their order. */
  readonly judged: string[];
  readonly stops: Set<number>;
  /** What people said, as the journal has it, in its order. */
  readonly said: string[];
  /** Acts that its worker could not do. */
  refused: number;
  isCancelled: boolean;
  costUsd: number;
}

interface AuditorWorld {
  readonly scheduler: Scheduler;
  readonly facts: Facts;
  readonly repository: SimRepository;
  readonly fail: (violation: Violation) => void;
}

export class Auditor {
  looks = 0;
  last: Snapshot = { loops: [], passes: [], accounts: [], workers: {} };
  /** Git fails or a child lies in this schedule, so a pass may be given up in order. */
  mayLosePasses = false;
  readonly #world: AuditorWorld;
  readonly #known = new Map<string, Known>();
  /** Whether a loop was its worker's at some moment since it looked at its branch, by loop and epoch. */
  readonly #owned = new Map<string, boolean>();
  /** When it was last seen to be its worker's. */
  readonly #lastOwned = new Map<string, number>();

  constructor(world: AuditorWorld) {
    this.#world = world;
    const { repository } = world;
    repository.onLook = (loop, epoch) => void this.#owned.set(`${loop}/${epoch}`, this.#owns(loop, epoch));
    repository.onPush = (loop, epoch) => this.#onPush(loop, epoch);
    repository.onPoint = (loop, epoch) => this.#onPoint(loop, epoch);
  }

  /** How many events of each loop it has seen. */
  known(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#known].map(([id, { events }]) => [id, events]));
  }

  look(seen: Snapshot): void {
    this.looks++;
    const before = new Map(this.last.loops.map((loop) => [loop.id, loop]));
    // Nothing has changed since the last look, so it was its worker's until now.
    for (const loop of this.last.loops) this.#noteOwner(loop);
    this.last = seen;
    for (const loop of seen.loops) {
      this.#lookAtTake(loop, before.get(loop.id));
      before.delete(loop.id);
      this.#lookAtLoop(loop);
    }
    if (before.size > 0) this.#fail('a loop is lost', [...before.keys()].join());
    this.#lookAtLimits(seen);
  }

  /** Cheap enough for every step. */
  afterStep(): void {
    const { repository } = this.#world;
    for (const [branch, { sha }] of repository.foreign)
      if (repository.branches.get(branch) !== sha) this.#fail('a commit of a person is gone', branch);
  }

  knownOf(loop: string): Known {
    const known = this.#known.get(loop) ?? {
      events: 0,
      epoch: 0,
      judged: [],
      stops: new Set<number>(),
      said: [],
      refused: 0,
      isCancelled: false,
      costUsd: 0,
    };
    this.#known.set(loop, known);
    return known;
  }

  /** Nothing is thrown: what is called back here would take it for its own trouble. */
  #fail(rule: string, detail: string): void {
    this.#world.fail(new Violation(rule, detail));
  }

  #lookAtLoop(loop: LoopSeen): void {
    const { id, epoch } = loop;
    const known = this.knownOf(id);
    if (epoch < known.epoch) this.#fail('the fence went back', `${id} from ${known.epoch} to ${epoch}`);
    known.epoch = epoch;
    for (const event of loop.journal ?? []) this.#lookAtEvent(loop, known, event);
    if (loop.events !== known.events)
      this.#fail('the journal is not whole', `${id} says ${loop.events}, and has ${known.events}`);
    this.#lookAtWork(loop, known);
    this.#lookAtState(loop, known);
    this.#noteOwner(loop);
  }

  /** Only a person takes a loop from a worker before its lease is over. */
  #lookAtTake({ id, epoch, worker }: LoopSeen, before: LoopSeen | undefined): void {
    if (before === undefined || before.worker === null || worker === null || epoch === before.epoch) return;
    const leftMs = this.#leftMs(before);
    if (leftMs > 0)
      this.#fail('taken before its lease was over', `${id} from ${before.worker}: ${leftMs} ms`);
  }

  #leftMs({ leaseUntil }: LoopSeen): number {
    return leaseUntil === null ? 0 : Date.parse(leaseUntil) - instantOf(this.#world.scheduler.now);
  }

  leaseLeftMs(loop: string): number {
    const row = this.last.loops.find(({ id }) => id === loop);
    return row === undefined || row.worker === null ? 0 : this.#leftMs(row);
  }

  #noteOwner({ id, epoch, worker }: LoopSeen): void {
    if (worker === null) return;
    this.#owned.set(`${id}/${epoch}`, true);
    this.#lastOwned.set(`${id}/${epoch}`, this.#world.scheduler.now);
  }

  #lookAtEvent({ id, epoch }: LoopSeen, known: Known, event: EventSeen): void {
    const { body } = event;
    if (event.n !== known.events + 1)
      this.#fail('the journal is not whole', `${id} has no ${known.events + 1}`);
    known.events = event.n;
    if (event.epoch !== epoch)
      this.#fail(
        'somebody wrote who has lost the loop',
        `${id}: ${body.type} of ${event.epoch}, now ${epoch}`,
      );
    if (known.isCancelled && body.type !== 'resumed')
      this.#fail('a cancelled loop goes on', `${id}: ${body.type}`);
    switch (body.type) {
      case 'verdict': {
        const [n, nonce] = [Number(body['n']), String(body['preview'])];
        if (known.stops.has(n) || known.judged.includes(nonce))
          this.#fail('counted twice', `${id}: stop ${n}, pass ${nonce}`);
        known.stops.add(n);
        known.judged.push(nonce);
        known.costUsd += costOf(body);
        return;
      }
      case 'spent':
        known.costUsd += costOf(body);
        return;
      case 'steered':
        return void known.said.push(String(body['words']));
      case 'amended':
        return void known.said.push(`word-${Number(body['iterations']) - 100}`);
      case 'answered':
        return void known.said.push(String(body['note']));
      case 'refused':
        known.refused++;
        return;
      case 'cancelled':
        known.isCancelled = true;
        return;
      case 'resumed':
        known.isCancelled = false;
    }
  }

  /** An iteration counts once its work is published. */
  #lookAtWork({ id, pointRef, head }: LoopSeen, { judged }: Known): void {
    const { points, commits } = this.#world.repository;
    const want = judged.join();
    const has = pointRef === null ? '' : (points.get(pointRef)?.work.join() ?? 'nothing');
    if (has !== want) this.#fail('work is lost', `${id}: ${want} is judged, and its point has ${has}`);
    const pushed = head === null ? '' : (commits.get(head)?.work.join() ?? 'nothing');
    if (head !== null && !want.startsWith(pushed))
      this.#fail('work is lost', `${id}: ${want} is judged, and its branch got ${pushed}`);
  }

  #lookAtState(loop: LoopSeen, known: Known): void {
    const { id, status, isReady, worker, epoch } = loop;
    if (LIVE.includes(status) && !isReady) this.#fail('nobody may ever take it', `${id} is ${status}`);
    if (ENDED.includes(status) && worker === null && isReady)
      this.#fail('it has ended', `${id} may be taken`);
    const left = this.#world.facts.left.get(`${id}/${epoch}`);
    if (left !== undefined && known.events >= left && worker !== null)
      this.#fail('let go by halves', `${id}: all that it wrote is there, and ${worker} has it`);
    const open = this.last.passes.filter((pass) => pass.loop === id && pass.ended === null);
    if (open.length > 1) this.#fail('two passes are open', id);
  }

  #lookAtLimits({ accounts, loops, passes }: Snapshot): void {
    const { scheduler, facts } = this.#world;
    for (const { id, max_loops, max_calls_per_hour, max_cost_per_day } of accounts) {
      const atWork = loops.filter((loop) => loop.account === id && loop.isLeased);
      if (max_loops !== null && atWork.length > max_loops)
        this.#fail(
          'more loops than the account may have',
          atWork.map((one) => `${one.id} on ${one.worker}`).join(),
        );
      const since = instantOf(scheduler.now) - HOUR_MS;
      const calls = passes.filter((pass) => pass.account === id && Date.parse(pass.began) > since).length;
      if (max_calls_per_hour !== null && calls > max_calls_per_hour)
        this.#fail('more passes than the account may begin', `${calls} of ${max_calls_per_hour}`);
      const spent = passes.reduce((sum, pass) => sum + (pass.account === id ? usedBy(pass, facts) : 0), 0);
      if (max_cost_per_day !== null && spent > max_cost_per_day + CENT_PART)
        this.#fail('more money than the account has', `${spent} of ${max_cost_per_day}`);
    }
  }

  #owns(loop: string, epoch: number): boolean {
    const row = this.last.loops.find(({ id }) => id === loop);
    return row !== undefined && row.epoch === epoch && row.worker !== null;
  }

  /** Between its look at the branch and its push, a worker has asked whether the loop is its own. */
  #onPush(loop: string, epoch: number): void {
    if (this.#owned.get(`${loop}/${epoch}`) !== true)
      this.#fail('a push of a loop that was lost before the look at its branch', `${loop}/${epoch}`);
  }

  /** A pass whose loop was lost before its end is not published. */
  #onPoint(loop: string, epoch: number): void {
    const pass = this.#world.facts.passes.findLast((one) => one.loop === loop && one.epoch === epoch);
    const owned = this.#lastOwned.get(`${loop}/${epoch}`) ?? -1;
    if (!this.#owns(loop, epoch) && owned < (pass?.endedAt ?? 0))
      this.#fail('a pass of a lost loop is published', `${loop}/${epoch}`);
  }

  onWaitHere(loop: string, ms: number): void {
    if (ms >= SHORT_WAIT_MS) this.#fail('a loop that waits holds a process', `${loop} for ${ms} ms`);
  }

  onNotice(_notice: unknown): void {}

  /** A pass that has ended is counted if its child did not hang, however long the database is away. */
  onLoopEnds(worker: string, loop: string, how: LeaseEnd): void {
    const row = this.last.loops.find(({ id }) => id === loop);
    if (row === undefined || this.mayLosePasses) return;
    const { judged } = this.knownOf(loop);
    const lost = this.#world.facts.passes.filter(
      (pass) =>
        pass.loop === loop && pass.epoch === row.epoch && pass.isHeard && !judged.includes(pass.nonce),
    );
    if (lost.length > 0 && how.is === 'let-go')
      this.#fail('a pass that ended is given up', `${lost[0]?.nonce} by ${worker}: ${JSON.stringify(how)}`);
  }

  /** A worker that lives and reaches the database says so. */
  onSilence(worker: string, forMs: number): void {
    const seen = this.last.workers[worker];
    const silentMs = seen === undefined ? Infinity : instantOf(this.#world.scheduler.now) - Date.parse(seen);
    if (silentMs > forMs) this.#fail('a worker that lives is silent', `${worker} for ${silentMs} ms`);
  }

  /** At the end, when nobody strikes any more. */
  closing(): void {
    for (const loop of this.last.loops) {
      const known = this.knownOf(loop.id);
      if (!ENDED.includes(loop.status) && loop.status !== 'completed')
        this.#fail('it does not go on', `${loop.id} is ${loop.status}, ${JSON.stringify(loop)}`);
      this.#closeMoney(loop, known);
      this.#closeWords(loop, known);
      const { branches, foreign } = this.#world.repository;
      const branch = `dacapo/${loop.id}`;
      const has = foreign.get(branch)?.before ?? branches.get(branch);
      if (loop.status === 'completed' && has !== loop.head)
        this.#fail('its branch has something else', loop.id);
    }
  }

  /** What the journal has counted is what the account has paid, and no less than what judged passes cost. */
  #closeMoney({ id, costUsd }: LoopSeen, known: Known): void {
    const paid = this.last.passes.reduce((sum, { loop, usd }) => sum + (loop === id ? usd : 0), 0);
    const told = costUsd ?? 0;
    if (Math.abs(told - known.costUsd) > 0.011) this.#fail('money is told wrong', `${id}: ${told}`);
    if (Math.abs(paid - known.costUsd) > CENT_PART)
      this.#fail(
        'money is counted twice, or not at all',
        `${id}: ${known.costUsd} in the journal, ${paid} paid`,
      );
    const passes = this.#world.facts.passes.filter(({ loop }) => loop === id);
    const real = passes.reduce((sum, pass) => sum + pass.costUsd, 0);
    const judged = passes.filter(({ nonce }) => known.judged.includes(nonce));
    const least = judged.reduce((sum, pass) => sum + pass.costUsd, 0);
    if (paid > real + CENT_PART || paid < least - CENT_PART)
      this.#fail('money is counted twice, or not at all', `${id}: ${paid} paid, ${least} to ${real} used`);
  }

  /** Each word of a person once, in an order that a single queue could have had. */
  #closeWords({ id, inbox }: LoopSeen, known: Known): void {
    const waiting = (inbox ?? []).map(({ is, ...act }) =>
      is === 'amend'
        ? `word-${(act['limits'] as { iterations: number }).iterations - 100}`
        : String(act['words'] ?? act['note']),
    );
    const heard = [...known.said, ...waiting];
    const words = this.#world.facts.words.filter((one) => one.loop === id && SAID.includes(one.is));
    for (const word of words) this.#closeWord(word, heard, known.refused);
    for (const one of words)
      for (const other of words)
        if (isBefore(one, other) && isLater(heard, one.words, other.words))
          this.#fail('words in another order', `${one.words} before ${other.words}: ${heard.join()}`);
  }

  #closeWord({ words, outcome, is }: Word, heard: readonly string[], refused: number): void {
    const times = heard.filter((one) => one === words).length;
    const least = outcome === 'done' && refused === 0 ? 1 : 0;
    const most = outcome === 'refused' ? 0 : 1;
    if (times < least || times > most)
      this.#fail('a word is lost, or heard twice', `${is} ${words} is ${outcome}, and heard ${times} times`);
  }
}

const SAID: readonly Word['is'][] = ['steer', 'amend', 'answer'];

/** Where both were heard. */
function isLater(heard: readonly string[], one: string, other: string): boolean {
  return heard.includes(other) && heard.indexOf(one) > heard.indexOf(other);
}

function isBefore(one: Word, other: Word): boolean {
  const isDone = one.outcome === 'done' && other.outcome === 'done';
  return (
    isDone && one.is !== 'answer' && other.is !== 'answer' && (one.answeredAt ?? Infinity) < other.sentAt
  );
}

/** What a pass that runs has used by now. Of one whose machine died, what that had told. */
function usedBy({ loop, epoch, usd, ended }: PassSeen, { passes }: Facts): number {
  const runs = passes.findLast((one) => one.loop === loop && one.epoch === epoch && one.endedAt === null);
  return ended === null && runs !== undefined ? Math.max(usd, runs.costUsd) : usd;
}

function costOf({ used }: EventSeen['body']): number {
  return (used as { costUsd: number } | null)?.costUsd ?? 0;
}
