import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { created } from '../../law/given.ts';
import { temporaryFolder } from '../folder.ts';

function bench() {
  const home = homeAt(join(temporaryFolder(), 'home'));
  const store = fileStore(home);
  const open = store.make({ ...created(), id: 'L1' }, () => undefined);
  if (open === 'taken') throw new Error('taken');
  open.close();
  const file = join(home.dir, 'cache', 'loops.json');
  return {
    home,
    file,
    journal: join(home.loops, 'L1', 'journal.jsonl'),
    look: () => fileStore(home).summaries(),
  };
}

it('does not open a loop whose record is as it was', () => {
  const { look, file } = bench();
  look();
  const cached = readFileSync(file, 'utf8');
  writeFileSync(file, cached.replace('"ended":false', '"ended":true'));
  expect(look().known).toMatchObject([{ id: 'L1', ended: true }]);
});

it.each(['', '{', '{"version":"0","loops":[]}', '{"version":1}'])(
  'makes a damaged cache again: %s',
  (content) => {
    const { look, file } = bench();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    expect(look().known).toMatchObject([{ id: 'L1', ended: false }]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ loops: [{ id: 'L1' }] });
  },
);

it('opens a loop that can not be read at each look, and says why', () => {
  const { look, journal } = bench();
  writeFileSync(journal, '{"type":"nonsense"}\n');
  utimesSync(journal, 1, 1);
  for (const _ of [1, 2]) expect(look()).toMatchObject({ known: [], others: [{ id: 'L1', loop: null }] });
});
