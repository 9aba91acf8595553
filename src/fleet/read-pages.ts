/**
 * Reads many rows of a loop in pages, so that no query of a long journal lasts longer than a query may, over
 * a slow line too.
 */
import type { Sql } from './database/database.ts';

/** Half a second at 10 Mbit/s. */
const PAGE_BYTES = 512 * 1024;
const PAGE_ROWS = 1_000;

export interface RowPageOrder {
  /** The rows of one loop, as a query: `key`, by which they are sorted, `value`, and `note`. */
  readonly rows: string;
  readonly values: readonly unknown[];
  /** What `value` counts for, in SQL. */
  readonly size: string;
  /** Of all pages together. From there on values are null. */
  readonly maxBytes: number;
}

export interface PageRow {
  readonly key: string | number;
  /** Null: it is beyond what may be read. */
  readonly value: unknown;
  readonly note: string | null;
  readonly bytes: number;
  readonly of_page: number;
}

/** In the order of their keys. A row that is larger than a page has one of its own. */
export async function readPages(sql: Sql, order: RowPageOrder): Promise<PageRow[]> {
  const { rows, values, size, maxBytes } = order;
  const all: PageRow[] = [];
  let [after, left] = [null as string | number | null, maxBytes];
  for (;;) {
    const [cut, limit, page] = [1, 2, 3].map((k) => `$${values.length + k}`);
    const where = after === null ? '' : `where key > $${values.length + 4}`;
    const read = await sql.query<PageRow>(
      `select key, note, bytes, of_page, case when up_to <= ${cut} then value end as value from (
         select p.*, ${size} as bytes, count(*) over () as of_page, sum(${size}) over (order by key) as up_to
         from (select * from (${rows}) r ${where} order by key limit ${limit}) p) q
       where up_to - bytes < ${page} order by key`,
      [...values, left, PAGE_ROWS, PAGE_BYTES, ...(after === null ? [] : [after])],
    );
    all.push(...read);
    const last = read.at(-1);
    if (last === undefined) return all;
    left = Math.max(0, left - read.reduce((sum, { bytes }) => sum + bytes, 0));
    after = last.key;
    if (last.of_page < PAGE_ROWS && read.length === last.of_page) return all;
    // Whoever reads refuses the whole of it.
    if (last.value === null) return all;
  }
}
