/**
 * Claude Code's transcript, looked at only from where the last look ended: what a person typed waits in the host's
 * queue and is written here within 200 ms. The agent's last message is never taken from here (it lags behind).
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Context } from '../../../core/events.ts';
import { isRecord } from '../../../core/shape.ts';
import type { Look } from '../../arrival.ts';
import { windowIn } from '../window.ts';

/** One pass rarely writes more. Keeps a look flat for any size. */
const MOST_READ = 4 * 1024 * 1024;
/** Windows has no O_NONBLOCK. Without it a pipe under the transcript's name would hold the hook for ever. */
export const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const QUEUE_ROW = '"queue-operation"';
const TOOL_CALL = '"type":"tool_use"';
/** An assistant's row. The report of a subagent has a usage too, which begins otherwise. */
const USAGE = '"usage":{"input_tokens":';

export function lookAtTranscript(path: string, since: Look['queue'], notBefore: string): Look {
  let bytes: Buffer;
  let from: number;
  try {
    ({ bytes, from } = readSince(path, since.offset));
  } catch {
    return { queue: since, taken: false, toolUsed: false };
  }
  // Where this look does not begin at the end of the last (a file that shrank, a stretch too long to read), what was
  // counted is void: a row that took it back may be among those that nobody reads, and a loop would yield for ever.
  const waiting = from === since.offset ? since.waiting : 0;
  const steps = queueSteps(bytes, Date.parse(notBefore));
  return {
    queue: {
      offset: from + bytes.length,
      waiting: steps.reduce((count, step) => Math.max(0, count + step), waiting),
    },
    taken: steps.some((step) => step < 0),
    toolUsed: bytes.includes(TOOL_CALL),
    context: contextIn(bytes),
  };
}

/**
 * How full the context was at the last message of the main chain: all that its request and its answer have put there. Its
 * row may lag behind the stop; then it is the message before. Taken without parsing, since every stop comes by here.
 */
function contextIn(bytes: Buffer): Context | null {
  const at = bytes.lastIndexOf(USAGE);
  if (at === -1) return null;
  const row = bytes.toString('latin1', at, bytes.indexOf(10, at));
  const counts = row.split(/[{}]/)[1]?.match(/\d+/g) ?? [];
  return { tokens: counts.reduce((sum, count) => sum + Number(count), 0), window: windowIn(row) };
}

function readSince(path: string, offset: number): { bytes: Buffer; from: number } {
  const file = openSync(path, READING);
  try {
    const { size } = fstatSync(file);
    const from = Math.max(size < offset ? 0 : offset, size - MOST_READ);
    const bytes = Buffer.allocUnsafe(size - from);
    const count = readSync(file, bytes, 0, bytes.length, from);
    // A row that is still being written is read whole next time.
    const whole = bytes.subarray(0, count).lastIndexOf(10) + 1;
    return { bytes: bytes.subarray(0, whole), from };
  } finally {
    closeSync(file);
  }
}

/** How each row changes the number of those that wait. */
function queueSteps(bytes: Buffer, notBefore: number): number[] {
  const steps: number[] = [];
  for (let at = bytes.indexOf(QUEUE_ROW); at !== -1; at = bytes.indexOf(QUEUE_ROW, at + 1)) {
    const begin = bytes.lastIndexOf(10, at) + 1;
    const row = bytes.toString('utf8', begin, bytes.indexOf(10, at));
    steps.push(stepOf(row, notBefore));
  }
  return steps;
}

/** A host that was ended may leave a row that nothing ever takes back: an earlier process's rows do not count. */
function stepOf(row: string, notBefore: number): number {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return 0;
  }
  if (!isRecord(value) || value['type'] !== 'queue-operation') return 0;
  if (typeof value['timestamp'] === 'string' && Date.parse(value['timestamp']) < notBefore) return 0;
  switch (value['operation']) {
    case 'enqueue':
      return 1;
    case 'dequeue':
    case 'remove':
      return -1;
    case 'popAll':
      return Number.NEGATIVE_INFINITY;
    default:
      return 0;
  }
}
