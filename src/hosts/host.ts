/** The port to a host that runs by itself and calls our hook. */
import type { Answer, Arrival, Environment } from './arrival.ts';

export interface Host {
  readonly name: string;
  /** Null: nothing that concerns a loop (a subagent, an event we do not know). */
  hear(payload: unknown, env: Environment): Arrival | null;
  encode(answer: Answer, arrival: Arrival): string;
}
