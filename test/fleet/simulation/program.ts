/** Runs schedules one after the other, until one of them breaks a rule. */
import { createHash } from 'node:crypto';
import { runDay, type Day, type DayPlan } from './day.ts';
import { runSchedule, type Focus, type Found } from './schedule.ts';
import { Sessions } from './sessions.ts';

const LEASE_SECONDS = 10;
/** For who waits for many. */
const TELL_EVERY = 1_000;

export interface Order {
  /** Of a superuser, to a database of its own. */
  readonly url: string;
  readonly from: number;
  readonly count: number;
  /** Stops after so much real time. */
  readonly maxMs: number;
  readonly focus: Focus;
  /** Run once before. */
  readonly sql?: string;
  /** Goes on after a finding. */
  readonly goesOn: boolean;
}

export interface Simulated {
  readonly found: readonly Found[];
  /** Of what happened in each schedule. */
  readonly digests: readonly string[];
  readonly schedules: number;
  readonly steps: number;
  readonly looks: number;
  readonly virtualHours: number;
  readonly seconds: number;
}

export async function simulate({ url, from, count, maxMs, sql, goesOn, focus }: Order): Promise<Simulated> {
  const began = performance.now();
  const sessions = new Sessions(url);
  await sessions.prepare(LEASE_SECONDS);
  if (sql !== undefined) await sessions.look(sql);
  const found: Found[] = [];
  const digests: string[] = [];
  let [schedules, steps, looks, virtualMs] = [0, 0, 0, 0];
  for (let seed = from; seed < from + count && performance.now() - began < maxMs; seed++) {
    const one = await runSchedule(sessions, seed, focus);
    schedules++;
    steps += one.steps;
    looks += one.looks;
    virtualMs += one.virtualMs;
    digests.push(digestOf(one));
    if (schedules % TELL_EVERY === 0) console.error(`${schedules} schedules, up to seed ${seed}`);
    if (one.rule === null) continue;
    if (goesOn) console.error(`seed ${seed}: ${one.detail}`);
    found.push(one);
    if (!goesOn) break;
  }
  await sessions.close();
  const seconds = Math.round(performance.now() - began) / 1_000;
  return { found, digests, schedules, steps, looks, virtualHours: virtualMs / 3_600_000, seconds };
}

export interface DayOrder extends DayPlan {
  /** Of a superuser, to a database of its own. */
  readonly url: string;
}

export async function simulateDay({ url, ...plan }: DayOrder): Promise<Day & { readonly seconds: number }> {
  const began = performance.now();
  const sessions = new Sessions(url);
  await sessions.prepare(LEASE_SECONDS);
  const day = await runDay(sessions, plan, (slice) => console.error(JSON.stringify(slice)));
  await sessions.close();
  return { ...day, seconds: Math.round(performance.now() - began) / 1_000 };
}

function digestOf({ lines, steps }: Found): string {
  return createHash('sha1')
    .update([steps, ...lines].join('\n'))
    .digest('hex');
}
