/**
 * What a worker and the child that drives one of its loops say to each other. The child knows nothing of the
 * database.
 */
import { uptime } from 'node:os';
import type { RunEventBody } from '#engine/run-event.ts';
import type { LoopRecord, LeasedRow, Waiting } from '../lease.ts';
import type { Release, Shipment } from '../ship.ts';
import type { TreeOrder } from './tree.ts';

/**
 * Milliseconds of a clock that all processes of this machine share. A child that was busy or frozen reads an
 * old message of its lease as what it is. It goes on while the machine sleeps, when `process.hrtime` stands
 * still: a laptop that wakes up must not believe in its old lease. Nobody can set it, as they can a wall
 * clock.
 */
export function sharedClock(): number {
  return Math.round(uptime() * 1_000);
}

/** The first message to a child: what to drive, and where. */
export interface DrivenOrder extends TreeOrder {
  readonly is: 'order';
  readonly taken: LeasedRow;
  readonly loopRecord: LoopRecord;
  /** The hosts of this worker. Of agents by a command, these and no others. */
  readonly hosts: readonly string[];
  /** How long the child may work without hearing of its lease, by the shared clock. */
  readonly until: number;
}

/** The answer to `settle`. `lost`: nothing that the child does counts any more. */
export interface SettledAs {
  readonly is: 'settled';
  readonly as: 'ours' | 'lost';
  readonly mostUsd: number | null;
  readonly inbox: readonly Waiting[];
}

export type ToChild =
  | DrivenOrder
  | SettledAs
  /** The lease was renewed: the child may work until then. */
  | { readonly is: 'lease'; readonly until: number }
  /** End the pass, and this process. */
  | { readonly is: 'stop' };

/** The child has no more to do. */
export interface DrivenEnd {
  /** The last that the loop wrote. */
  readonly shipment: Shipment | null;
  readonly release: Release;
}

/** The child goes on when it is answered. */
export interface Settle {
  readonly is: 'settle';
  readonly barrier: 'taken' | 'recorded';
  readonly shipment: Shipment;
  readonly base: string;
  /** The name of the point to publish before. */
  readonly point: string | null;
}

export type FromChild =
  | Settle
  /** The lease may be over, and everything that the child has started is stopped until it hears of it. */
  | { readonly is: 'stands' }
  | ({ readonly is: 'done' } & DrivenEnd)
  | { readonly is: 'tell'; readonly event: RunEventBody };
