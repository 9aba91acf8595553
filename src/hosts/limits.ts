/** What a host allows a hook. Da Capo stays below it. */
export interface HostLimits {
  /** The host ends a hook that hears a stop after this long, counted from the start of its process. */
  readonly stopMs: number;
  /** The most characters that the agent is given at once; the host cuts or hides what is longer. */
  readonly text: number;
  /** How long the host's own account may lag behind what has happened in the session. */
  readonly lagMs: number;
}

/** For a pass that our own driver has started: nobody ends its hearing, and a prompt comes through a pipe. */
export const NO_LIMITS: HostLimits = { stopMs: Number.POSITIVE_INFINITY, text: 200_000, lagMs: 0 };
