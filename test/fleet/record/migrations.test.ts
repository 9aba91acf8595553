/** The story of the tables, as values. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FUNCTIONS } from '#fleet/schema/init.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '#fleet/schema/migrations.ts';
import { SQL_VIEWS } from '#fleet/schema/views.ts';

test('migrations are numbered from 1 on, and each says why', () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, k) => k + 1));
  expect(SCHEMA_VERSION).toBe(MIGRATIONS.length);
  for (const { why } of MIGRATIONS) expect(why).toMatch(/^[A-Z].*\.$/);
});

test('one column on a line', () => {
  for (const migration of MIGRATIONS) {
    if (!('sql' in migration)) continue;
    const tables = migration.sql.match(/create [a-z ]*table[^;]*;/g) ?? [];
    const lines = tables.flatMap((table) => table.split('\n').slice(1, -1));
    for (const line of lines.filter((one) => !/^ {2}(primary key|check)/.test(one)))
      expect(line.replaceAll(/\([^)]*\)/g, '')).toMatch(/^[^,]*,?$/);
  }
});

test('what programs call or read has changed only together with the number', () => {
  const signatures = [
    ...Object.entries(FUNCTIONS).map(([name, { takes, gives }]) => `${name}(${takes}) ${gives}`),
    ...Object.entries(SQL_VIEWS).map(([name, { columns }]) => `${name}: ${columns.join()}`),
  ].map((line) => line.replaceAll(/\s+/g, ' '));
  const digest = createHash('sha256').update(signatures.toSorted().join('\n')).digest('hex').slice(0, 12);
  // Another digest: add a migration (its `sql` may be empty), and write its number and the digest here.
  expect([SCHEMA_VERSION, digest]).toEqual([17, 'c467a402dcca']);
});
