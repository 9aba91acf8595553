/** The loop as its first event makes it. */
import { CLOSED, type Loop } from '../loop.ts';
import type { EventOf } from '../record/events.ts';
import { frameOf } from './frames.ts';

export function begin(event: EventOf<'created'>): Loop {
  const { name, driver, timeMs, staleMs, costUsd, tokens, stalls, stallsAsked, checking, config, ...rest } =
    event.definition;
  const {
    passes,
    views: _,
    protect,
    baseline,
    unmatched = [],
    tree = null,
    exposed = [],
    approvals = null,
    notify = [],
    ...fields
  } = rest;
  const frame = { ...frameOf({ ...fields, item: null }, 1, true), passes };
  return {
    id: event.id,
    project: event.project,
    host: event.host,
    name,
    driver,
    frames: [frame],
    limits: { timeMs, staleMs, costUsd, tokens, stalls, stallsAsked, checking },
    spent: { costUsd: 0, tokens: 0 },
    circuit: CLOSED,
    begunTree: tree,
    worked: false,
    session: {
      context: null,
      said: null,
      owner: null,
      awaited: false,
      origin: { session: event.by.session, prompt: event.by.prompt },
      chain: null,
      unconfirmed: null,
      streak: 0,
      cap: null,
      hold: null,
      shellsHeld: [],
      yielded: false,
      compacted: false,
      queue: { offset: 0, waiting: 0 },
      woken: null,
      boundAt: event.at,
    },
    config,
    protection: { protect, baseline, unmatched, exposed, slipped: null },
    people: { notify, approvals, requested: 0, requests: [], steers: [] },
    noted: {},
    notes: [],
    status: { is: 'pending' },
    stops: 0,
    open: null,
    answered: [],
    last: null,
    run: { plan: null, faults: { total: 0, inARow: 0, last: null }, resetsAt: null },
    files: {
      view: null,
      views: [],
      revisions: [{ from: 1, frame: 1, prompt: frame.prompt, iterations: frame.iterations }],
    },
    clock: { workedMs: 0, since: null, until: null },
    startedAt: event.at,
    updatedAt: event.at,
    activeAt: event.at,
    events: 1,
  };
}
