import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { Event } from '#law/record/events.ts';
import { created } from '../../law/given.ts';
import { temporaryFolder } from '../folder.ts';

function bench() {
  const home = homeAt(join(temporaryFolder(), 'home'));
  const store = fileStore(home);
  const open = store.make({ ...created(), id: 'L1' }, () => undefined);
  if (open === 'taken') throw new Error('taken');
  open.close();
  const file = join(home.dir, 'cache', 'loops');
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
  writeFileSync(file, cached.replace(' 0 ', ' 1 '));
  expect(look().known).toMatchObject([{ id: 'L1', ended: true }]);
});

it.each(['', '{', '2.1', '0\n[]\nend', '2.1\n["/p"]\nL1 1 0 2026-01-05T11:00:00.000Z 0'])(
  'makes a damaged cache again: %s',
  (content) => {
    const { look, file } = bench();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    expect(look().known).toMatchObject([{ id: 'L1', ended: false }]);
    expect(readFileSync(file, 'utf8')).toMatch(/^\d+\.\d+\n\[".*"\]\nL1 \S+ 0 \S+ 0\nend$/);
  },
);

it('opens a loop that can not be read at each look, and says why', () => {
  const { look, journal } = bench();
  writeFileSync(journal, '{"type":"nonsense"}\n');
  utimesSync(journal, 1, 1);
  for (const _ of [1, 2]) expect(look()).toMatchObject({ known: [], others: [{ id: 'L1', loop: null }] });
});

it('looks at an ended loop again once somebody has reopened it', () => {
  const { home, look, journal } = bench();
  const store = fileStore(home);
  const write = (event: Event) => {
    const open = store.open('L1');
    open?.write(event);
    open?.close();
  };
  const at = '2026-01-05T11:00:00.000Z';
  write({ type: 'cancelled', at, by: 'terminal', prompt: null });
  for (const _ of [1, 2]) expect(look().known).toMatchObject([{ id: 'L1', ended: true }]);
  // Nobody has said that it changed.
  appendFileSync(journal, '\n{"type":"nonsense"}\n');
  expect(look().known).toMatchObject([{ id: 'L1', ended: true }]);
  truncateSync(journal, statSync(journal).size - '\n{"type":"nonsense"}\n'.length);
  const person = { by: 'terminal', session: null, process: null, prompt: null, iterations: null } as const;
  write({ type: 'resumed', at, ...person, machine: 'm' });
  expect(look().known).toMatchObject([{ id: 'L1', ended: false }]);
});

it('looks at all loops again where the last look at all is long ago', () => {
  const { home, look, journal } = bench();
  const open = fileStore(home).open('L1');
  open?.write({ type: 'cancelled', at: '2026-01-05T11:00:00.000Z', by: 'terminal', prompt: null });
  open?.close();
  for (const _ of [1, 2]) look();
  appendFileSync(journal, '\n{"type":"nonsense"}\n');
  expect(look()).toMatchObject({ known: [{ id: 'L1' }], others: [] });
  utimesSync(join(home.dir, 'cache', 'looked'), 1, 1);
  expect(look()).toMatchObject({ known: [], others: [{ id: 'L1' }] });
});
