/**
 * The loops of a fleet as files of this machine, while somebody looks, so that the screens of one machine can
 * show them. Nothing here is written back: what a person does goes through `fleet/actions.ts`.
 */
import { appendFileSync, existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '#base/refusal.ts';
import { isId } from '#base/shape.ts';
import { makeScratch } from '#base/files/scratch.ts';
import { sha256 } from '#base/files/sha256.ts';
import { FLEET_COPY } from '#engine/look/find.ts';
import { homeAt, makePrivateFolder, type Home } from '#store/file/home.ts';
import { writeCopy } from '#store/file/loops.ts';
import { fileBlobs, openJournal } from '#store/file/open-loop.ts';
import { fileStore } from '#store/file/store.ts';
import { buildManifest } from '#store/manifest.ts';
import type { Store } from '#store/store.ts';
import { submittedRequest } from '../codec/loop-row.ts';
import { fitShape, MAX_REQUEST_BYTES, UnfitRecord } from '../codec/rows.ts';
import type { Sql } from '../database/database.ts';
import { readFilesLike } from '../lease.ts';
import { memoryRuntime, pendingLoop, placed } from '../memory.ts';
import { followNews } from './news.ts';
import { readLoops, readRecord, type FleetLoop } from '../record.ts';

/** More than anybody reads. Those that go on come first, then those that changed last. */
const MAX_LOOPS_SHOWN = 500;

/** `own`: the store of this user, for what is no loop. `shown`: the fleet, for people. */
export function openMirror(sql: Sql, own: Store, shown: string) {
  const home = homeAt(makeScratch('fleet'));
  const copies = fileStore(home);
  /** `mark`: of the row that the copy was made from. `files`: by name; they never change. */
  const known = new Map<string, { mark: string; events: number; files: readonly string[] }>();
  /** Loops that can't be shown, and why. */
  const unread = new Map<string, string>();
  const newsOf = followNews(sql);
  let isFirst = true;
  let looking: Promise<void> = Promise.resolve();

  const copy = async (loop: FleetLoop, mark: string): Promise<void> => {
    const { id, account, worker, status, reason } = loop;
    const old = known.get(id) ?? { events: 0, files: [] };
    const { events, upTo } = await readRecord(sql, id, old.events);
    const pending = upTo === 0 ? await readPending(sql, id) : null;
    const files = await readFilesLike(sql, id, '^(prompts|evidence)/', old.files);
    // Its first worker makes the loop again, with all that only the work tree can tell.
    if (old.events === 0) copies.remove(id);
    const dir = join(home.loops, id);
    makePrivateFolder(dir);
    const facts = {
      name: FLEET_COPY,
      content: JSON.stringify({ fleet: shown, account, worker, status, reason }),
    };
    const parts = [...(pending === null ? files : buildManifest(pending)), facts];
    for (const { name, content } of parts) fileBlobs(dir).write(name, content);
    const journal = openJournal(join(dir, 'journal.jsonl'));
    for (const event of pending?.journal.read(0).events ?? events) journal.append(placed(event, loop.repo));
    journal.close();
    const names = files.map(({ name }) => name);
    known.set(id, { mark, events: upTo, files: [...old.files, ...names] });
  };

  /** A loop that does not fit is told as one that can't be read, and looked at again when its row changes. */
  const leaveOut = (id: string, mark: string, why: string): void => {
    copies.remove(id);
    known.set(id, { mark, events: 0, files: [] });
    unread.set(id, why);
  };

  const copyOrLeave = async (loop: FleetLoop, mark: string): Promise<void> => {
    try {
      unread.delete(loop.id);
      await copy(loop, mark);
    } catch (error) {
      if (!(error instanceof UnfitRecord)) throw error;
      leaveOut(loop.id, mark, error.message);
    }
  };

  const look = async (): Promise<void> => {
    const rows = await sql.query<{ id: string; mark: string; at_work: boolean }>(
      `with n as materialized (select * from dacapo.account_room)
       select l.id, l.worker is not null and coalesce(h.lease_until > now(), false) as at_work,
         (l.epoch, l.events, l.status, l.trouble, l.waits_for,
          l.ready_at <= now(), l.worker is not null and h.lease_until > now(), n.short_of)::text as mark
       from dacapo.loop l join n on n.id = l.account left join dacapo.hold h on h.loop = l.id
       order by l.ready_at is null, l.updated_at desc limit $1`,
      [MAX_LOOPS_SHOWN],
    );
    // `dacapo prune` leaves alone what is in use.
    utimesSync(home.dir, new Date(), new Date());
    // A row whose id is none has no folder that it could be shown in. `fleet list` and `fleet doctor` name
    // it.
    const named = rows.filter(({ id }) => isId(id));
    const marks = new Map(named.map(({ id, mark }) => [id, mark]));
    const changed = named.filter(({ id, mark }) => known.get(id)?.mark !== mark);
    if (changed.length > 0) {
      const ids = changed.map(({ id }) => id);
      const { loops, unfit } = await readLoops(sql, { ids });
      for (const loop of loops) await copyOrLeave(loop, marks.get(loop.id) ?? '');
      for (const { loop, message } of unfit)
        if (loop !== null) leaveOut(loop, marks.get(loop) ?? '', message);
    }
    for (const id of known.keys())
      if (!marks.has(id) && known.delete(id)) {
        unread.delete(id);
        copies.remove(id);
      }
    // What an ended loop did last comes a moment after its end.
    const isChanged = new Set(changed.map(({ id }) => id));
    const heard = named.filter(
      ({ id, at_work }) => !unread.has(id) && (at_work || (!isFirst && isChanged.has(id))),
    );
    isFirst = false;
    for (const { loop, line } of await newsOf(heard.map(({ id }) => id)))
      appendFileSync(join(home.loops, loop, 'news.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };

  return {
    store: Object.assign(Object.create(copies) as Store, {
      config: own.config,
      stamps: () => [
        ...copies.stamps().map(({ id, stamp }) => ({ id, stamp: `${stamp} ${known.get(id)?.mark}` })),
        ...[...unread].map(([id, stamp]) => ({ id, stamp })),
      ],
      open: (id: string) => {
        const why = unread.get(id);
        if (why !== undefined) throw new Error(why);
        return copies.open(id);
      },
    }),
    /** Brings the copies up to date, one after the other: two at once would write the same events. */
    look: (): Promise<void> => (looking = looking.catch(() => undefined).then(look)),
    close: () => rmSync(home.dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function readPending(sql: Sql, id: string) {
  const [row] = await sql.query<{ request: unknown }>(
    `select case when octet_length(request::text) <= $2 then request end as request
     from dacapo.loop where id = $1`,
    [id, MAX_REQUEST_BYTES],
  );
  if (row === undefined) return null;
  return pendingLoop(id, fitShape(submittedRequest, row.request, id, 'what was asked for'), memoryRuntime());
}

/** Brings a loop home as a copy: every command that looks at a loop works on it, and none that changes it. */
export async function pull(sql: Sql, id: string, home: Home, from: string) {
  const { events } = await readRecord(sql, id);
  if (events.length === 0)
    return refuse('not-begun', `No worker has begun loop ${id} yet.`, `dacapo fleet status ${id} says why.`);
  const folder = join(home.loops, id);
  // An id that the record names may be that of a loop of this machine.
  if (existsSync(folder) && !existsSync(join(folder, FLEET_COPY)))
    return refuse('own-loop', `${id} is a loop of this machine.`, 'dacapo status shows it.');
  const content = `${JSON.stringify({ fleet: from })}\n`;
  const parts = [
    ...(await readFilesLike(sql, id, '', [])),
    { name: FLEET_COPY, sha256: sha256(content), content },
  ];
  return { ok: true as const, folder: writeCopy(home, id, events, parts) };
}
