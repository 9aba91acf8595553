/** What a schema says to an editor is what it checks. */
import { expect, test } from 'vitest';
import { flag, list } from '#input/schema/schema.ts';

test('a list with bounds has both in its JSON Schema', () => {
  const { json } = list(flag, 'one to three of them', 1, 3);
  expect(json({})).toMatchObject({ type: 'array', minItems: 1, maxItems: 3 });
  const unbounded = list(flag, 'some').json({});
  expect(unbounded).not.toHaveProperty('minItems');
  expect(unbounded).not.toHaveProperty('maxItems');
});
