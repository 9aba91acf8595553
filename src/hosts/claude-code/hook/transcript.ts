/**
 * Claude Code's transcript, read only from where the last look ended. It shows, within 200 ms, what a person
 * typed and waits in the host's queue. We never take the agent's last message from here, as it lags behind.
 */
import type { Context } from '#law/record/events.ts';
import { parseAs, isRecord } from '#base/shape.ts';
import type { Look } from '#hosts/port/arrival.ts';
import { readSince } from '#base/files/read.ts';
import { windowIn } from '../context-window.ts';

const QUEUE_ROW = '"queue-operation"';
const TOOL_CALL = '"type":"tool_use"';
/** In an assistant's row. The report of a subagent has a usage too, which begins with another field. */
const USAGE = '"usage":{"input_tokens":';
const TIMESTAMP = '"timestamp":"';

export function lookAtTranscript(path: string, since: Look['queue'], notBefore: string): Look {
  let rows: string;
  let from: number;
  try {
    ({ rows, from } = readSince(path, since.offset));
  } catch {
    return { queue: since, taken: false, toolUsed: false };
  }
  // If this look does not begin where the last one ended (the file shrank, or grew too much to read), drop
  // the count: the skipped rows may have taken input from the queue, and the loop would yield forever.
  const waiting = from === since.offset ? since.waiting : 0;
  const steps = queueSteps(rows, Date.parse(notBefore));
  return {
    queue: {
      offset: from + rows.length,
      waiting: steps.reduce((count, step) => Math.max(0, count + step), waiting),
    },
    taken: steps.some((step) => step < 0),
    toolUsed: isSince(rows, rows.lastIndexOf(TOOL_CALL), notBefore),
    context: contextIn(rows),
  };
}

/** The first look at a session that is older than the loop also sees what the session did before. */
function isSince(rows: string, at: number, notBefore: string): boolean {
  if (at === -1) return false;
  const row = rows.slice(rows.lastIndexOf('\n', at) + 1, rows.indexOf('\n', at));
  const from = row.indexOf(TIMESTAMP);
  if (from === -1) return true;
  const begins = from + TIMESTAMP.length;
  return row.slice(begins, row.indexOf('"', begins)) >= notBefore;
}

/**
 * How full the context was at the last message of the main chain, with its request and its answer. Its row
 * may lag behind the stop; then this is the previous message. We do not parse the rows, since every stop runs
 * this. Here and on the rest of that way we use few patterns: each takes 0.05 ms at its first use.
 */
function contextIn(rows: string): Context | null {
  const at = rows.lastIndexOf(USAGE);
  if (at === -1) return null;
  const row = rows.slice(at, rows.indexOf('\n', at));
  const counts = row.split('{')[1]?.split('}')[0]?.match(/\d+/g) ?? [];
  return { tokens: counts.reduce((sum, count) => sum + Number(count), 0), window: windowIn(row) };
}

function queueSteps(rows: string, notBefore: number): number[] {
  const steps: number[] = [];
  for (let at = rows.indexOf(QUEUE_ROW); at !== -1; at = rows.indexOf(QUEUE_ROW, at + 1)) {
    const row = rows.slice(rows.lastIndexOf('\n', at) + 1, rows.indexOf('\n', at));
    steps.push(stepOf(row, notBefore));
  }
  return steps;
}

const STEPS: Readonly<Record<string, number>> = { enqueue: 1, dequeue: -1, remove: -1, popAll: -Infinity };

/** A killed host may leave an input queued forever, so rows of an earlier process do not count. */
function stepOf(row: string, notBefore: number): number {
  const value = parseAs(isRecord, row);
  if (value?.['type'] !== 'queue-operation') return 0;
  if (typeof value['timestamp'] === 'string' && Date.parse(value['timestamp']) < notBefore) return 0;
  return STEPS[String(value['operation'])] ?? 0;
}
