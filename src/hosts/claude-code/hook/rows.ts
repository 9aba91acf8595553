/**
 * Reads the rows of a transcript that hold the usage of a message, in chunks: memory is bounded for any file
 * size.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { hash } from '#base/hash.ts';
import { parseAs, isRecord } from '#base/shape.ts';
import { WITH_LINKS } from '#base/files/read.ts';
import { readUsage } from '../usage-cost.ts';

const CHUNK_BYTES = 1024 * 1024;
/** No message is that long. A longer row is skipped. */
const MAX_ROW_BYTES = 32 * 1024 * 1024;
/** How far back we search for the start of the loop in an older transcript. */
const MAX_SEARCHED_BYTES = 256 * 1024 * 1024;
const USAGE = '"usage":{';
const NEWLINE = 10;
const TIMESTAMP = /"timestamp":"(\d{4}-[^"]{6,30})"/;

/**
 * Calls back with every row that may hold a usage, from where the last reading ended, and returns where this
 * one ended. `from` is null at the first reading, of a session that may be far older than the loop.
 */
export function readRows(
  path: string,
  from: number | null,
  counts: (timestamp: string) => boolean,
  each: (row: string) => void,
): number {
  return withFile(path, from ?? 0, (file) => {
    const { size } = fstatSync(file);
    // A file that shrank is a new file.
    const begin = from === null || from > size ? beginOf(file, size, counts) : from;
    return readOn(file, begin, size, each);
  });
}

/** `otherwise`: where it can't be opened. */
function withFile<T>(path: string, otherwise: T, act: (file: number) => T): T {
  let file: number;
  try {
    file = openSync(path, WITH_LINKS);
  } catch {
    return otherwise;
  }
  try {
    return act(file);
  } finally {
    closeSync(file);
  }
}

/** How many bytes tell a file from one that was rewritten. No two rows end in the same ones. */
const FINGERPRINT_BYTES = 256;

/** A hash of the bytes before this place; empty if they can't be read. */
export function hashBefore(path: string, upTo: number): string {
  const begin = Math.max(0, upTo - FINGERPRINT_BYTES);
  return withFile(path, '', (file) => hash(readBytesAt(file, begin, upTo - begin).toString('latin1')));
}

function readOn(file: number, begin: number, size: number, each: (row: string) => void): number {
  let rest: Buffer = Buffer.alloc(0);
  let upTo = begin;
  for (let at = begin; at < size;) {
    const chunk = readBytesAt(file, at, Math.min(CHUNK_BYTES, size - at));
    if (chunk.length === 0) break;
    at += chunk.length;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // A row that is still being written is read whole next time.
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    eachUsage(bytes.subarray(0, whole), each);
    upTo += whole;
    rest = bytes.subarray(whole);
    if (rest.length > MAX_ROW_BYTES) {
      upTo += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  return upTo;
}

function eachUsage(bytes: Buffer, each: (row: string) => void): void {
  for (let at = bytes.indexOf(USAGE); at !== -1;) {
    const end = bytes.indexOf(NEWLINE, at);
    each(bytes.toString('utf8', bytes.lastIndexOf(NEWLINE, at) + 1, end));
    at = bytes.indexOf(USAGE, end);
  }
}

/** Searches backwards for a chunk with a row from before the loop, and returns where it begins. */
function beginOf(file: number, size: number, counts: (timestamp: string) => boolean): number {
  for (let end = size; end > 0; end -= CHUNK_BYTES) {
    const begin = Math.max(0, end - CHUNK_BYTES);
    if (begin === 0 || size - begin >= MAX_SEARCHED_BYTES) return begin;
    const words = readBytesAt(file, begin, end - begin).toString('latin1');
    const [, first] = TIMESTAMP.exec(words) ?? [];
    if (first !== undefined && !counts(first)) return begin;
  }
  return 0;
}

function readBytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/**
 * Null: no message of a model. The report of a subagent has a usage too, but we count that in its own file.
 */
export function messageIn(row: string) {
  const value = parseAs(isRecord, row);
  if (value?.['type'] !== 'assistant') return null;
  const { message, timestamp } = value;
  if (!isRecord(message) || typeof timestamp !== 'string') return null;
  const { id, model, usage } = message;
  if (typeof id !== 'string' || typeof model !== 'string' || !isRecord(usage)) return null;
  return { id, model, timestamp, usage: readUsage(usage) };
}
