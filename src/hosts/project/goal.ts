/** A goal of the host itself in a session: it also decides whether the session may stop. */
import { lastRows } from '../kit/session-log.ts';
import type { Environment } from '../port/arrival.ts';
import type { HostAdapter } from '../port/command-line.ts';

/** Its condition; null: there is none, or this host tells of none. */
export function activeGoal({ transcripts }: HostAdapter, session: string, env: Environment): string | null {
  const file = transcripts.goalIn === undefined ? null : transcripts.fileOf(session, env);
  return file === null ? null : (transcripts.goalIn?.(lastRows(file)) ?? null);
}
