/**
 * What a worker may do to the record. The role of workers can read the tables and call these functions,
 * nothing else. Each function checks that the caller has the loop, and appends. Only the worker that leased a
 * loop knows its key, so it can't write for another worker, and can't touch the request, the account or
 * earlier passes.
 */
import { AS_OWNER, MIN_PASS_USD, MAX_UNREADABLE_TRIES, type DatabaseFunctions } from './function.ts';

/** Nobody works on such a loop, unless a person resumes it. */
const ENDED_SQL = ['completed', 'cancelled', 'exhausted', 'escalated', 'aborted']
  .map((status) => `'${status}'`)
  .join();
/** So many lines of what its agent does are kept of each loop. */
const NEWS_LINES_KEPT_PER_LOOP = 200;
/** In characters, of why a try came to nothing. */
const MAX_REASON_CHARS = 300;

export const WORKER_FUNCTIONS: DatabaseFunctions = {
  // A pass begins: it is in the record, and paid for, before its host starts. The money that is left is
  // shared evenly between the loops at work that have no pass yet, so that one pass does not keep the others
  // waiting.
  begin_pass: {
    takes: 'of_loop text, of_epoch int, of_key text, shipment jsonb, contents bytea[], begun_at text',
    gives: `table (became text, most_usd numeric) language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare
        own dacapo.loop := dacapo.own_loop(of_loop, of_epoch, of_key);
        room dacapo.account_room;
        last int := (shipment->>'from')::int + jsonb_array_length(shipment->'events');
        share numeric;
      begin
        if own.id is null then return query select 'lost', null::numeric; return; end if;
        if own.events <> last then
          perform dacapo.lock_account(own.account);
          select r.* into room from dacapo.account_room r where r.id = own.account;
          if room.calls >= room.max_calls_per_hour or room.usd_left < ${MIN_PASS_USD} then
            return query select 'refused', null::numeric; return;
          end if;
          share := greatest(${MIN_PASS_USD}, floor(room.usd_left / greatest(1, room.between_passes) * 100) / 100);
          perform dacapo.append_to_loop(of_loop, of_epoch, shipment, contents);
          update dacapo.loop l set
            base = coalesce(l.base, dacapo.as_commit(begun_at)),
            takes = jsonb_set(l.takes, '{-1,paid}', 'true')
          where l.id = of_loop;
          -- Its own child has counted what the pass of a dead worker had used.
          update dacapo.pass p set ended = now() where p.loop = of_loop and p.ended is null;
          insert into dacapo.pass (loop, n, epoch, account, worker, set_aside)
            values (of_loop, last, of_epoch, own.account, own.worker, case when room.usd_left is not null then share end);
        end if;
        return query select 'ours', (select p.set_aside from dacapo.pass p where p.loop = of_loop and p.n = last);
      end`,
  },

  // A pass is over: its verdict, its point and its files become true together.
  record_pass: {
    takes: `of_loop text, of_epoch int, of_key text, shipment jsonb, contents bytea[],
      work jsonb, used_usd numeric, used_tokens bigint`,
    gives: `boolean language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare own dacapo.loop := dacapo.own_loop(of_loop, of_epoch, of_key);
      begin
        if own.id is null then return false; end if;
        if own.events <> (shipment->>'from')::int + jsonb_array_length(shipment->'events') then
          perform dacapo.append_to_loop(of_loop, of_epoch, shipment, contents);
        end if;
        if work->>'point_ref' not like 'refs/dacapo/' || of_loop || '/%' then
          raise 'a point of % is not at %', of_loop, work->>'point_ref';
        end if;
        update dacapo.loop set
          head = coalesce(dacapo.as_commit(work->>'head'), head),
          point = coalesce(dacapo.as_commit(work->>'point'), point),
          point_ref = coalesce(work->>'point_ref', point_ref),
          tries = 0,
          trouble = null,
          takes = '[]'
        where id = of_loop;
        update dacapo.pass set ended = now(), usd = greatest(0, used_usd), tokens = greatest(0, used_tokens)
        where loop = of_loop and epoch = of_epoch and ended is null;
        return true;
      end`,
  },

  // Lets the loop go, with the last that it wrote, for that time; null: until a person acts. Later is after
  // 5 s and more, up to 5 minutes, since this try came to nothing; and if what the record says is to blame, a
  // few times only. Whatever its worker believes, nobody takes a loop that has ended: a worker that leaves
  // while the last pass is recorded would hand it over.
  release_loop: {
    takes: `of_loop text, of_epoch int, of_key text, shipment jsonb, contents bytea[],
      seconds_left double precision, is_later boolean, reason text, why text, is_spoilt boolean`,
    gives: `boolean language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare own dacapo.loop := dacapo.own_loop(of_loop, of_epoch, of_key);
      begin
        if own.id is null then
          -- It was let go already, and the answer was lost: nobody else has the epoch, and the key.
          return exists (
            select from dacapo.loop l join dacapo.hold h on h.loop = l.id
            where l.id = of_loop and l.epoch = of_epoch and h.key = of_key and l.worker is null);
        end if;
        if own.events <> (shipment->>'from')::int + jsonb_array_length(shipment->'events') then
          perform dacapo.append_to_loop(of_loop, of_epoch, shipment, contents);
        end if;
        if is_spoilt and own.tries + 1 >= ${MAX_UNREADABLE_TRIES} then
          perform dacapo.stop_unread(of_loop, 'interrupted', 'interrupted: ' || why);
          return true;
        end if;
        if exists (select from dacapo.loop where id = of_loop and status in (${ENDED_SQL})) then
          seconds_left := null; is_later := false; reason := null; why := null;
        end if;
        update dacapo.loop set
          worker = null,
          waits_for = reason,
          trouble = left(why, 2000),
          ready_at = now() + make_interval(
            secs => case when is_later then least(5 * 2 ^ least(tries, 10), 300) else seconds_left end),
          tries = tries + is_later::int,
          -- A lease without a counted pass is kept here; one that ended in order, or was handed over, is not.
          takes = case
            when is_later then jsonb_set(takes, '{-1,why}', to_jsonb(left(why, ${MAX_REASON_CHARS})))
            when seconds_left is null then takes
            when reason is null then takes - (-1)
            else '[]' end,
          updated_at = now()
        where id = of_loop;
        update dacapo.hold set lease_until = now() where loop = of_loop;
        return true;
      end`,
  },

  // A worker that has lost its loop says that its pass is over: from now on another one may take the loop.
  // Nobody has, as long as the key is this worker's.
  end_lost_pass: {
    takes: 'of_loop text, of_key text',
    gives: `boolean language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      begin
        update dacapo.hold h set lease_until = now() from dacapo.loop l
        where l.id = of_loop and l.worker is null and h.loop = l.id and h.key = of_key and h.lease_until > now();
        return found;
      end`,
  },

  // A loop whose row can't be read costs itself, and none of those behind it.
  set_aside_unread: {
    takes: 'of_loop text, of_epoch int, of_key text, why text',
    gives: `void language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare own dacapo.loop := dacapo.own_loop(of_loop, of_epoch, of_key);
      begin
        if own.id is not null then perform dacapo.stop_unread(of_loop, 'interrupted', 'interrupted: ' || why); end if;
      end`,
  },

  // Each commit is written down before its push, while the loop is still its worker's.
  permit_push: {
    takes: 'of_loop text, of_epoch int, of_key text, from_sha text, to_sha text, known text[]',
    gives: `text language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare own dacapo.loop := dacapo.own_loop(of_loop, of_epoch, of_key);
      begin
        if own.id is null then return 'lost'; end if;
        if from_sha is not null and not coalesce(from_sha = any(known), false)
          and not exists (select from dacapo.pushed p where p.loop = of_loop and p.sha = from_sha)
        then return 'foreign'; end if;
        insert into dacapo.pushed (loop, sha) values (of_loop, dacapo.as_commit(to_sha)) on conflict do nothing;
        return 'ours';
      end`,
  },

  // What agents do right now. Who has had a loop last may still say how that ended.
  tell_news: {
    takes: 'loops text[], keys text[], lines jsonb[]',
    gives: `void language sql ${AS_OWNER}`,
    for: 'workers',
    body: `
      with told as (
        insert into dacapo.news (loop, line)
        select a.loop, a.line from unnest(loops, keys, lines) with ordinality as a(loop, key, line, k)
        join dacapo.hold h on h.loop = a.loop and h.key = a.key order by a.k returning news.loop)
      delete from dacapo.news n using (select distinct told.loop from told) t
      where n.loop = t.loop and n.k <= (
        select o.k from dacapo.news o where o.loop = t.loop order by o.k desc offset ${NEWS_LINES_KEPT_PER_LOOP} limit 1)`,
  },

  enrol_worker: {
    takes: `as_name text, as_machine text, has_labels text[], has_capacity int, has_version text, reads_journal int,
      has_hosts text[], accepts_repos text[]`,
    gives: `void language sql ${AS_OWNER}`,
    for: 'workers',
    body: `
      -- A worker for one loop has a name of its own each time, and one that is killed leaves its row behind.
      delete from dacapo.worker where seen_at < now() - interval '1 day';
      insert into dacapo.worker (name, machine, labels, capacity, version, journal, hosts, accept)
      values (as_name, as_machine, has_labels, has_capacity, has_version, reads_journal, has_hosts, accepts_repos)
      on conflict (name) do update set machine = excluded.machine, labels = excluded.labels,
        capacity = excluded.capacity, version = excluded.version, journal = excluded.journal,
        hosts = excluded.hosts, accept = excluded.accept, draining = false, seen_at = now()`,
  },

  leave_fleet: {
    takes: 'as_name text',
    gives: `void language sql ${AS_OWNER}`,
    for: 'workers',
    body: 'delete from dacapo.worker where name = as_name',
  },
};
