/** A stop of a host, with these rows in its transcript. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { Count, Host, StopArrival } from '#hosts/port/arrival.ts';
import { temporaryFolder } from '../store/folder.ts';

export const [BEFORE, SINCE, AFTER] = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-02T00:00:00.000Z',
  '2026-01-03T00:00:00.000Z',
] as const;

export function stopWith(host: Host, payload: object, file: string, rows: readonly object[]): StopArrival {
  const path = join(temporaryFolder(), file);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const arrival = host.readArrival({ ...payload, transcript_path: path }, {});
  if (arrival?.is !== 'stop') throw new Error('no stop');
  return arrival;
}

/** A ledger in memory. */
export function ledgerOf() {
  let kept: string | null = null;
  return { read: () => kept, write: (content: string) => void (kept = content) };
}

/** A count for a loop that began at `SINCE`. `maxUsd`: its limit of money. */
export async function countOf(
  stop: StopArrival,
  { ledger = ledgerOf(), maxUsd = null, config = null }: CountOptions = {},
): Promise<Count | undefined> {
  const loop = { startedAt: SINCE, limits: { costUsd: maxUsd } } as Loop;
  return stop.count?.(loop, ledger, () => config);
}

interface CountOptions {
  readonly ledger?: ReturnType<typeof ledgerOf>;
  readonly maxUsd?: number | null;
  readonly config?: string | null;
}
