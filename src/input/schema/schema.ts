/**
 * Schemas for data from outside that is refused with a reason: configs, hooks, rules, requests of programs
 * and models. Each says what is wrong with a value, and describes itself as JSON Schema, so that the
 * published schema is generated. Unknown fields are errors: a guard with a mistyped name would be skipped,
 * and guard nothing. We use no library, because the runner starts at every stop of a project with hooks, and
 * zod/mini made that start 10 ms slower. What is only tested for its shape, such as our own records, uses
 * `base/shape.ts`.
 */
import { isRecord } from '#base/shape.ts';
import { didYouMean, ConfigError, named, wrong } from './misfit.ts';

export interface Schema<T> {
  /** Throws a `ConfigError` when the value does not fit. */
  readonly check: Check;
  /** Null if JSON can't hold such a value. Definitions that are referred to by name go into `defs`. */
  readonly json: (defs: Record<string, Json>) => Json | null;
  readonly optional?: true;
  /** Never set. It lets the compiler distinguish schemas of different types. */
  readonly of?: T;
}
type Check = (value: unknown, path: string, depth: number) => void;
export type Json = Readonly<Record<string, unknown>>;

export interface Optional<T> extends Schema<T> {
  readonly optional: true;
}

/** A schema for each field of T. A field that is only in the type or only in the schema does not compile. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Schema<T[K]>;
};
type SchemaFields = Readonly<Record<string, Schema<unknown>>>;

/** Deeper than any real config. It also ends the reading of cyclic data. */
const MAX_DEPTH = 16;

export type ReadWith<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly misfit: ConfigError };

/** `path`: what the value is called in the refusal; empty for data whose fields need no prefix. */
export function readWith<T>(schema: Schema<T>, given: unknown, path: string): ReadWith<T> {
  try {
    schema.check(given, path, 0);
    return { ok: true, value: given as T };
  } catch (error) {
    if (error instanceof ConfigError) return { ok: false, misfit: error };
    throw error;
  }
}

export function value<T>(wanted: string, json: Json | null, fits: (value: unknown) => value is T): Schema<T> {
  return {
    check: (given, path) => {
      if (!fits(given)) throw wrong(path, wanted, given);
    },
    json: () => json,
  };
}

export function text(wanted: string, pattern: RegExp): Schema<string> {
  const json = { type: 'string', pattern: pattern.source };
  return value(wanted, json, (given): given is string => typeof given === 'string' && pattern.test(given));
}

export function whole(minimum: number): Schema<number> {
  return value(
    `a whole number from ${minimum}`,
    { type: 'integer', minimum },
    (given): given is number => Number.isSafeInteger(given) && Number(given) >= minimum,
  );
}

export function word<const W extends string>(...words: readonly W[]): Schema<W> {
  const wanted = words.join(', ').replace(/, ([^,]*)$/, ' or $1');
  const json = words.length === 1 ? { const: words[0] } : { enum: words };
  return value(wanted, json, (given): given is W => words.some((one) => one === given));
}

export const flag: Schema<boolean> = value(
  'true or false',
  { type: 'boolean' },
  (given) => typeof given === 'boolean',
);

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...schema, optional: true };
}

export function list<T>(
  item: Schema<T>,
  wanted: string,
  minItems = 0,
  maxItems = Infinity,
): Schema<readonly T[]> {
  return {
    check: (given, path, depth) => {
      if (!Array.isArray(given)) throw wrong(path, wanted, given);
      if (given.length < minItems || given.length > maxItems)
        throw new ConfigError(
          path,
          given.length === 0 ? 'is empty' : `has ${given.length} entries`,
          `It must be ${wanted}.`,
        );
      for (const [index, one] of given.entries()) item.check(one, `${path}[${index}]`, depth);
    },
    json: (defs) => ({
      type: 'array',
      ...(minItems > 0 && { minItems }),
      ...(maxItems < Infinity && { maxItems }),
      items: item.json(defs),
    }),
  };
}

/** Values under names that the person chose. */
export function dictionary<T>(
  wanted: string,
  name: { readonly pattern: RegExp; readonly rule: string },
  item: Schema<T>,
): Schema<Readonly<Record<string, T>>> {
  return {
    check: (given, path, depth) => {
      if (!isRecord(given)) throw wrong(path, wanted, given);
      for (const [key, one] of Object.entries(given)) {
        if (!name.pattern.test(key)) throw new ConfigError(under(path, key), 'is not a name', name.rule);
        item.check(one, under(path, key), depth);
      }
    },
    json: (defs) => ({
      type: 'object',
      propertyNames: { pattern: name.pattern.source },
      additionalProperties: item.json(defs),
    }),
  };
}

/** An object with these fields and no others. */
export function object<T>(owner: string, fields: FieldsOf<T> & SchemaFields): Schema<T> {
  return {
    check: (given, path, depth) => {
      if (!isRecord(given)) throw wrong(path, 'an object', given);
      checkFields(given, fields, owner, { path, depth });
    },
    json: (defs) => jsonOf(fields, defs),
  };
}

