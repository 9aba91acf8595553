/** Schemas of tool inputs and outputs, as the MCP library wants them. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isRecord } from '../core/shape.ts';
import { readWith, value, type Json, type Schema } from '../flags/schema/schema.ts';

/** Ids, names and other short words. */
const SHORT = 200;

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

/** Values that another program chose: kept as they are, if their JSON is not too long. */
export function anything(description: string, most: number): Schema<Readonly<Record<string, unknown>>> {
  return value(
    `an object whose JSON has at most ${most} characters`,
    { type: 'object', description },
    (given): given is Readonly<Record<string, unknown>> =>
      isRecord(given) && JSON.stringify(given).length <= most,
  );
}

/** `name`: what the refusal calls the value. */
export function standard<T>(schema: Schema<T>, name: string): StandardSchemaWithJSON<T> {
  const json = () => published(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'dacapo',
      validate: (given) => {
        const read = readWith(schema, given ?? {}, name);
        return read.ok ? { value: read.value } : { issues: [{ message: read.misfit.message }] };
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
