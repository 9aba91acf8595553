/** The lock of the sender: one process sends what is in an outbox. At worst, two send the same message. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The right to send. */
export interface Lock {
  /** False: another process took it, because this one slept. */
  readonly isOurs: () => boolean;
  /** To be called more often than the lock grows old. */
  readonly touch: () => void;
  readonly drop: () => void;
}

const LOCK = 'sender.lock';
/** An older lock is of a process that died, or of a machine that slept. */
const OLD_MS = 15_000;

/** Null: another process has it. */
export function takeLock(folder: string, isAlive: (process: number) => boolean): Lock | null {
  const path = join(folder, LOCK);
  if (!make(path)) {
    if (isSending(folder, isAlive)) return null;
    rmSync(path, { force: true });
    if (!make(path)) return null;
  }
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

function make(path: string): boolean {
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
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}
