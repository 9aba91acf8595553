/**
 * Claude Code's transcript, read only from where the last look ended. It shows, within 200 ms, what a person typed and
 * waits in the host's queue. We never take the agent's last message from here, as it lags behind.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Context } from '../../../core/record/events.ts';
import { isRecord } from '../../../core/shape.ts';
import type { Look } from '../../arrival.ts';
import { windowIn } from '../window.ts';

/** One pass rarely writes more. This bounds the cost of a look for any file size. */
const MOST_READ = 4 * 1024 * 1024;
/** Without O_NONBLOCK, a named pipe in place of the transcript would block the hook for ever. Windows does not have it. */
export const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const QUEUE_ROW = '"queue-operation"';
const TOOL_CALL = '"type":"tool_use"';
/** In an assistant's row. The report of a subagent has a usage too, which begins with another field. */
const USAGE = '"usage":{"input_tokens":';

export function lookAtTranscript(path: string, since: Look['queue'], notBefore: string): Look {
  let bytes: Buffer;
  let from: number;
  try {
    ({ bytes, from } = readSince(path, since.offset));
  } catch {
    return { queue: since, taken: false, toolUsed: false };
  }
  // If this look does not begin where the last one ended (the file shrank, or grew too much to read), drop the count:
  // the skipped rows may have taken input from the queue, and the loop would yield for ever.
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
 * How full the context was at the last message of the main chain, with its request and its answer. Its row may lag behind
 * the stop; then this is the previous message. We do not parse the rows, since every stop runs this.
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

/** How each row changes the number of queued inputs. */
function queueSteps(bytes: Buffer, notBefore: number): number[] {
  const steps: number[] = [];
  for (let at = bytes.indexOf(QUEUE_ROW); at !== -1; at = bytes.indexOf(QUEUE_ROW, at + 1)) {
    const begin = bytes.lastIndexOf(10, at) + 1;
    const row = bytes.toString('utf8', begin, bytes.indexOf(10, at));
    steps.push(stepOf(row, notBefore));
  }
  return steps;
}

/** A killed host may leave an input queued for ever, so rows of an earlier process do not count. */
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
