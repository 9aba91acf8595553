/** What the server consists of, as its routes see it. */
import type { Actions } from './actions.ts';
import type { Assets } from './assets.ts';
import type { Changes } from './changes.ts';
import type { Keys } from './keys.ts';
import type { Rate } from './rate.ts';
import type { Readings } from './readings.ts';

export interface Parts {
  readonly names: ReadonlySet<string>;
  readonly keys: Keys;
  /** After the keys were renewed: ends what is open, and gives the person the new link. */
  readonly endSessions: () => void;
  readonly assets: Assets;
  readonly changes: Changes;
  readonly readings: Readings;
  readonly actions: Actions;
  readonly projects: () => readonly string[];
  readonly version: string;
  readonly wrongKeys: Rate;
  readonly acts: Rate;
}
