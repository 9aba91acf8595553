/** Schemas of tool inputs and outputs, in our own dialect (`stop-hooks/config/schema.ts`), as the MCP library wants them. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import {
  annotated,
  assertFits,
  object,
  optional,
  value,
  type FieldsOf,
  type Json,
  type Optional,
  type Schema,
} from '../stop-hooks/config/schema.ts';
import { errorMessage } from '../core/thrown.ts';
import { isRecord } from '../core/shape.ts';

/** Ids, names and other short words. */
const SHORT = 200;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Of<S> = S extends Schema<infer T> ? T : never;
type Left<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Given<F extends Fields> = { readonly [K in Exclude<keyof F, Left<F>>]: Of<F[K]> } & {
  readonly [K in Left<F>]?: Of<F[K]>;
};

/** An object with these fields and no others; its type follows from them. */
export function fields<const F extends Fields>(owner: string, given: F): Schema<Given<F>> {
  return object<unknown>(owner, given as FieldsOf<unknown> & F) as Schema<Given<F>>;
}

/** A text of bounded length. A model reads the description. */
export function words(description: string, most = SHORT): Schema<string> {
  return value(
    `a text of at most ${most} characters`,
    { type: 'string', maxLength: most, description },
    (given): given is string => typeof given === 'string' && given.length <= most,
  );
}

export function amount(description: string, from: number, most: number): Schema<number> {
  return value(
    `a whole number from ${from} to ${most}`,
    { type: 'integer', minimum: from, maximum: most, description },
    (given): given is number => Number.isSafeInteger(given) && Number(given) >= from && Number(given) <= most,
  );
}

export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return annotated({ description }, schema);
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return {
    check: (given, path, depth) => {
      if (given !== null) schema.check(given, path, depth);
    },
    json: (defs) => ({ anyOf: [schema.json(defs), { type: 'null' }] }),
  };
}

/** Values that another program chose: kept as they are, if their JSON is not too long. */
export function anything(description: string, most: number): Schema<Readonly<Record<string, unknown>>> {
  return value(
    `an object whose JSON has at most ${most} characters`,
    { type: 'object', description },
    (given): given is Readonly<Record<string, unknown>> =>
      isRecord(given) && JSON.stringify(given).length <= most,
  );
}

export { optional };

/** `name`: what the refusal calls the value. */
export function standard<T>(schema: Schema<T>, name: string): StandardSchemaWithJSON<T> {
  const json = () => published(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'dacapo',
      validate: (given) => {
        const found = given ?? {};
        try {
          assertFits(schema, found, name);
          return { value: found };
        } catch (error) {
          return { issues: [{ message: errorMessage(error) }] };
        }
      },
      jsonSchema: { input: json, output: json },
    },
  };
}

function published(schema: Schema<unknown>): Record<string, unknown> {
  const defs: Record<string, Json> = {};
  const json = schema.json(defs) ?? {};
  return { ...json, ...(Object.keys(defs).length > 0 && { $defs: defs }) };
}
