import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { matrixOf, withMatrix } from '../../scripts/docs/matrix.mjs';
import { allAdapters } from '#hosts/tables/adapters.ts';
import { tableOf } from '#hosts/tools/tool-tables.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/hosts.md'), 'utf8');

it('docs/hosts.md has the table of hosts as the adapters are: npm run matrix writes it', () => {
  expect(PAGE).toBe(withMatrix(PAGE, matrixOf(allAdapters(), tableOf)));
});

it('a page without a place for the table is refused', () => {
  expect(() => withMatrix('# Hosts', 'table')).toThrow('docs/hosts.md has no');
});
