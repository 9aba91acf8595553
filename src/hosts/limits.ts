/** What a host allows a hook. Da Capo stays below it. */
export interface HostLimits {
  /** The host ends a stop hook after this time, counted from the start of its process. */
  readonly stopMs: number;
  /** The most characters of one text to the agent. The host cuts or hides a longer one. */
  readonly text: number;
  /** How far the host's transcript may lag behind the session. */
  readonly lagMs: number;
}

/** For a pass of our own driver: no host ends its hearing, and the prompt goes through a pipe. */
export const NO_LIMITS: HostLimits = { stopMs: Number.POSITIVE_INFINITY, text: 200_000, lagMs: 0 };
