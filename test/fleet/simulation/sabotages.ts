/**
 * What keeps the promises of the fleet, removed one at a time: patches to the source, each of which has to be
 * found by the simulation alone. `seed`: a schedule that finds it.
 */
import type { Focus } from './schedule.ts';

export interface Sabotage {
  readonly name: string;
  readonly seed: number;
  readonly focus?: Focus;
  readonly patches: readonly Patch[];
  /** What the sabotaged database needs beside its functions. */
  readonly sql?: string;
}

/** `find` occurs once in the file, which is below `src/fleet`. */
interface Patch {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const CHILD_CLOCK: Patch = {
  file: 'driven/driven-step.ts',
  find: 'const isLate = message.at > state.leaseUntil;',
  put: 'const isLate = false;',
};
const WORKER_CLOCK: Patch = {
  file: 'worker/leased-loop/step.ts',
  find: 'const isLate = isOver && (!state.isStanding || state.isDraining);',
  put: 'const isLate = isOver && false;',
};

export const SABOTAGES: readonly Sabotage[] = [
  {
    name: 'the check of the epoch and the key',
    seed: 6,
    focus: { strike: 'hang and cut' },
    patches: [
      {
        file: 'functions/record.ts',
        find: 'where l.id = of_loop and l.epoch = of_epoch and h.key = of_key and l.worker is not null',
        put: 'where l.id = of_loop and l.worker is not null',
      },
    ],
  },
  {
    name: 'the whole fence',
    seed: 6,
    focus: { strike: 'cut' },
    patches: [
      {
        file: 'functions/record.ts',
        find: 'where l.id = of_loop and l.epoch = of_epoch and h.key = of_key and l.worker is not null',
        put: 'where l.id = of_loop',
      },
    ],
  },
  {
    name: 'the look at the lease when a loop is taken',
    seed: 1,
    patches: [
      {
        file: 'functions/lease.ts',
        find: 'and l.worker is not null and h.lease_until <= now()',
        put: 'and l.worker is not null',
      },
    ],
  },
  {
    name: 'the order of point and verdict (verdict first)',
    seed: 1,
    patches: [
      {
        file: 'worker/leased-loop/step.ts',
        find: ': beginPublishing(known, { ...settle, point });',
        put: ': beginRecording(known, settle, beginPublishing === null ? UNPUBLISHED : UNPUBLISHED);',
      },
    ],
  },
  {
    name: 'the one transaction in which a loop is let go',
    seed: 1,
    patches: [
      {
        file: 'ship.ts',
        find: 'export function releaseLoop(database: Database, hold: LoopHold, shipment: Shipment | null, release: Release) {',
        put: `export async function releaseLoop(database: Database, hold: LoopHold, shipment: Shipment | null, release: Release) {
  const nothing = { head: null, point: null, point_ref: null };
  if (shipment !== null) await shipRecorded(database, hold, shipment, nothing, { costUsd: 0, tokens: 0 });`,
      },
    ],
  },
  {
    name: "the lock of the account's row",
    seed: 4,
    focus: { limit: 'max_loops' },
    patches: [{ file: 'functions/record.ts', find: 'for no key update`', put: '`' }],
  },
  { name: 'the lease clock of the child', seed: 5, focus: { strike: 'freeze' }, patches: [CHILD_CLOCK] },
  {
    name: 'the lease clock of the worker',
    seed: 4,
    focus: { strike: 'hang and cut' },
    patches: [WORKER_CLOCK],
  },
  { name: 'both clocks', seed: 5, focus: { strike: 'freeze' }, patches: [CHILD_CLOCK, WORKER_CLOCK] },
  {
    name: 'the question to the record before a push',
    seed: 34,
    focus: { strike: 'cut', word: 'cancel' },
    patches: [
      {
        file: 'worker/leased-loop/publishing.ts',
        find: "return askRecord({ ...state, phase }, { is: 'holds-lease' });",
        put: "return orderGit({ ...state, phase }, { is: 'push-point', point: settle.point });",
      },
    ],
  },
  {
    name: 'the question between the look at the branch and its push',
    seed: 4,
    focus: { strike: 'foreign' },
    patches: [
      {
        file: 'worker/leased-loop/publishing.ts',
        find: "return askRecord(state, { is: 'permit-push', push, known: [work.base, work.head, push.to] });",
        put: "return orderGit(state, { is: 'push-branch', ...push });",
      },
    ],
  },
  {
    name: 'the list of commits that a loop has pushed',
    seed: 4,
    focus: { strike: 'foreign' },
    patches: [
      { file: 'functions/worker.ts', find: "then return 'foreign'; end if;", put: 'then null; end if;' },
    ],
  },
  {
    name: 'the patience with a database that is away',
    seed: 10,
    focus: { strike: 'restart' },
    patches: [
      {
        file: 'worker/leased-loop/transitions.ts',
        find: "if (failure.is === 'away' && !state.isFenced && !isLeaving) return askLater(state, question);",
        put: 'if (isLeaving && at < 0) return askLater(state, question);',
      },
    ],
  },
  {
    name: 'the time to take a live loop again',
    seed: 1,
    focus: { strike: 'leaves' },
    patches: [{ file: 'driven/barriers.ts', find: "return { until: 'later', why };", put: 'return parked;' }],
  },
  {
    name: 'the fence of a cancel',
    seed: 1,
    focus: { word: 'cancel' },
    patches: [
      {
        file: 'actions.ts',
        find: 'if (fences && !goesOn) await fence(sql, row.id, false);',
        put: "if (fences && !goesOn) await sql.query('update dacapo.loop set ready_at = null where id = $1', [row.id]);",
      },
    ],
  },
  {
    name: 'parking (waits in the process instead)',
    seed: 1,
    patches: [
      {
        file: 'driven/barriers.ts',
        find: 'if (left < SHORT_WAIT_MS) return',
        put: 'if (left < Infinity) return',
      },
    ],
  },
  {
    name: "what a dead worker's pass had used",
    seed: 4,
    focus: { strike: 'kill' },
    patches: [{ file: 'lease.ts', find: 'lost: used ?? null,', put: 'lost: used === null ? null : null,' }],
  },
  {
    name: 'the heartbeats while a worker waits for its next loop',
    seed: 6,
    patches: [
      {
        file: 'worker/worker-step.ts',
        find: 'state.beat.isUnderWay || at < state.beat.dueAt',
        put: "state.beat.isUnderWay || state.leasing.is !== 'idle' || at < state.beat.dueAt",
      },
    ],
  },
  {
    name: 'the clock that a worker and its drivers share',
    seed: 11,
    focus: { strike: 'hang and freeze' },
    patches: [
      {
        file: 'driven/driven-step.ts',
        find: 'const renewed = { ...state, leaseUntil: message.until };',
        put: 'const renewed = { ...state, leaseUntil: at + 6_000 };\n      message = { ...message, until: at };',
      },
    ],
  },
  {
    name: 'the point of a stop that spends no iteration',
    seed: 2,
    patches: [
      {
        file: 'driven/barriers.ts',
        find: "return last?.type === 'verdict' ? keepPoint(`stop-${last.n}`) : null;",
        put: 'return keepPoint === null ? null : null;',
      },
    ],
  },
  {
    name: 'the wait for a worker that has not heard that its loop was taken from it',
    seed: 10,
    focus: { strike: 'words', word: 'resume' },
    patches: [
      {
        file: 'functions/lease.ts',
        find: 'and not exists (select from dacapo.hold h where h.loop = l.id and h.lease_until > now())',
        put: '',
      },
    ],
  },
  {
    name: 'the return of money that was set aside for a pass whose worker died',
    seed: 16,
    focus: { strike: 'kill', limit: 'max_cost_per_day' },
    patches: [
      {
        file: 'functions/lease.ts',
        find: "continue when short_of <> 'cost';",
        put: 'continue when short_of is not null;',
      },
    ],
  },
  {
    name: 'the lock of a pass that a person ends',
    seed: 23,
    focus: { word: 'cancel' },
    patches: [
      {
        file: 'actions.ts',
        find: "await sql.query('select from dacapo.pass where loop = $1 and ended is null for update', [row.id]);",
        put: '',
      },
    ],
  },
  {
    name: 'the second look of a worker that was frozen',
    seed: 19,
    focus: { strike: 'freeze' },
    patches: [
      {
        file: 'worker/leased-loop/step.ts',
        find: 'const isToEnd = isLate && state.isLate &&',
        put: 'const isToEnd = isLate &&',
      },
    ],
  },
  {
    name: 'the queue behind words that wait already',
    seed: 18,
    focus: { word: 'steer' },
    patches: [{ file: 'actions.ts', find: ' || inbox.length > 0', put: '' }],
  },
  {
    name: 'what keeps a loop that has ended from others',
    seed: 94,
    patches: [
      {
        file: 'worker/leased-loop/step.ts',
        find: "const isHandedOver = !hasChild || (phase.is === 'recording' && phase.isLive);",
        put: 'const isHandedOver = true;',
      },
      { file: 'functions/worker.ts', find: 'status in (${ENDED_SQL})', put: 'false' },
    ],
  },
  {
    name: 'the heartbeat that waits for nobody',
    seed: 520,
    patches: [{ file: 'functions/lease.ts', find: 'for update of p skip locked', put: 'for update of p' }],
  },
  {
    name: 'the answer that waits for the lease',
    seed: 200_067,
    patches: [
      {
        file: 'driven/driven-step.ts',
        find: 'return at > state.leaseUntil ? stay({ ...state, late: message }) : answer(state, message);',
        put: 'return answer(state, message);',
      },
    ],
  },
  {
    name: 'the patience with a pass that has ended',
    seed: 100_280,
    patches: [
      {
        file: 'worker/leased-loop/step.ts',
        find: 'isLate && state.isLate && !isPublishing(state);',
        put: 'isLate && state.isLate;',
      },
    ],
  },
  {
    name: 'the place of a loop whose lease ran out',
    seed: 101_425,
    patches: [
      {
        file: 'functions/lease.ts',
        find: 'select from dacapo.account c where c.id = l.account and c.max_loops is not null))',
        put: 'select from dacapo.account c where false))',
      },
    ],
  },
  {
    name: 'the meter of who still has the loop',
    seed: 102_014,
    patches: [
      {
        file: 'functions/lease.ts',
        find: 'from renewed r join asked a on a.id = r.loop',
        put: 'from asked a',
      },
    ],
  },
  // The last one: what it changes in the database stays.
  {
    name: 'the unique index of judged stops',
    seed: 3,
    focus: { strike: 'rogue', limit: 'max_loops' },
    patches: [],
    sql: 'drop index dacapo.no_stop_is_judged_twice',
  },
];
