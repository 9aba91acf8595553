/**
 * What a journal says, read a second time: by lines and rules of its own, from `ARCHITECTURE.md`, and not by the
 * product's fold. It knows only what the auditor asks about.
 */
import { isRecord } from '#base/shape.ts';

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Judged {
  readonly n: number;
  readonly words: string;
  readonly session: string;
  readonly is: string;
  /** How many passes were over with it, and how many there may be. */
  readonly passes: number;
  readonly limit: number | null;
  /** Of an exhaust: which limit. */
  readonly why: string | null;
}

export interface Snapshot {
  readonly status: string;
  readonly passes: number;
  readonly stops: number;
}

const UNENDED = ['none', 'pending', 'running', 'waiting', 'paused', 'interrupted'];
const ENDS: Readonly<Record<string, string>> = {
  complete: 'completed',
  exhaust: 'exhausted',
  escalate: 'escalated',
};

export function isEnded(status: string): boolean {
  return !UNENDED.includes(status);
}

export class Ledger {
  readonly lines: Line[] = [];
  readonly judged: Judged[] = [];
  readonly snapshots: Snapshot[] = [];
  status = 'none';
  passes = 0;
  stops = 0;
  limit: number | null = null;
  isPruned = false;
  owner: { readonly session: string; readonly process: unknown } | null = null;
  /** Until when it waits, where the journal names a moment. */
  until: number | null = null;
  #claim: { readonly n: number; readonly words: string; readonly session: string } | null = null;

  hasEnded(): boolean {
    return isEnded(this.status);
  }

  isLive(): boolean {
    return this.status === 'running' || this.status === 'waiting';
  }

  openRequests(): readonly { readonly id: string; readonly kind: string }[] {
    const over = this.lines.filter(({ type }) => type === 'answered' || type === 'expired');
    return this.lines
      .filter(({ type, id }) => type === 'requested' && !over.some((line) => line['id'] === id))
      .map(({ id, kind }) => ({ id: String(id), kind: String(kind) }));
  }

  add(text: string): void {
    const line: unknown = JSON.parse(text);
    if (!isLine(line)) throw new Error(`not an event: ${text.slice(0, 100)}`);
    this.lines.push(line);
    if (!this.hasEnded() || this.#reopens(line)) this.#apply(line);
    else if (line.type === 'pruned') this.isPruned = true;
    const { status, passes, stops } = this;
    this.snapshots.push({ status, passes, stops });
  }

  #reopens(line: Line): boolean {
    if (this.isPruned) return false;
    return line.type === 'resumed' && line['by'] === 'terminal' && this.status !== 'completed';
  }

  #apply(line: Line): void {
    switch (line.type) {
      case 'created':
        this.status = 'pending';
        this.limit = numberIn(isRecord(line['definition']) ? line['definition']['iterations'] : null);
        return;
      case 'stop':
        return this.#stop(line);
      case 'verdict':
        return this.#verdict(line);
      case 'lost':
        if (this.#claim?.n === line['n']) this.#claim = null;
        return;
      case 'bound':
        return this.#bound(line);
      case 'taken':
        if (line['n'] !== this.lines.length) return;
        this.#claim = null;
        this.status = 'running';
        this.owner = ownerIn(line);
        return;
      case 'resumed':
        return this.#resumed(line);
      case 'paused':
      case 'interrupted':
      case 'cancelled':
      case 'aborted':
        this.status = line.type;
        return;
      case 'held':
        this.status = 'waiting';
        this.until = momentIn(line['until']);
        return;
      case 'expired':
      case 'planted':
        this.status = 'escalated';
        return;
      case 'faulted':
        if (line['fault'] === 'fatal') this.status = 'escalated';
        else this.status = line['until'] === null ? 'interrupted' : 'waiting';
        return;
      case 'amended':
        if (line['iterations'] !== null) this.limit = numberIn(line['iterations']);
    }
  }

  #stop(line: Line): void {
    const { n, words, session } = line;
    if (n !== this.stops + 1 || this.#claim !== null || !this.isLive()) return;
    this.stops = n;
    this.#claim = { n, words: String(words), session: String(session) };
  }

  #verdict(line: Line): void {
    const claim = this.#claim;
    const { verdict } = line;
    if (claim === null || claim.n !== line['n'] || !isRecord(verdict)) return;
    this.#claim = null;
    const is = String(verdict['is']);
    if (!this.isLive() && is !== 'complete') return;
    const why = typeof verdict['limit'] === 'string' ? verdict['limit'] : null;
    if (is !== 'allow' && why !== 'staleness') this.passes++;
    const { passes, limit } = this;
    const { n, words, session } = claim;
    this.judged.push({ n, words, session, is, passes, limit, why });
    this.status = ENDS[is] ?? (is === 'allow' ? 'waiting' : 'running');
    this.until = momentIn(verdict['until']);
  }

  #bound(line: Line): void {
    const { how } = line;
    if (how === 'prompt' && this.owner !== null) return;
    this.owner = ownerIn(line);
    const stays = this.status === 'paused' && (how === 'takeover' || how === 'start');
    if (!stays) this.status = how === 'clear' ? 'paused' : 'running';
  }

  #resumed(line: Line): void {
    const limit = line['iterations'] === null ? this.limit : numberIn(line['iterations']);
    if (this.hasEnded() && limit !== null && this.passes >= limit) return;
    this.limit = limit;
    this.#claim = null;
    this.status = this.owner === null && line['session'] === null ? 'pending' : 'running';
    if (line['session'] !== null) this.owner = ownerIn(line);
  }
}

function isLine(line: unknown): line is Line {
  return isRecord(line) && typeof line['type'] === 'string' && typeof line['at'] === 'string';
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function momentIn(value: unknown): number | null {
  return typeof value === 'string' ? Date.parse(value) : null;
}

function ownerIn(line: Line) {
  return { session: String(line['session']), process: line['process'] };
}
