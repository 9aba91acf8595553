/**
 * The outbox: one file for each message that is to be sent, in a private folder of the user. A process with
 * something to send writes a file and goes on; one detached process sends them. A file outlives a process
 * that was killed.
 */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '#input/config/notify-target.ts';
import { readAs, isRecord } from '#base/shape.ts';
import { namesIn } from '#base/files/paths.ts';
import { readTextIfAny } from '#base/files/read.ts';
import type { Message } from './message.ts';

export interface SpooledNotice {
  readonly version: 1;
  readonly at: string;
  /** Grows with each message of a loop: several may fall into one millisecond. */
  readonly order: number;
  readonly message: Message;
  readonly targets: readonly Target[];
  readonly secret: string | null;
}

export const OUTBOX = 'outbox';
/** A loop that keeps changing its state must not fill the disk. */
export const MAX_NOTICES_SPOOLED = 200;
const MESSAGE_FILE = /^\d+-\d+-\w+\.json$/;
const NUMBER_DIGITS = 10;

/** The oldest first. */
export function spooledIn(folder: string): string[] {
  return namesIn(folder).filter((name) => MESSAGE_FILE.test(name));
}

/** False: the outbox is full. */
export function spool(folder: string, spooled: SpooledNotice): boolean {
  if (spooledIn(folder).length >= MAX_NOTICES_SPOOLED) return false;
  const order = String(spooled.order).padStart(NUMBER_DIGITS, '0');
  const name = `${Date.parse(spooled.at)}-${order}-${spooled.message.payload.id}.json`;
  replaceSpooled(folder, name, spooled);
  return true;
}

export function replaceSpooled(folder: string, name: string, spooled: SpooledNotice): void {
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  writeFileSync(temporary, JSON.stringify(spooled), { mode: 0o600 });
  renameSync(temporary, join(folder, name));
}

/** Null: it is gone, or no message of ours. */
export function readSpooled(folder: string, name: string): SpooledNotice | null {
  return readAs(isSpooled, () => readFileSync(join(folder, name), 'utf8'));
}

/** Only Da Capo writes here, so this tells a file of another version, not an attacker. */
function isSpooled(value: unknown): value is SpooledNotice {
  return (
    isRecord(value) && value['version'] === 1 && isRecord(value['message']) && Array.isArray(value['targets'])
  );
}

export function dropSpooled(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
}

// The lock: one process sends what is in an outbox. At worst, two send the same message.

const LOCK = 'sender.lock';
/** An older lock is of a process that died, or of a machine that slept. */
const OLD_MS = 15_000;

/** Null: another process has it. `touch` has to be called before the lock grows old. */
export function takeLock(folder: string, isAlive: (process: number) => boolean) {
  const path = join(folder, LOCK);
  if (!makeLock(path)) {
    if (isSending(folder, isAlive)) return null;
    rmSync(path, { force: true });
    if (!makeLock(path)) return null;
  }
  // Another process takes it if this one sleeps.
  const isOurs = () => holder(path) === process.pid;
  return {
    isOurs,
    touch: () => {
      if (isOurs()) utimesSync(path, new Date(), new Date());
    },
    drop: () => {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

function makeLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Whether a process is there that will find a file that was written before this call. */
export function isSending(folder: string, isAlive: (process: number) => boolean): boolean {
  const path = join(folder, LOCK);
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touched === undefined || Date.now() - touched > OLD_MS) return false;
  const pid = holder(path);
  // A young lock without a name is being made.
  return pid === null || isAlive(pid);
}

function holder(path: string): number | null {
  return Number(readTextIfAny(path)) || null;
}
