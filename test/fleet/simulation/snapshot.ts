/** The record as the auditor reads it: by SQL of its own, after every transaction. */
import type { Statement } from './sessions.ts';
import { instantOf } from './time.ts';

export interface LoopSeen {
  readonly id: string;
  readonly account: string;
  readonly status: string;
  readonly epoch: number;
  readonly worker: string | null;
  readonly isReady: boolean;
  readonly isLeased: boolean;
  readonly leaseUntil: string | null;
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
      'isLeased', l.worker is not null and h.lease_until > at, 'leaseUntil', h.lease_until,
      'events', l.events, 'head', l.head, 'pointRef', l.point_ref, 'requests', l.requests,
      'costUsd', (l.report->>'cost_usd')::float,
      'journal', (select jsonb_agg(jsonb_build_object('n', e.n, 'epoch', e.epoch, 'body', e.body) order by e.n)
        from dacapo.event e where e.loop = l.id and e.n > coalesce((known->>l.id)::int, 0)),
      'inbox', (select jsonb_agg(i.act order by i.k) from dacapo.inbox i where i.loop = l.id)
    ) order by l.id), '[]') from dacapo.loop l left join dacapo.hold h on h.loop = l.id),
  'passes', (select coalesce(jsonb_agg(to_jsonb(p) order by p.began), '[]') from dacapo.pass p),
  'accounts', (select jsonb_agg(to_jsonb(a)) from dacapo.account a),
  'workers', (select coalesce(jsonb_object_agg(w.name, w.seen_at), '{}') from dacapo.worker w))`;

/**
 * What a commit brings, sent together with it: the words that were said, and the record if the transaction
 * may have changed it.
 */
export const AFTER_COMMIT = `
create or replace function sim.after_commit(at timestamptz, known jsonb, out seen jsonb, out words text[])
  language plpgsql as $$ begin
    if known is not null and current_setting('sim.wrote')::boolean then seen := (${LOOK}); end if;
    if exists (select from sim.word) then
      with said as (delete from sim.word returning *)
        select array_agg(payload order by k) into words from said;
    end if;
  end $$;
`;

export const COMMIT: Statement = {
  text: "select set_config('sim.wrote', (pg_current_xact_id_if_assigned() is not null)::text, false); commit",
};

export interface AfterCommit {
  /** Null: nothing has changed. */
  readonly seen: Snapshot | null;
  readonly words: readonly string[] | null;
}

/** `known`: how many events of each loop were seen before; null: nobody wants to see them. */
export function askAfterCommit(now: number, known: Readonly<Record<string, number>> | null): Statement {
  const values = [new Date(instantOf(now)).toISOString(), known === null ? null : JSON.stringify(known)];
  return { text: 'select seen, words from sim.after_commit($1, $2)', values };
}
