/**
 * The loops of a fleet as files of this machine, for as long as somebody looks: what shows the loops of one machine shows
 * these. Nothing here is ever written back. What a person does goes through `hand`.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../core/record/events.ts';
import { makeScratch } from '../files/scratch.ts';
import { FLEET_COPY } from '../operations/look/find.ts';
import { homeAt, makePrivateFolder } from '../store/file/home.ts';
import { fileBlobs, openJournal } from '../store/file/open-loop.ts';
import { fileStore } from '../store/file/store.ts';
import { manifestOf } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';
import type { Sql } from './database.ts';
import { HAS_ROOM } from './limits.ts';
import { memoryRuntime, pendingLoop, placed, type LoopRequest } from './memory.ts';
import { followNews } from './news.ts';
import { readLoops, type FleetLoop } from './record.ts';

/** More than anybody reads. Those that go on come first, then those that changed last. */
const MOST_LOOPS = 1_000;
/** One query for so many loops. */
const AT_ONCE = 50;

export interface Mirror {
  readonly store: Store;
  /** Brings the copies up to date. Throws what the database says. */
  readonly look: () => Promise<void>;
  readonly close: () => void;
}

interface Copy {
  readonly mark: string;
  readonly events: number;
  readonly files: ReadonlySet<string>;
}

const NOTHING: Copy = { mark: '', events: 0, files: new Set() };

/** `own`: the store of this user, for what is no loop. `shown`: the fleet, for people. */
export function openMirror(sql: Sql, own: Store, shown: string): Mirror {
  const home = homeAt(makeScratch('fleet'));
  const copies = fileStore(home);
  const known = new Map<string, Copy>();
  const newsOf = followNews(sql);
  let isFirst = true;

  const copy = async (marks: ReadonlyMap<string, string>): Promise<void> => {
    const ids = [...marks.keys()];
    const before = (id: string) => known.get(id) ?? NOTHING;
    const loops = await readLoops(sql, ids);
    const requests = await sql.query<{ id: string; request: LoopRequest }>(
      'select id, request from dacapo.loop where id = any($1) and events = 0',
      [ids],
    );
    const events = await sql.query<{ loop: string; body: Event }>(
      `select e.loop, e.body from unnest($1::text[], $2::int[]) as k(id, n)
       join dacapo.event e on e.loop = k.id and e.n > k.n order by e.loop, e.n`,
      [ids, ids.map((id) => before(id).events)],
    );
    const files = await sql.query<{ loop: string; name: string; content: Buffer }>(
      `select loop, name, content from dacapo.file
       where loop = any($1) and name ~ '^(prompts|evidence)/' and not (loop || '/' || name = any($2))`,
      [ids, ids.flatMap((id) => [...before(id).files].map((name) => `${id}/${name}`))],
    );
    for (const loop of loops) {
      const { id } = loop;
      const asked = requests.find((row) => row.id === id)?.request;
      const old = before(id);
      // Its first worker makes the loop anew, with all that only the work tree can tell.
      if (asked !== undefined || old.events === 0) copies.remove(id);
      const own = asked === undefined ? null : pendingLoop(id, asked, memoryRuntime());
      const parts = [
        ...(own === null ? [] : manifestOf(own)),
        ...files.filter((file) => file.loop === id),
        { name: FLEET_COPY, content: factsOf(loop, shown) },
      ];
      const written = events.flatMap(({ loop: of, body }) => (of === id ? [body] : []));
      const dir = join(home.loops, id);
      makePrivateFolder(dir);
      for (const { name, content } of parts) fileBlobs(dir).write(name, String(content));
      const journal = openJournal(join(dir, 'journal.jsonl'));
      for (const event of own?.journal.read(0).events ?? written) journal.append(placed(event, loop.repo));
      journal.close();
      known.set(id, {
        mark: marks.get(id) ?? '',
        events: own === null ? old.events + written.length : 0,
        files: new Set([...old.files, ...parts.map(({ name }) => name)]),
      });
    }
  };

  const look = async (): Promise<void> => {
    const rows = await sql.query<{ id: string; mark: string; at_work: boolean }>(
      `with n as materialized (select * from dacapo.account_now)
       select l.id, coalesce(l.lease_until > now(), false) as at_work,
         (l.epoch, l.events, l.status, l.trouble, l.waits_for, l.ready_at <= now(), l.lease_until > now(), ${HAS_ROOM})::text mark
       from dacapo.loop l join n on n.id = l.account
       order by l.ready_at is null, l.updated_at desc limit $1`,
      [MOST_LOOPS],
    );
    const changed = rows.filter(({ id, mark }) => known.get(id)?.mark !== mark);
    for (let from = 0; from < changed.length; from += AT_ONCE)
      await copy(new Map(changed.slice(from, from + AT_ONCE).map(({ id, mark }) => [id, mark])));
    const there = new Set(rows.map(({ id }) => id));
    for (const id of known.keys()) if (!there.has(id) && known.delete(id)) copies.remove(id);
    const isNew = new Set(changed.map(({ id }) => id));
    const atWork = rows.filter(({ id, at_work }) => at_work || (!isFirst && isNew.has(id)));
    isFirst = false;
    for (const { loop, line } of await newsOf(atWork.map(({ id }) => id)))
      appendFileSync(join(home.loops, loop, 'news.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  let looking: Promise<void> = Promise.resolve();

  return {
    store: Object.assign(Object.create(copies) as Store, {
      config: own.config,
      once: own.once,
      stamps: () =>
        copies.stamps().map(({ id, stamp }) => ({ id, stamp: `${stamp} ${known.get(id)?.mark}` })),
    }),
    // One after the other: two at once would write the same events.
    look: () => (looking = looking.catch(() => undefined).then(look)),
    close: () => rmSync(home.dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What the row of the loop knows better than its journal. */
function factsOf({ account, worker, status, reason }: FleetLoop, fleet: string): string {
  return `${JSON.stringify({ fleet, account, worker, status, reason })}\n`;
}
