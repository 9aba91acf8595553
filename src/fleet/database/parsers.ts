/** How values of Postgres become ours. */
import type pg from 'pg';

/** Postgres gives instants as its own text, and numbers of any size as text. Ours are ISO, and small. */
export function makeParsers({ types }: Pick<typeof pg, 'types'>): pg.CustomTypesConfig {
  const { builtins } = types;
  const parsers = new Map<number, (text: string) => unknown>([
    [builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
    [builtins.NUMERIC, Number],
    [builtins.INT8, Number],
  ]);
  return {
    getTypeParser: ((oid: number, format?: 'text') =>
      parsers.get(oid) ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  };
}
