// @module-tag postgres
/** A long journal comes in pages: no query of it is long, and what is beyond a bound is told as such. */
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Sql } from '#fleet/database/database.ts';
import { readPages } from '#fleet/read-pages.ts';
import { makeDatabase } from '../postgres.ts';

const KB = 1_024;

test('rows come in their order, in pages of a bounded size, each once', async () => {
  const { url } = await makeDatabase();
  const database = await openDatabase({ ok: true, url, shown: '' });
  onTestFinished(() => database.close());
  const read = async (rows: number, bytes: number, maxBytes = Infinity) => {
    const pages: number[] = [];
    const counting: Sql = {
      query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
        const page = await database.query<Row>(text, values);
        pages.push(page.length);
        return page;
      },
    };
    const all = await readPages(counting, {
      rows: `select k as key, 'note ' || k as note, repeat('x', $2) as value from generate_series(1, $1) k`,
      values: [rows, bytes],
      size: 'octet_length(value)',
      maxBytes: maxBytes === Infinity ? 2 ** 31 : maxBytes,
    });
    return { pages, all };
  };
  const short = await read(10, 10);
  expect(short.pages).toEqual([10]);
  expect(short.all.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(short.all[1]).toMatchObject({ note: 'note 2', value: 'xxxxxxxxxx' });
  expect(await read(0, 1)).toEqual({ pages: [0], all: [] });
  const many = await read(2_500, 10);
  expect(many.pages).toEqual([1_000, 1_000, 500]);
  expect(new Set(many.all.map(({ key }) => key)).size).toBe(2_500);
  expect((await read(2_000, 1)).pages).toEqual([1_000, 1_000, 0]);
  // A row that is larger than a page has one of its own.
  expect((await read(6, 200 * KB)).pages).toEqual([3, 3]);
  expect((await read(3, 900 * KB)).pages).toEqual([1, 1, 1]);
  const cut = await read(9, 200 * KB, 800 * KB);
  expect(cut.all.map(({ value }) => value === null)).toEqual([false, false, false, false, true, true]);
});
