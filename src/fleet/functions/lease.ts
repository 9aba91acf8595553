/** How a worker gets a loop and keeps it: functions of the database, for workers only. */
import { AS_OWNER, type DatabaseFunctions } from './function.ts';

/** What this worker may take. */
const FITS = `
              and l.needs <@ labels and coalesce(l.hosts, '{}') <@ has_hosts and l.journal <= reads_journal
              and dacapo.accepts(accept, l.repo, l.points) and (wanted is null or l.id = wanted)`;

/**
 * The first loop of an account that nobody has. The index `loop_next` is in this order. A worker from which a
 * person took it may not have heard of that yet: until it says so, or its lease is over, its pass may still
 * run.
 */
function firstFree(account: string, hasRoom: string): string {
  return `
            from dacapo.loop l
            where l.account = ${account} and ${hasRoom} and l.worker is null and l.ready_at <= now() ${FITS}
              and not exists (select from dacapo.hold h where h.loop = l.id and h.lease_until > now())
            order by l.priority desc, (l.status = 'pending'), l.ready_at limit 1`;
}

/**
 * The first loop of an account whose worker was silent for too long. Money that was set aside for its pass
 * comes back when it is taken, so that an account without money has room for it.
 */
function firstLeft(account: string, hasRoom: string): string {
  return `
            from dacapo.loop l join dacapo.hold h on h.loop = l.id
            where l.account = ${account} and l.worker is not null and h.lease_until <= now()
              and l.ready_at <= now() ${FITS}
              and (${hasRoom} or exists (
                select from dacapo.pass p where p.loop = l.id and p.epoch = l.epoch and p.ended is null))
            order by l.priority desc, l.ready_at limit 1`;
}

