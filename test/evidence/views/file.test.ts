import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRegular } from '#base/files/read.ts';
import {
  existsAt,
  liesStill,
  makeViewFile,
  removeViewFile,
  replaceViewFile,
  takeViewFile,
} from '#evidence/views/file.ts';
import { temporaryFolder } from '../../store/folder.ts';

const posix = process.platform !== 'win32';
const MAKE_PIPE = 'mkfifo';

function fileOf(age: number, content = 'text'): string {
  const path = join(temporaryFolder(), 'view.md');
  writeFileSync(path, content);
  const when = (Date.now() - age) / 1000;
  utimesSync(path, when, when);
  return path;
}

describe('reading', () => {
  it('gives content and age, or says that it is gone', () => {
    const path = fileOf(60_000, 'näive\r\n');
    expect(readRegular(path)).toMatchObject({ is: 'content', content: 'näive\r\n' });
    expect(readRegular(join(path, 'below'))).toMatchObject({ is: 'unreadable' });
    expect(readRegular(`${path}-not`)).toEqual({ is: 'gone' });
  });

  it('reads nothing that is far too large for a view', () => {
    const path = fileOf(60_000);
    truncateSync(path, 17 * 1024 * 1024);
    expect(readRegular(path)).toEqual({ is: 'unreadable', why: 'larger than 16 MB', passing: false });
  });

  it('gives the bytes back as they are, whether or not they are text', () => {
    const path = fileOf(0);
    for (const bytes of [Buffer.from('\uFEFFé \uFFFD'), Buffer.from([0xe9, 0xff, 0, 0x80, 0x41])]) {
      writeFileSync(path, bytes);
      const found = readRegular(path);
      expect(found.is === 'content' && Buffer.compare(found.bytes, bytes)).toBe(0);
    }
  });

  it.runIf(posix)('follows no link, and waits at no pipe', () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'secret'), 'secret');
    symlinkSync(join(dir, 'secret'), join(dir, 'link'));
    symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling'));
    mkdirSync(join(dir, 'folder'));
    execFileSync(MAKE_PIPE, [join(dir, 'pipe')]);
    expect(readRegular(join(dir, 'link'))).toMatchObject({ is: 'unreadable' });
    expect(readRegular(join(dir, 'dangling'))).toMatchObject({ is: 'unreadable' });
    expect(readRegular(join(dir, 'folder'))).toMatchObject({ is: 'unreadable' });
    expect(readRegular(join(dir, 'pipe'))).toMatchObject({ is: 'unreadable' });
  });
});

describe('a changed file is believed', () => {
  function still(path: string, then: () => void = () => undefined): boolean {
    const file = readRegular(path);
    if (file.is !== 'content') throw new Error('no content');
    then();
    return liesStill(path, file, Date.now());
  }

  it('when it is older than a second and a second read agrees', () => {
    expect(still(fileOf(1_100))).toBe(true);
    expect(still(fileOf(500))).toBe(false);
  });

  it('not when it changes or goes between the two', () => {
    const changing = fileOf(5_000);
    expect(still(changing, () => writeFileSync(changing, 'more'))).toBe(false);
    const going = fileOf(5_000);
    expect(still(going, () => removeViewFile(going))).toBe(false);
  });
});

describe('writing', () => {
  it('replaces the whole file by a rename, and leaves nothing beside it', () => {
    const dir = temporaryFolder();
    const path = join(dir, '.claude', 'view.md');
    makeViewFile(path, 'one', dir);
    const { ino } = statSync(path);
    replaceViewFile(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(statSync(path).ino).not.toBe(ino);
    expect(statSync(path).mode & 0o777).toBe(posix ? 0o600 : 0o666);
    expect(readdirSync(join(dir, '.claude'))).toEqual(['view.md']);
  });

  it.runIf(posix)('puts back what somebody has written between the look and the replacement', () => {
    const path = fileOf(0, 'ours');
    writeFileSync(path, 'theirs');
    replaceViewFile(path, 'new', (content) => content === 'ours');
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    writeFileSync(path, 'ours');
    replaceViewFile(path, 'new', (content) => content === 'ours');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(dirname(path))).toEqual(['view.md']);
  });

  it('takes a view away, with what somebody has written into it since', () => {
    const path = fileOf(0, 'theirs');
    const kept: string[] = [];
    const keep = (bytes: Uint8Array) => kept.push(String(bytes));
    takeViewFile(path, Buffer.from('ours'), keep);
    takeViewFile(path, Buffer.from('ours'), keep);
    writeFileSync(path, 'ours');
    takeViewFile(path, Buffer.from('ours'), keep);
    expect(kept).toEqual(['theirs']);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.runIf(posix)('replaces a link, not what it points to', () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'target'), 'theirs');
    symlinkSync(join(dir, 'target'), join(dir, 'view.md'));
    replaceViewFile(join(dir, 'view.md'), 'ours');
    expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('theirs');
  });

  it.runIf(posix)('writes through no link that waits under the name of its unfinished file', () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'target'), 'theirs');
    symlinkSync(join(dir, 'target'), join(dir, `.view.md.${process.pid}.tmp`));
    expect(() => replaceViewFile(join(dir, 'view.md'), 'ours')).toThrow(/EEXIST/);
    expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('theirs');
    // The link is gone with the attempt: the next one succeeds.
    replaceViewFile(join(dir, 'view.md'), 'ours');
    expect(readdirSync(dir).toSorted()).toEqual(['target', 'view.md']);
  });

  it('makes a file only where nothing is', () => {
    const path = join(temporaryFolder(), '.claude', 'view.md');
    expect(makeViewFile(path, 'first', dirname(dirname(path)))).toBe(true);
    expect(makeViewFile(path, 'second', dirname(dirname(path)))).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('first');
  });

  it.runIf(posix)('a dangling link is something', () => {
    const dir = temporaryFolder();
    symlinkSync(join(dir, 'nowhere'), join(dir, 'view.md'));
    expect(existsAt(join(dir, 'view.md'))).toBe(true);
    expect(makeViewFile(join(dir, 'view.md'), 'ours', dir)).toBe(false);
    expect(readdirSync(dir)).toEqual(['view.md']);
  });
});
