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
      left = Math.min(most, left + ((time - at) * most) / perMs);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
