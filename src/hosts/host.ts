/** The port to a host that runs by itself and calls our hook. One adapter for each host, in a folder of its own. */
import type { Answer, Arrival, Environment, HostLimits, Sender } from './arrival.ts';

export interface Host {
  readonly name: string;
  readonly limits: HostLimits;
  /** A sign that only this host gives. A host in the shell of another inherits that one's variables. */
  recognises(payload: Readonly<Record<string, unknown>>, env: Environment): boolean;
  /** Null: nothing that concerns a loop (a subagent, an event we do not know). Never throws. */
  hear(payload: unknown, env: Environment): Arrival | null;
  /** Turns an answer into the output and exit code that the host understands. */
  encode(answer: Answer, arrival: Arrival): Output;
  /** Null: a session of this host that has stopped can't be woken. */
  readonly wake: (() => Wake) | null;
  /**
   * The session that started a server of ours, as of now. `parent`: the process that started the server. Null: it names
   * none.
   */
  serverSession(env: Environment, parent: number): Sender | null;
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
