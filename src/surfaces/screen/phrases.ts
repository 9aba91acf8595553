/** Figures and waits in the words of the screen and of the plain lines. */
import type { WaitFor } from '#law/loop.ts';
import { timeOfDay } from '#telling/time.ts';

/** `host`: the host retries by itself, and the pass goes on. */
export interface Wait {
  readonly for: WaitFor | 'host';
  readonly until: number | null;
  readonly why: string;
}

const WAITS: Readonly<Record<Wait['for'], string>> = {
  approval: 'your answer',
  pause: 'the next iteration',
  retry: 'another try',
  limit: 'the usage limit of the host',
  circuit: 'a last try, because nothing changed',
  rate: 'the rate limit',
  check: 'a check that says "not yet"',
  host: 'the host, which tries again',
};

export function sayWait(wait: Wait, leftMs: number | null): string {
  if (wait.for === 'check' && wait.until !== null)
    return `waits for ${wait.why || WAITS.check}, next look ${timeOfDay(wait.until)}`;
  const most = wait.for === 'approval' ? 'up to ' : '';
  const long = leftMs === null || leftMs < 1_000 ? '' : ` ${most}${clock(leftMs)}`;
  return `waits${long} for ${WAITS[wait.for]}${wait.why === '' ? '' : `: ${wait.why}`}`;
}

/** 4:07, 1:04:07. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h === 0 ? `${m}:${two(s)}` : `${h}:${two(m)}:${two(s)}`;
}

/** How long a check took: 0.4 s, 12 s, 4:07. */
export function took(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : clock(ms);
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
