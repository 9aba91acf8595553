import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Loop } from '#law/loop.ts';
import { JOURNAL_VERSION } from '#law/record/events.ts';
import { homeAt, type Home } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { bound, created, passes } from '../../law/given.ts';
import { temporaryFolder } from '../folder.ts';

const ID = created().id;

function made(home: Home): OpenLoop {
  const open = fileStore(home).make(created(), () => undefined);
  if (open === 'taken') throw new Error('taken');
  return open;
}

/** A home with one loop in it, three passes done, kept and closed. */
function homeWithLoop(): { home: Home; dir: string; loop: Loop } {
  const home = homeAt(temporaryFolder());
  const open = made(home);
  for (const event of [bound(), ...passes(3)]) open.write(event);
  open.keep();
  open.close();
  return { home, dir: join(home.loops, ID), loop: open.loop() };
}

function reopened(home: Home): Loop {
  const open = fileStore(home).open(ID);
  if (open === null) throw new Error('there is no such loop');
  open.close();
  return open.loop();
}

describe('a loop on disk', () => {
  it('is opened again as it was', () => {
    const { home, loop } = homeWithLoop();
    expect(loop.frame.passes).toBe(3);
    expect(reopened(home)).toEqual(loop);
  });

  it('is closed to others', () => {
    const { dir } = homeWithLoop();
    if (process.platform === 'win32') return;
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'journal.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'state.json')).mode & 0o777).toBe(0o600);
  });

  it('is what the record says, not what its writer hoped', () => {
    const { home } = homeWithLoop();
    const [mine, theirs] = [fileStore(home).open(ID), fileStore(home).open(ID)];
    theirs?.write({ type: 'cancelled', at: '2026-01-05T11:00:00.000Z', by: 'terminal', prompt: null });
    const loop = mine?.write({
      type: 'paused',
      at: '2026-01-05T11:00:01.000Z',
      by: 'session',
      why: 'prompt',
    });
    expect(loop?.status.is).toBe('cancelled');
    mine?.close();
    theirs?.close();
  });
});

describe('the cache', () => {
  const cases: [string, (path: string) => void][] = [
    ['absent', (path) => truncateSync(path, 0)],
    ['no JSON', (path) => writeFileSync(path, 'nonsense\nmore\n')],
    ['half written', (path) => truncateSync(path, 200)],
    ['of an older version', (path) => rewrite(path, (head) => head.replace(/^\d+/, '0'))],
    ['changed by someone', (path) => rewrite(path, (all) => all.replaceAll('"passes":3', '"passes":9'))],
    [
      'caught in the middle of a write',
      (path) => rewrite(path, (all) => all.replace(/.{40}\n$/, `${'x'.repeat(40)}\n`)),
    ],
    ['of another position', (path) => rewrite(path, (all) => all.replaceAll(/"upTo":(\d+)/g, '"upTo":0'))],
    [
      'ahead of the journal',
      (path) => rewrite(path, (head) => head.replaceAll(/"upTo":\d+/g, '"upTo":999999')),
    ],
  ];
  it.each(cases)('%s, is rebuilt from the journal', (_name, spoil) => {
    const { home, dir, loop } = homeWithLoop();
    spoil(join(dir, 'state.json'));
    expect(reopened(home)).toEqual(loop);
  });

  it('is written over a longer one, whose rest does not count', () => {
    const { home, dir, loop } = homeWithLoop();
    appendFileSync(
      join(dir, 'state.json'),
      'the rest of a longer one, cut in the middle of an \u00e4'.slice(0, -1),
    );
    // No record of the past any more: only the cache can tell.
    const journal = join(dir, 'journal.jsonl');
    writeFileSync(journal, ' '.repeat(statSync(journal).size));
    expect(reopened(home)).toEqual(loop);
  });

  it('only saves time: what was appended after it is read', () => {
    const { home } = homeWithLoop();
    const open = fileStore(home).open(ID);
    open?.write({ type: 'compacted', at: '2026-01-05T11:00:00.000Z' });
    open?.close();
    expect(reopened(home).session.compacted).toBe(true);
  });

  it('that can not be written is not an error: the record has it all', () => {
    const { home, dir } = homeWithLoop();
    rmSync(join(dir, 'state.json'));
    mkdirSync(join(dir, 'state.json'));
    const open = fileStore(home).open(ID);
    open?.write({ type: 'compacted', at: '2026-01-05T11:00:00.000Z' });
    open?.keep();
    open?.close();
    expect(reopened(home).session.compacted).toBe(true);
    expect(readdirSync(dir).toSorted()).toEqual(['journal.jsonl', 'state.json']);
  });

  it('never hides a broken line: every reader finds it until the loop has ended', () => {
    const { home, dir } = homeWithLoop();
    appendFileSync(join(dir, 'journal.jsonl'), '\n{"type":"stop","n":"three"}\n');
    for (const turn of [1, 2]) {
      const open = fileStore(home).open(ID);
      expect(open?.broken(), `turn ${turn}`).toContain('three');
      open?.write({ type: 'prompted', at: '2026-01-05T11:00:00.000Z', prompt: 'p2' });
      open?.keep();
      open?.close();
    }
  });

  function rewrite(path: string, change: (content: string) => string): void {
    const content = readFileSync(path, 'utf8');
    const changed = change(content);
    expect(changed).not.toBe(content);
    writeFileSync(path, changed);
  }
});