export const LEASE_FUNCTIONS: DatabaseFunctions = {
  // The next loop for a worker, and the key to it. Accounts with fewer loops at work come first, so that free
  // places are shared evenly. Within an account, begun loops come before new ones: else a loop whose worker
  // died would queue behind them all. A loop that a newer program has begun is left to such programs. Nothing
  // is sorted but the accounts: the planner would rather sort all loops that are due, as nobody has analyzed
  // the tables. What an account has used is counted only if it has a loop to give: that reads its passes of a
  // day, and idle workers ask once a second.
  lease_next_loop: {
    takes:
      'by_worker text, for_seconds int, labels text[], has_hosts text[], accept text[], ' +
      'reads_journal int, wanted text',
    gives:
      `table (loop jsonb, key text) language plpgsql ${AS_OWNER} ` +
      'set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off',
    for: 'workers',
    body: `
      declare
        next record;
        short_of text;
        has_room boolean;
        found_id text;
        is_left boolean;
        taken dacapo.loop;
        taken_key text := gen_random_uuid();
      begin
        for next in
          select a.id as account, first.*,
            num_nonnulls(a.max_loops, a.max_calls_per_hour, a.max_cost_per_day) > 0 as is_limited
          from dacapo.account a
          cross join lateral (
            select count(*) as loops from dacapo.loop l join dacapo.hold h on h.loop = l.id
            where l.account = a.id and l.worker is not null and h.lease_until > now()) at_work
          cross join lateral (
            select * from (
              (select l.priority, l.status = 'pending' as is_new, l.ready_at, false as is_left
                ${firstFree('a.id', 'true')})
              union all
              (select l.priority, false, l.ready_at, true ${firstLeft('a.id', 'true')})) both_kinds
            order by priority desc, is_new, ready_at limit 1) first
          order by at_work.loops, first.priority desc, first.is_new, first.ready_at
        loop
          short_of := null;
          if next.is_limited then
            select r.short_of into short_of from dacapo.account_room r where r.id = next.account;
          end if;
          has_room := short_of is null;
          continue when short_of <> 'cost';
          found_id := null;
          is_left := next.is_left or not has_room;
          if is_left then
            select l.id into found_id ${firstLeft('next.account', 'has_room')} for update of l, h skip locked;
          end if;
          if found_id is null then
            is_left := false;
            select l.id into found_id ${firstFree('next.account', 'has_room')} for update of l skip locked;
          end if;
          continue when found_id is null;
          -- Another worker may have used up the account since the snapshot of the query above.
          perform dacapo.lock_account(next.account);
          perform 1 from dacapo.account_room r where r.id = next.account
            and (r.short_of is null or is_left and not has_room and r.short_of = 'cost');
          continue when not found;
          update dacapo.loop l set
            epoch = l.epoch + 1,
            worker = by_worker,
            takes = l.takes || jsonb_build_object('epoch', l.epoch + 1, 'worker', by_worker, 'at', now()),
            status = case l.status when 'pending' then 'running' else l.status end,
            updated_at = now()
          where l.id = found_id returning l.* into taken;
          insert into dacapo.hold as h (loop, key, lease_until)
            values (found_id, taken_key, now() + make_interval(secs => for_seconds))
            on conflict on constraint hold_pkey
            do update set key = excluded.key, lease_until = excluded.lease_until;
          return query select to_jsonb(taken), taken_key;
          return;
        end loop;
      end`,
  },

  // Renews the leases that are the worker's own, also those that ran out, says which, and writes down what
  // their passes have used so far (`passes`: which; an older worker does not say that). Only narrow rows are
  // written, and a pass that used nothing is not. Unlike a function in plain SQL, it is planned once for each
  // connection, not once for each heartbeat. A loop whose lease ran out does not count for its account any
  // more: where another one has its place now, it is not renewed.
  renew_leases: {
    takes:
      'of_worker text, for_seconds int, ids text[], epochs int[], keys text[], usd numeric[], tokens ' +
      'bigint[], passes int[] default null',
    gives: `table (mine text[], draining boolean) language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare late record;
      begin
        with asked as (
          select a.* from unnest(ids, epochs, keys, usd, tokens, passes)
            as a(id, epoch, key, usd, tokens, pass)
          join dacapo.hold h on h.loop = a.id and h.key = a.key),
        renewed as (
          update dacapo.hold h
          set lease_until = now() + make_interval(secs => for_seconds)
          from asked a join dacapo.loop l on l.id = a.id
          where h.loop = a.id and h.key = a.key and l.epoch = a.epoch and l.worker = of_worker
            and (h.lease_until > now() or not exists (
              select from dacapo.account c where c.id = l.account and c.max_loops is not null))
          returning h.loop),
        -- Only who still has the loop counts: whoever takes it has read what its pass had used. A person who
        -- ends a pass from far away keeps its row for seconds, and no other loop waits for that.
        free as (
          select p.loop, p.n, a.usd, a.tokens from renewed r join asked a on a.id = r.loop
          join dacapo.pass p on p.loop = a.id and p.epoch = a.epoch and p.ended is null
            and (passes is null or p.n = a.pass) and (p.usd < a.usd or p.tokens < a.tokens)
          for update of p skip locked),
        metered as (
          update dacapo.pass p set usd = greatest(p.usd, f.usd), tokens = greatest(p.tokens, f.tokens)
          from free f where p.loop = f.loop and p.n = f.n),
        seen as (update dacapo.worker set seen_at = now() where name = of_worker returning worker.draining)
        select array(select r.loop from renewed r), (select s.draining from seen s) into mine, draining;
        if cardinality(mine) < cardinality(ids) then
          for late in
            -- Within parentheses, or the name of a table would begin the loop.
            select o.* from (select l.id, l.account from unnest(ids, epochs, keys) as a(id, epoch, key)
            join dacapo.hold h on h.loop = a.id and h.key = a.key
            join dacapo.loop l on l.id = a.id and l.epoch = a.epoch and l.worker = of_worker
            where h.lease_until <= now() order by l.account, l.id for update of h skip locked) o
          loop
            perform dacapo.lock_account(late.account);
            continue when exists (
              select from dacapo.account_room r where r.id = late.account and r.short_of = 'loops');
            update dacapo.hold set lease_until = now() + make_interval(secs => for_seconds) where loop = late.id;
            mine := mine || late.id;
          end loop;
        end if;
        return next;
      end`,
  },
};