export type TypeOf<S> = S extends Schema<infer T> ? T : never;
type OptionalFields<F extends SchemaFields> = {
  [K in keyof F]: F[K] extends Optional<unknown> ? K : never;
}[keyof F];
export type ObjectOf<F extends SchemaFields> = {
  readonly [K in Exclude<keyof F, OptionalFields<F>>]: TypeOf<F[K]>;
} & {
  readonly [K in OptionalFields<F>]?: TypeOf<F[K]>;
};

/** The same; its type follows from the fields. */
export function fields<const F extends SchemaFields>(owner: string, given: F): Schema<ObjectOf<F>> {
  return object<unknown>(owner, given as FieldsOf<unknown> & F) as Schema<ObjectOf<F>>;
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return {
    check: (given, path, depth) => {
      if (given !== null) schema.check(given, path, depth);
    },
    json: (defs) => ({ anyOf: [schema.json(defs), { type: 'null' }] }),
  };
}

/**
 * Any of these kinds. We choose the kind that the value looks like, so that the refusal is about that one.
 */
export function anyOf<T>(
  wanted: string,
  ...kinds: readonly (readonly [looksSo: (value: unknown) => boolean, schema: Schema<T>])[]
): Schema<T> {
  return {
    check: (given, path, depth) => {
      const kind = kinds.find(([looksSo]) => looksSo(given));
      if (kind === undefined) throw wrong(path, wanted, given);
      kind[1].check(given, path, depth);
    },
    json: (defs) => ({ anyOf: kinds.map(([, schema]) => schema.json(defs)).filter((json) => json !== null) }),
  };
}

type Variant<T, Type> = T extends { readonly type: infer Types } ? (Type extends Types ? T : never) : never;
type Variants<T extends { readonly type: string }> = {
  readonly [Type in T['type']]: FieldsOf<Omit<Variant<T, Type>, 'type'>> & SchemaFields;
};

/** Objects whose `type` decides which other fields they have. */
export function byType<T extends { readonly type: string }>(thing: string, variants: Variants<T>): Schema<T> {
  const fieldsOf = new Map<unknown, SchemaFields>(Object.entries<SchemaFields>(variants));
  const known = Object.keys(variants);
  return {
    check: (given, path, depth) => {
      if (!isRecord(given)) throw wrong(path, 'an object with a type', given);
      const { type, ...rest } = given;
      const fields = fieldsOf.get(type);
      if (fields === undefined)
        throw new ConfigError(
          `${path}.type`,
          type === undefined ? 'is missing' : `is ${named(type)}, which is not the type of a ${thing}`,
          `${didYouMean(type, known)}Known types: ${known.join(', ')}.`,
        );
      checkFields(rest, fields, `a ${thing} of type ${String(type)}`, { path, depth });
    },
    json: (defs) => ({
      oneOf: Object.entries<SchemaFields>(variants).map(([type, fields]) =>
        jsonOf({ type: word(type), ...fields }, defs),
      ),
    }),
  };
}

/** A schema that contains itself, under its name in the published schema. */
export function recursive<T>(name: string, schema: () => Schema<T>): Schema<T> {
  return {
    check: (given, path, depth) => {
      if (depth > MAX_DEPTH)
        throw new ConfigError(path, 'is nested too deeply', `At most ${MAX_DEPTH} levels are read.`);
      schema().check(given, path, depth + 1);
    },
    json: (defs) => {
      // The name is entered first, since the definition may refer to itself.
      if (!Object.hasOwn(defs, name)) {
        defs[name] = {};
        defs[name] = schema().json(defs) ?? {};
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return annotated({ description }, schema);
}

/** Adds to the published schema: a description, or what `also` checks. */
export function annotated<T, S extends Schema<T>>(json: Json, schema: S, also: Check = () => {}): S {
  return {
    ...schema,
    check: (given: unknown, path: string, depth: number) => {
      schema.check(given, path, depth);
      also(given, path, depth);
    },
    json: (defs: Record<string, Json>) => ({ ...json, ...schema.json(defs) }),
  };
}

function under(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function checkFields(
  given: Record<string, unknown>,
  fields: SchemaFields,
  owner: string,
  { path, depth }: { readonly path: string; readonly depth: number },
): void {
  const known = Object.keys(fields);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(fields, key)) continue;
    const has = known.length > 0 ? `It has: ${known.join(', ')}.` : 'It has no fields beside its type.';
    throw new ConfigError(under(path, key), `is not a field of ${owner}`, `${didYouMean(key, known)}${has}`);
  }
  for (const [key, field] of Object.entries(fields)) {
    if (given[key] !== undefined || !field.optional) field.check(given[key], under(path, key), depth);
  }
}

function jsonOf(fields: SchemaFields, defs: Record<string, Json>): Json {
  const required = Object.keys(fields).filter((key) => !fields[key]?.optional);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.json(defs)])),
  };
}
