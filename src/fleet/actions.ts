/**
 * What a person does to a loop, from any machine, in one transaction with its record. A cancel, a pause, a
 * resume and an answer fence the worker: everything that it ships afterwards is refused. Messages to the
 * agent and amendments reach a running loop through its inbox, so that its pass continues.
 */
import { hasEnded } from '#law/loop.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { flag, instant, isId, orNull, record, text, type Infer } from '#base/shape.ts';
import { isAsked, NO_AMENDMENT } from '#engine/steer/amend.ts';
import { applyAction, type LoopAction } from '#engine/steer/actions.ts';
import type { Sink } from '#engine/notices/sink.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { inWords, type Refused } from '#telling/advice.ts';
import { inFleet } from '#telling/audience.ts';
import { LOOP_ROW } from './codec/loop-row.ts';
import { fitRow, UnfitRecord } from './codec/rows.ts';
import { statusWord } from '#input/statuses.ts';
import type { Database, Sql } from './database/database.ts';
import { loadRecord } from './lease.ts';
import { append, tellAfter } from './ship.ts';
import { followDeltas, loadLoop, memoryRuntime, pendingLoop } from './memory.ts';
import { summaryOf } from './record.ts';
import { notifyFleet, notifyReady } from './database/words.ts';

const actedRow = record({
  ...LOOP_ROW,
  status: statusWord,
  ready_at: orNull(instant),
  at_work: flag,
  /** Who has taken it last, and may come back after its lease. */
  worker: orNull(text),
});
type ActedRow = Infer<typeof actedRow>;

/**
 * `sink`: tells people what became of it, once it is true. `later`: its worker does it before the next pass.
 */
export async function applyInFleet(database: Database, id: string, action: LoopAction, sink: Sink) {
  const acted = await database.transaction(async (sql) => {
    const [row] = await sql.query<object>(
      `select l.*, l.worker is not null and coalesce(h.lease_until > now(), false) as at_work
       from dacapo.loop l left join dacapo.hold h on h.loop = l.id where l.id = $1 for update of l`,
      [id],
    );
    if (row === undefined)
      return refuse('no-loop', `The fleet has no loop ${id}.`, 'dacapo fleet list shows every loop.');
    try {
      return await applyInTransaction(sql, fitRow(actedRow, row, 'its row'), action, sink);
    } catch (error) {
      if (!(error instanceof UnfitRecord)) throw error;
      return action.is === 'cancel' ? cancelUnread(sql, id) : error.refusal;
    }
  });
  if (!acted.ok) return inWords(acted, inFleet);
  acted.tell();
  return { ok: true as const, id, later: acted.later };
}

/** `tell`: tells people of it, when it is true. */
const DONE = { ok: true as const, later: false, tell: (): void => undefined };

async function applyInTransaction(
  sql: Sql,
  row: ActedRow,
  action: LoopAction,
  sink: Sink,
): Promise<typeof DONE | Refused> {
  const hasBegun = row.events > 0;
  const queued = asQueuedAction(action, row);
  if (!hasBegun && action.is !== 'cancel' && queued === null) return setStatusBeforeStart(sql, row, action);
  const runtime = actionRuntime();
  // A heartbeat must not add to what a pass has used after it was read here.
  await sql.query('select from dacapo.pass where loop = $1 and ended is null for update', [row.id]);
  const { events, files, lost, inbox } = await loadRecord(sql, row);
  const open = hasBegun ? loadLoop(events, files, runtime) : pendingLoop(row.id, row.request, runtime);
  // Behind those that wait already, also where nobody has the loop now: people are heard in their order.
  if (queued !== null && (row.worker !== null || !hasBegun || inbox.length > 0)) {
    // Its worker does the same after those that wait already. What is known to be refused then is refused
    // now.
    for (const { act } of inbox) applyAction(row.id, act, runtime);
    const tried = applyAction(row.id, queued, runtime);
    if (!tried.ok && (hasBegun || !OF_CONFIG.includes(tried.code))) return tried;
    await sql.query('insert into dacapo.inbox (loop, act) values ($1, $2)', [row.id, queued]);
    if (action.is === 'resume' && !hasBegun) await setStatusBeforeStart(sql, row, action);
    return { ...DONE, later: true };
  }
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const growth = followDeltas(open, { upTo: hasBegun ? open.journal.end() : 0, files: known });
  const fences = queued === null;
  // A pass that is cut short is not judged, but its cost counts.
  if (lost !== null && fences && !hasEnded(open.loop()))
    open.write({ type: 'spent', at: runtime.now(), used: lost });
  const before = open.journal.end();
  const applied = applyAction(row.id, action, runtime);
  if (!applied.ok) return applied;
  if (hasBegun && open.journal.end() === before) {
    // A stuck loop has ended, but was to be tried once more. One that waiting for another try may go on at
    // once.
    if (action.is === 'cancel' && row.ready_at !== null) await fence(sql, row.id, false);
    if (action.is === 'resume' && !row.at_work && mayGoOn(open)) await fence(sql, row.id, true);
    return DONE;
  }
  const epoch = row.epoch + (fences ? 1 : 0);
  const shipment = { ...growth(), from: row.events, summary: summaryOf(open, runtime), applied: 0 };
  // The row of a live loop always says when somebody may take it.
  const goesOn = mayGoOn(open);
  if (fences && goesOn) await fence(sql, row.id, true);
  await append(sql, { id: row.id, epoch }, shipment);
  if (fences && !goesOn) await fence(sql, row.id, false);
  return { ...DONE, tell: () => tellAfter(events, sink)(shipment.events) };
}

