/** The port to what a host writes down of a session: for people who want to see what its agent said and did. */
import type { Environment } from './arrival.ts';

export interface Transcripts {
  /** Where the transcript of a session is; null: it is not there. Its rows are read as the lines of a stream are. */
  fileOf(session: string, env: Environment): string | null;
  /** When a row was written; null: it does not tell, or it is not of the session's own agent. */
  timeOf(row: string): string | null;
}
