/** Formats times for people and reads the ages that people type. */
import { duration } from '#law/words/phrases.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const DEFAULT_AGE = '30d';

export function ago(at: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(at);
  if (ms < 5_000) return 'just now';
  if (ms < UNITS.m) return `${Math.floor(ms / UNITS.s)} s ago`;
  if (ms < UNITS.h) return `${Math.floor(ms / UNITS.m)} min ago`;
  if (ms < 2 * UNITS.d) return `${Math.floor(ms / UNITS.h)} h ago`;
  return `${Math.floor(ms / UNITS.d)} days ago`;
}

/** `30d`, `12h`, `1d12h`; null: not an age. */
export function readAge(text: string): number | null {
  if (!/^(?:\d{1,6}[smhdw])+$/.test(text)) return null;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhdw])/g))
    if (isUnit(unit)) ms += Number(count) * UNITS[unit];
  return ms;
}

function isUnit(unit: string | undefined): unit is keyof typeof UNITS {
  return unit !== undefined && unit in UNITS;
}

/** How long a command took: 0.4 s, 12 s, 4 min. */
export function tookTime(ms: number): string {
  return ms < 9_950 ? `${(ms / UNITS.s).toFixed(1)} s` : duration(ms);
}

/** 14:05. */
export function timeOfDay(at: string | number): string {
  return clockTime(at).slice(11, 16);
}

export function clockTime(at: string | number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
