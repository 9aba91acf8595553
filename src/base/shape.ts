/**
 * Small schemas for values that come from outside. The hook program can't afford a schema library (28 ms).
 */

export type Shape<T> = (value: unknown) => value is T;
export type Infer<S> = S extends Shape<infer T> ? T : never;

export type Attempt<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly why: string };

export const text: Shape<string> = (value) => typeof value === 'string';
export const flag: Shape<boolean> = (value) => typeof value === 'boolean';
export const whole: Shape<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const positive: Shape<number> = (value): value is number => whole(value) && value > 0;

export const real: Shape<number> = (value): value is number => Number.isFinite(value);

export const amount: Shape<number> = (value): value is number => Number.isFinite(value) && Number(value) >= 0;

export const instant: Shape<string> = (value): value is string =>
  text(value) && !Number.isNaN(Date.parse(value));

// The annotations let the bundler drop a shape that a program does not use.
// @__NO_SIDE_EFFECTS__
export function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  return (value): value is T => words.some((word) => word === value);
}

// @__NO_SIDE_EFFECTS__
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

// @__NO_SIDE_EFFECTS__
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every((item) => shape(item));
}

// @__NO_SIDE_EFFECTS__
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

/** Makes the value at the first call and returns the same one at every later call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Asks once for each key: many loops share a project, and each look at a path costs a call of the system. */
export function remembered(ask: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type LeftOut<F extends Fields> = { [K in keyof F]: undefined extends Infer<F[K]> ? K : never }[keyof F];
type FromFields<F extends Fields> = { readonly [K in Exclude<keyof F, LeftOut<F>>]: Infer<F[K]> } & {
  readonly [K in LeftOut<F>]?: Exclude<Infer<F[K]>, undefined>;
};

/** Unknown fields are accepted: a newer Da Capo may have written them. */
// @__NO_SIDE_EFFECTS__
export function record<const F extends Fields>(fields: F): Shape<FromFields<F>> {
  return (value): value is FromFields<F> => isRecord(value) && hasFields(value, fields);
}

function hasFields(value: Record<string, unknown>, fields: Fields): boolean {
  for (const key in fields) if (fields[key]?.(value[key]) !== true) return false;
  return true;
}

// @__NO_SIDE_EFFECTS__
export function either<const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<Infer<S[number]>> {
  return (value): value is Infer<S[number]> => shapes.some((shape) => shape(value));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a field; an empty one if there is none. */
export function recordAt(fields: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const value = fields[key];
  return isRecord(value) ? value : {};
}

/** The objects in a list; none if it is not a list. */
export function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textAt(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  return text(value) ? value : '';
}

/** The value in a JSON text. Null if there is no text, if it is not JSON, or if it has another shape. */
export function parseAs<T>(shape: Shape<T>, json: string | null): T | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return shape(value) ? value : null;
  } catch {
    return null;
  }
}

/** The same, and null if the text can't be read. */
export function readAs<T>(shape: Shape<T>, read: () => string | null): T | null {
  return attempt(() => parseAs(shape, read()), null);
}

/** The values in lines of JSON. An empty or torn line is left out. */
export function jsonLines(content: string): unknown[] {
  return content.split('\n').flatMap((line) => attempt((): unknown[] => [JSON.parse(line)], []));
}

/** Null for an empty text, and for anything else. */
export function textOrNull(value: unknown): string | null {
  return text(value) && value !== '' ? value : null;
}

/** Ids of loops and sessions, and names of points, become file names. So no other text is looked up. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export const isId: Shape<string> = (value): value is string => text(value) && ID.test(value);

/** For what may fail without telling us more than that it is not to be had: then it is `otherwise`. */
export function attempt<T, E>(act: () => T, otherwise: E): T | E {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** The code of a Node error (`ENOENT`); the message of any other error. Anything can be thrown. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