describe('a record that was damaged', () => {
  it('truncated, tells what is left', () => {
    const { home, dir } = homeWithLoop();
    const path = join(dir, 'journal.jsonl');
    truncateSync(path, statSync(path).size - 40);
    expect(reopened(home).frame.passes).toBe(2);
  });

  it.each([
    ['empty', ''],
    ['without its beginning', '\n{"type":"compacted","at":"2026-01-05T10:00:00.000Z"}\n'],
    ['garbage from the start', 'not a journal\n'],
  ])('%s, is not a loop', (_name, content) => {
    const { home, dir } = homeWithLoop();
    writeFileSync(join(dir, 'journal.jsonl'), content);
    writeFileSync(join(dir, 'state.json'), '');
    expect(fileStore(home).open(ID)).toBeNull();
  });
});

describe('the version of a journal', () => {
  const rewrite = (dir: string, change: (journal: string) => string) => {
    const path = join(dir, 'journal.jsonl');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    rmSync(join(dir, 'state.json'));
  };

  it('stands in its first event', () => {
    const { dir } = homeWithLoop();
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).toMatch(
      new RegExp(`^\\n\\{.*"version":${JOURNAL_VERSION}\\}\\n`),
    );
  });

  it.each([
    ['newer', JOURNAL_VERSION + 1, `up to version ${JOURNAL_VERSION}. Update Da Capo.`],
    [
      'older',
      JOURNAL_VERSION - 1,
      `from version ${JOURNAL_VERSION} on. Use the Da Capo that began the loop, or start the loop again.`,
    ],
  ])('a journal of a %s version is refused with a clear word, and stays as it is', (_name, version, next) => {
    const { home, dir } = homeWithLoop();
    rewrite(dir, (journal) => journal.replace(/"definition":.*?"version":\d+/, `"version":${version}`));
    const before = readFileSync(join(dir, 'journal.jsonl'), 'utf8');
    const why = `the journal has version ${version}, and this Da Capo reads ${next}`;
    expect(() => fileStore(home).open(ID)).toThrow(why);
    expect(fileStore(home).loops()).toEqual([{ id: ID, loop: null, unread: why }]);
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).toBe(before);
  });

  it('that begins with something else is listed as unread, and one that holds nothing is not', () => {
    const { home, dir } = homeWithLoop();
    rmSync(join(dir, 'state.json'));
    writeFileSync(join(dir, 'journal.jsonl'), 'garbage\n\n');
    const why = 'its journal does not begin with a loop';
    expect(fileStore(home).loops()).toEqual([{ id: ID, loop: null, unread: why }]);
    writeFileSync(join(dir, 'journal.jsonl'), '');
    expect(fileStore(home).loops()).toEqual([]);
  });
});

describe('making a loop', () => {
  it('is claimed by its folder: of two the second reads taken, and changes nothing', () => {
    const { home, loop } = homeWithLoop();
    let prepared = false;
    expect(fileStore(home).make(created(), () => (prepared = true))).toBe('taken');
    expect(prepared).toBe(false);
    expect(reopened(home)).toEqual(loop);
  });

  it('a folder that can not be made is an error, and not taken', () => {
    const home = homeAt(temporaryFolder());
    const longer = { ...created(), id: 'x'.repeat(300) };
    expect(() => fileStore(home).make(longer, () => undefined)).toThrow(/ENAMETOOLONG|ENOENT/);
  });

  it('has everything that its journal names before the first line', () => {
    const home = homeAt(temporaryFolder());
    let there: boolean | null = null;
    const open = fileStore(home).make(
      created(),
      ({ blobs }) => (there = existsSync(blobs.place('journal.jsonl'))),
    );
    expect(there).toBe(false);
    if (open !== 'taken') open.close();
  });
});

describe('which loops there are', () => {
  it('lists folders whose names are ids, and takes no other name for one', () => {
    const { home } = homeWithLoop();
    mkdirSync(join(home.loops, '.hidden'));
    mkdirSync(join(home.loops, 'with space'));
    expect(
      fileStore(home)
        .loops()
        .map(({ id }) => id),
    ).toEqual([ID]);
    for (const name of ['../loops', '..', '', 'a/b', 'x'.repeat(129)])
      expect(fileStore(home).open(name)).toBeNull();
  });

  it('a home that does not exist has none', () => {
    expect(fileStore(homeAt('/nonexistent/dacapo')).loops()).toEqual([]);
    expect(fileStore(homeAt('/nonexistent/dacapo')).open(ID)).toBeNull();
  });

  it('a removed loop is gone with all it had, and nothing else is', () => {
    const { home, dir } = homeWithLoop();
    fileStore(home).remove('../sessions');
    fileStore(home).remove(ID);
    expect(existsSync(dir)).toBe(false);
    expect(existsSync(home.loops)).toBe(true);
  });
});
