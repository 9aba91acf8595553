/** The port to a host's transcript of a session, for people who want to see what its agent said and did. */
import type { Environment } from './arrival.ts';

export interface Transcripts {
  /** The transcript of a session; null: there is none. Its rows are read like the lines of a stream. */
  fileOf(session: string, env: Environment): string | null;
  /** When a row was written; null: it has no time, or is not from the session's own agent. */
  timeOf(row: string): string | null;
  /** Which model wrote a row of a transcript or a line of a stream; null: the row does not say. */
  modelOf(row: string): string | null;
}
