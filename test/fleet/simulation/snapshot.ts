/** The record as the auditor reads it: by SQL of its own, after every transaction. */
import type { Sessions } from './sessions.ts';
import { instantOf } from './time.ts';

export interface LoopSeen {
  readonly id: string;
  readonly account: string;
  readonly status: string;
  readonly epoch: number;
  readonly worker: string | null;
  readonly isReady: boolean;
  readonly isLeased: boolean;
  readonly events: number;
  readonly head: string | null;
  readonly pointRef: string | null;
  readonly costUsd: number | null;
  /** What is new since the last look. */
  readonly journal: readonly EventSeen[] | null;
  readonly inbox: readonly ActSeen[] | null;
  readonly requests: readonly { readonly id: string }[];
}

export interface EventSeen {
  readonly n: number;
  readonly epoch: number;
  readonly body: { readonly type: string } & Readonly<Record<string, unknown>>;
}

export type ActSeen = { readonly is: string } & Readonly<Record<string, unknown>>;

export interface PassSeen {
  readonly loop: string;
  readonly account: string;
  readonly epoch: number;
  readonly began: string;
  readonly ended: string | null;
  readonly usd: number;
}

export interface AccountSeen {
  readonly id: string;
  readonly max_loops: number | null;
  readonly max_calls_per_hour: number | null;
  readonly max_cost_per_day: number | null;
}

export interface Snapshot {
  readonly loops: readonly LoopSeen[];
  readonly passes: readonly PassSeen[];
  readonly accounts: readonly AccountSeen[];
  readonly workers: Readonly<Record<string, string>>;
}

const LOOK = `
select jsonb_build_object(
  'loops', (select coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id, 'account', l.account, 'status', l.status, 'epoch', l.epoch, 'worker', l.worker,
      'isReady', l.ready_at is not null,
      'isLeased', l.worker is not null and h.lease_until > $1::timestamptz,
      'events', l.events, 'head', l.head, 'pointRef', l.point_ref, 'requests', l.requests,
      'costUsd', (l.report->>'cost_usd')::float,
      'journal', (select jsonb_agg(jsonb_build_object('n', e.n, 'epoch', e.epoch, 'body', e.body) order by e.n)
        from dacapo.event e where e.loop = l.id and e.n > coalesce(($2::jsonb->>l.id)::int, 0)),
      'inbox', (select jsonb_agg(i.act order by i.k) from dacapo.inbox i where i.loop = l.id)
    ) order by l.id), '[]') from dacapo.loop l left join dacapo.hold h on h.loop = l.id),
  'passes', (select coalesce(jsonb_agg(to_jsonb(p) order by p.began), '[]') from dacapo.pass p),
  'accounts', (select jsonb_agg(to_jsonb(a)) from dacapo.account a),
  'workers', (select coalesce(jsonb_object_agg(w.name, w.seen_at), '{}') from dacapo.worker w)) as seen`;

export async function takeSnapshot(
  sessions: Sessions,
  now: number,
  known: Readonly<Record<string, number>>,
): Promise<Snapshot> {
  const at = new Date(instantOf(now)).toISOString();
  const [row] = await sessions.look(LOOK, [at, JSON.stringify(known)]);
  return (row as { seen: Snapshot }).seen;
}