/** Whatever its record says, a person can end it. */
async function cancelUnread(sql: Sql, id: string): Promise<typeof DONE> {
  await fence(sql, id, false);
  const reason = "cancelled by a person; its record can't be read";
  await sql.query(`select dacapo.stop_unread($1, 'cancelled', $2)`, [id, reason]);
  return DONE;
}

/** Before a loop has begun, nobody knows which checks and measures the config of its repository has. */
const OF_CONFIG = ['no-check', 'bad-measure'];

/** Which programs there are, and which config is trusted, is the business of the loop's workers. */
function actionRuntime(): Runtime {
  const { store, ...runtime } = memoryRuntime();
  const trusted = { digest: '', files: [], fields: [], at: runtime.now() };
  const trust = { ...store.trust, find: (project: string, file: string) => ({ ...trusted, project, file }) };
  return { ...runtime, store: { ...store, trust }, env: { ...runtime.env, PATH: undefined } };
}

/**
 * The act as one that needs no end of the pass; null: it does. New limits for a loop at work, or to come, are
 * an amendment.
 */
function asQueuedAction(action: LoopAction, { at_work, events }: ActedRow): LoopAction | null {
  const isForWorker = at_work || events === 0;
  if (action.is === 'resume' && action.limits !== undefined && isForWorker && isAsked(action.limits))
    return { ...action, ...NO_AMENDMENT, is: 'amend', limits: action.limits };
  return action.is === 'steer' || action.is === 'amend' ? action : null;
}

function mayGoOn(open: OpenLoop): boolean {
  const loop = open.look();
  return !hasEnded(loop) && loop.status.is !== 'paused' && loop.status.is !== 'interrupted';
}

/** From now on the worker that had the loop can add nothing to it. */
async function fence(sql: Sql, id: string, isReady: boolean): Promise<void> {
  await sql.query(
    `update dacapo.loop set epoch = epoch + 1, worker = null, waits_for = null, trouble = null, takes = '[]',
       tries = 0, ready_at = case when $2 then now() end where id = $1`,
    [id, isReady],
  );
  await sql.query('update dacapo.pass set ended = now() where loop = $1 and ended is null', [id]);
  await notifyFleet(sql, { is: 'fenced', loop: id });
  if (isReady) await notifyReady(sql, id);
}

/**
 * A loop that has no record yet is paused and resumed in its row alone: what it is made of only its first
 * worker knows.
 */
async function setStatusBeforeStart(
  sql: Sql,
  { id, status }: ActedRow,
  action: LoopAction,
): Promise<typeof DONE | Refusal> {
  if (action.is === 'answer')
    return refuse('no-request', `Loop ${id} has asked nothing.`, 'dacapo fleet list shows requests.');
  if (action.is === 'trust')
    return refuse('not-planted', `Loop ${id} has not begun.`, 'Its worker says so when there is a question.');
  const to = action.is === 'pause' ? 'paused' : 'pending';
  if (status === to) return DONE;
  await sql.query(
    `update dacapo.loop set status = $2, ready_at = case $2 when 'pending' then now() end,
       report = report || jsonb_build_object('status', $2::text, 'reason', $3::text)
     where id = $1`,
    [id, to, action.is === 'pause' ? 'paused by a person' : 'waiting for a worker'],
  );
  await fence(sql, id, to === 'pending');
  return DONE;
}

/** The loop that has asked this. */
export async function loopOfRequest(sql: Sql, request: string): Promise<Granted<{ id: string }>> {
  const [row] = await sql.query<{ loop: string }>(
    `select loop from dacapo.event where type = 'requested' and body->>'id' = $1 order by at desc limit 1`,
    [request],
  );
  if (row !== undefined && isId(row.loop)) return { ok: true, id: row.loop };
  const none = `The fleet has no request ${JSON.stringify(request)}.`;
  return refuse('no-request', none, 'dacapo fleet list --json shows what is open.');
}
