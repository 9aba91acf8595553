/** Claude Code's own list of its live processes, `sessions/<pid>.json` in its config folder (2.1.325). */
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isRecord } from '../../../core/shape.ts';
import type { Environment, Sender, Surroundings } from '../../arrival.ts';
import { configFolder } from '../setup/places.ts';

interface RegisteredSession {
  readonly pid: number;
  readonly session: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly idle: boolean;
}

export function surroundings(from: Sender, env: Environment): Surroundings {
  const all = registered(env);
  const own = all.find(({ pid, session }) => pid === from.process && session === from.session);
  // A killed process leaves its file behind, so only live processes count.
  const others = all.filter(
    ({ session, cwd, pid }) => session !== from.session && isBelow(from.project, cwd) && lives(pid),
  );
  return { sessionBegan: own?.startedAt ?? null, othersLive: others.length };
}

/** Nothing runs in the session right now, as far as the host tells. */
export function isIdle(from: Pick<Sender, 'session'>, env: Environment): boolean {
  return registered(env).some(({ session, idle, pid }) => session === from.session && idle && lives(pid));
}

function isBelow(project: string, cwd: string): boolean {
  return cwd === project || cwd.startsWith(project + sep);
}

function registered(env: Environment): RegisteredSession[] {
  const folder = join(configFolder(env), 'sessions');
  return listing(folder).flatMap((name) => readOne(join(folder, name)));
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function readOne(path: string): RegisteredSession[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(value)) return [];
    const { pid, sessionId, cwd, startedAt, status } = value;
    if (typeof pid !== 'number' || typeof sessionId !== 'string' || typeof cwd !== 'string') return [];
    return [{ pid, session: sessionId, cwd, startedAt: instantOf(startedAt), idle: status === 'idle' }];
  } catch {
    return [];
  }
}

function instantOf(value: unknown): number {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
