/** A bucket of tokens: a few requests at once are fine, a flood is not. */
export interface Rate {
  /** False: too many, try again later. */
  readonly take: () => boolean;
}

export function makeRate(most: number, perMs: number, now: () => number): Rate {
  let left = most;
  let at = now();
  return {
    take: () => {
      const time = now();
      // A clock that is set back must not take tokens away: nobody could act until it has caught up.
      const passed = Math.max(0, time - at);
      left = Math.min(most, left + (passed * most) / perMs);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
