/**
 * One flag as data: how it is written, what it takes, and how its value is read. Every command has a table of
 * these.
 */
import { mapReading, type Reading } from './values.ts';

export interface FlagShape {
  /** With its dashes: `--output`. */
  readonly flag: string;
  /** Its letter: `o` for `-o`. */
  readonly short?: string;
  /** The word that stands for the value in a usage line; null: it takes none. */
  readonly value: string | null;
  readonly repeatable: boolean;
  /** It also takes the words after its value, up to the next flag: `--file FILE...`. */
  readonly takesMore?: true;
  /** What to do about a missing value, if there is more to say than to write it or leave the flag out. */
  readonly ifMissing?: string;
}

export interface Flag<T> extends FlagShape {
  /** Gets every given value, in order. A flag without a value gets an empty text. */
  readonly read: (values: readonly string[], options: T) => Reading<T>;
}

/**
 * How the flags of one table are written. A usage is the flag and the word for its value:
 * `--timeout DURATION`.
 */
export function flagsOf<T>() {
  function many<K extends keyof T>(
    usage: string,
    field: K,
    read: (texts: readonly string[]) => Reading<T[K]>,
  ): Flag<T> {
    const into = (texts: readonly string[], options: T) =>
      mapReading(read(texts), (value) => ({ ...options, [field]: value }));
    return { ...named(usage), repeatable: true, read: into };
  }
  return {
    many,
    one: <K extends keyof T>(usage: string, field: K, read: (text: string) => Reading<T[K]>): Flag<T> => ({
      ...many(usage, field, ([text = '']) => read(text)),
      repeatable: false,
    }),
    alone: (usage: string, into: (options: T) => Partial<T>): Flag<T> => ({
      ...named(usage),
      repeatable: false,
      read: (_none, options) => ({ ok: true, value: { ...options, ...into(options) } }),
    }),
  };
}

const USAGE = /^(?:-(?<short>\w), )?(?<flag>--[\w-]+)(?: (?<value>.+?)(?<more>\.\.\.)?)?$/;

/** From its usage: `--all`, `--note TEXT`, `-o, --output FILE`, `--file FILE...`. */
export function named(usage: string): Omit<FlagShape, 'repeatable'> {
  const { short, flag = usage, value = null, more } = USAGE.exec(usage)?.groups ?? {};
  return { flag, value, ...(short && { short }), ...(more && { takesMore: true }) };
}

export function usageOf({ flag, short, value, takesMore }: Omit<FlagShape, 'repeatable'>): string {
  const letter = short === undefined ? '' : `-${short}, `;
  return `${letter}${flag}${value === null ? '' : ` ${value}`}${takesMore ? '...' : ''}`;
}
