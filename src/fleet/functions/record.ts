/**
 * What the functions for workers and the actions of people share: who has a loop, and how its record grows.
 */
import { AS_CALLER, AS_OWNER, type DatabaseFunctions } from './function.ts';

/** In this order: some use those above them. */
export const RECORD_FUNCTIONS: DatabaseFunctions = {
  // A repository is judged by its text, so the text has to say where it is: no way back, and nothing in
  // disguise.
  is_plain_address: {
    takes: 'address text',
    gives: 'boolean language sql immutable',
    for: 'all',
    body: `select address !~ '(^|[/\\\\:])[.]{1,2}([/\\\\]|$)' and address !~* '%(2[ef5]|5c)'`,
  },

  // Patterns of repositories; none: any. Points are pushed as well, so their repository has to fit too.
  accepts: {
    takes: 'accept text[], repo text, points text',
    gives: 'boolean language sql immutable',
    for: 'all',
    body: `
      select accept = '{}' or (
        select bool_and(dacapo.is_plain_address(one) and one ~ any(accept))
        from unnest(array_remove(array[repo, points], null)) one)`,
  },

  // The row of a loop that is the caller's own, locked; null: it is another's, or nobody's. A lease that ran
  // out changes nothing by itself: while the database was away, nobody could renew it, and nobody else could
  // take the loop.
  own_loop: {
    takes: 'of_loop text, of_epoch int, of_key text',
    gives: `dacapo.loop language plpgsql ${AS_OWNER}`,
    for: 'workers',
    body: `
      declare own dacapo.loop;
      begin
        select l.* into own from dacapo.loop l join dacapo.hold h on h.loop = l.id
        where l.id = of_loop and l.epoch = of_epoch and h.key = of_key and l.worker is not null
        for update of l;
        return own;
      end`,
  },

  // Nobody else counts for this account until the transaction is over. Lock a loop first, and its account
  // after it. Where there is no limit there is nothing to count, and nobody waits. Who only names the account
  // never waits.
  lock_account: {
    takes: 'of_account text',
    gives: `void language sql ${AS_OWNER}`,
    for: 'workers',
    body: `
      select from dacapo.account
      where id = of_account and num_nonnulls(max_loops, max_calls_per_hour, max_cost_per_day) > 0
      for no key update`,
  },

  as_commit: {
    takes: 'word text',
    gives: 'text language plpgsql immutable',
    for: 'workers',
    body: `
      begin
        if word !~ '^([0-9a-f]{40}|[0-9a-f]{64})$' then raise '% is no commit', left(word, 60); end if;
        return word;
      end`,
  },

  // A loop whose record can't be read is stopped in its row alone: nothing is appended to what nobody can
  // read.
  stop_unread: {
    takes: 'of_loop text, as_status text, as_reason text',
    gives: `void language sql ${AS_CALLER}`,
    for: 'people',
    body: `
      update dacapo.loop set
        status = as_status,
        report = report || jsonb_build_object('status', as_status, 'reason', left(as_reason, 2000)),
        ready_at = null,
        waits_for = null,
        worker = null,
        updated_at = now()
      where id = of_loop`,
  },

  // Whoever writes events writes the summary with them. By a person's hand it runs with the rights of that
  // person.
  append_to_loop: {
    takes: `of_loop text, of_epoch int, shipment jsonb, contents bytea[]`,
    gives: `void language plpgsql ${AS_CALLER}`,
    for: 'people',
    body: `
      declare
        start int := (shipment->>'from')::int;
        bodies jsonb := shipment->'events';
        summary jsonb := shipment->'summary';
      begin
        update dacapo.loop set
          events = start + jsonb_array_length(bodies),
          status = summary->>'status',
          report = summary->'report',
          requests = summary->'requests',
          journal = greatest(journal, (shipment->>'journal')::int),
          updated_at = now()
        where id = of_loop and events = start;
        if not found then raise '%: the record does not end at event %', of_loop, start; end if;
        insert into dacapo.event (loop, n, epoch, type, at, stop, body)
          select of_loop, start + k, of_epoch, body->>'type', (body->>'at')::timestamptz,
            case when body->>'type' = 'verdict' then (body->>'n')::int end, body
          from jsonb_array_elements(bodies) with ordinality as e(body, k);
        insert into dacapo.file (loop, name, sha256, content)
          select of_loop, f->>'name', f->>'sha256', contents[k]
          from jsonb_array_elements(shipment->'files') with ordinality as e(f, k)
          on conflict (loop, name) do update set sha256 = excluded.sha256, content = excluded.content;
        delete from dacapo.file where loop = of_loop and shipment->'removedFiles' ? name;
        delete from dacapo.inbox where loop = of_loop and k <= (shipment->>'applied')::bigint;
      end`,
  },
};
