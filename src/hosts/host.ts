/** The port to a host that runs by itself and calls our hook. One adapter for each host, in a folder of its own. */
import type { Answer, Arrival, Environment, Sender, HostLimits } from './arrival.ts';

export interface Host {
  readonly name: string;
  readonly limits: HostLimits;
  /** Null: nothing that concerns a loop (a subagent, an event we do not know). Never throws. */
  hear(payload: unknown, env: Environment): Arrival | null;
  /** Turns an answer into the output and exit code that the host understands. */
  encode(answer: Answer, arrival: Arrival): Output;
}

/** What a hook program returns to its host. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** How a background hook makes a stopped session continue by itself. */
export interface Wake {
  /** Nothing runs in the session right now, as far as the host tells. */
  isIdle(from: Pick<Sender, 'session'>, env: Environment): boolean;
  encode(toAgent: string): Output;
}

export const NO_OUTPUT: Output = { stdout: '', stderr: '', exit: 0 };
