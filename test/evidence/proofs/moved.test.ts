import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { movedBaseline } from '#law/record/definition.ts';
import { sayMovedWarning } from '#telling/person/features.ts';
import { baseline, hasMoved, movedResult } from '#evidence/proofs/moved.ts';
import { temporaryFolder } from '../../store/folder.ts';

/** The example of the vault format: `--watch-file "Needs_Action/INVOICE_client.md" --done-folder "Done/"`. */
const FILE = 'Needs_Action/INVOICE_client.md';
const FOLDER = 'Done/';

function put(dir: string, file: string, content: string | Buffer, age = 0): string {
  const path = join(dir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const at = new Date(Date.now() - age * 1_000);
  utimesSync(path, at, at);
  return path;
}

function move(dir: string, from: string, to: string): void {
  mkdirSync(dirname(join(dir, to)), { recursive: true });
  renameSync(join(dir, from), join(dir, to));
}

/** A project with the watched file in it. */
function project(content: string | Buffer = '# Invoice\n'): string {
  const dir = temporaryFolder();
  put(dir, FILE, content, 60);
  return dir;
}

const NOT_YET = { is: 'not-moved', origin: 'there' };
const GONE = { is: 'not-moved', origin: 'gone' };

describe('the example of the vault format', () => {
  it('is done when the file is in the done folder', () => {
    const dir = project();
    const atStart = baseline(FILE, FOLDER, dir);
    expect(atStart.warning).toBeNull();
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
    move(dir, FILE, 'Done/INVOICE_client.md');
    expect(hasMoved(atStart, dir)).toEqual({
      is: 'moved',
      how: 'name',
      to: join(dir, 'Done', 'INVOICE_client.md'),
    });
  });

  it('with absolute paths', () => {
    const dir = project();
    const atStart = baseline(join(dir, FILE), join(dir, FOLDER), '/elsewhere');
    move(dir, FILE, 'Done/INVOICE_client.md');
    expect(hasMoved(atStart, '/elsewhere')).toMatchObject({ is: 'moved', how: 'name' });
  });

  it('also where it was edited first', () => {
    const dir = project();
    const atStart = baseline(FILE, FOLDER, dir);
    put(dir, FILE, '# Invoice, paid\n');
    move(dir, FILE, 'Done/INVOICE_client.md');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved' });
  });
});

describe('a file of that name was in the done folder before', () => {
  it('and stays: nothing has moved', () => {
    const dir = project();
    put(dir, 'Done/INVOICE_client.md', '# Old\n', 3_600);
    const atStart = baseline(FILE, FOLDER, dir);
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
    rmSync(join(dir, FILE));
    expect(hasMoved(atStart, dir)).toEqual(GONE);
  });

  it('and was older: what arrives is seen', () => {
    const dir = project();
    put(dir, 'Done/INVOICE_client.md', '# Old\n', 3_600);
    const atStart = baseline(FILE, FOLDER, dir);
    move(dir, FILE, 'Done/INVOICE_client.md');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved', how: 'name' });
  });

  it('and was newer: the content of what arrives tells', () => {
    const dir = project();
    put(dir, 'Done/INVOICE_client.md', '# Another', 1);
    const atStart = baseline(FILE, FOLDER, dir);
    move(dir, FILE, 'Done/INVOICE_client.md');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved', how: 'name' });
  });

  it('and was set back in time: nothing has moved', () => {
    const dir = project();
    put(dir, 'Done/INVOICE_client.md', '# Another', 1);
    const atStart = baseline(FILE, FOLDER, dir);
    put(dir, 'Done/INVOICE_client.md', '# Another', 500);
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
  });
});

describe('a renamed file', () => {
  it.each<[string, string | Buffer]>([
    ['a text', '# Invoice\n'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x80, 0x00])],
    ['a large one, by its size and time', Buffer.alloc(1024 * 1024 + 1, 7)],
  ])('counts when its content is the same: %s', (_name, content) => {
    const dir = project(content);
    const atStart = baseline(FILE, FOLDER, dir);
    move(dir, FILE, 'Done/2026-01-19 paid.md');
    expect(hasMoved(atStart, dir)).toEqual({
      is: 'moved',
      how: 'renamed',
      to: join(dir, 'Done', '2026-01-19 paid.md'),
    });
  });

  it('does not count when it is another', () => {
    const dir = project('# Invoice\n');
    const atStart = baseline(FILE, FOLDER, dir);
    rmSync(join(dir, FILE));
    put(dir, 'Done/other.md', '# invoice\n');
    expect(hasMoved(atStart, dir)).toEqual(GONE);
  });

  it('bytes that look alike as text are another', () => {
    const dir = project(Buffer.from([0x80, 0x81]));
    const atStart = baseline(FILE, FOLDER, dir);
    rmSync(join(dir, FILE));
    put(dir, 'Done/other.md', Buffer.from([0x90, 0x91]));
    expect(hasMoved(atStart, dir)).toEqual(GONE);
  });

  it('does not count while the file is in its place: that is a copy', () => {
    const dir = project();
    const atStart = baseline(FILE, FOLDER, dir);
    mkdirSync(join(dir, 'Done'));
    copyFileSync(join(dir, FILE), join(dir, 'Done', 'backup.md'));
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
  });

  it('a twin that was there before is not it', () => {
    const dir = project();
    put(dir, 'Done/template.md', '# Invoice\n', 3_600);
    const atStart = baseline(FILE, FOLDER, dir);
    expect(atStart.twins).toHaveLength(1);
    rmSync(join(dir, FILE));
    expect(hasMoved(atStart, dir)).toEqual(GONE);
    put(dir, 'Done/z.md', '# Invoice\n');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved', to: join(dir, 'Done', 'z.md') });
  });

  it('an empty file is known by its name alone', () => {
    const dir = project('');
    const atStart = baseline(FILE, FOLDER, dir);
    rmSync(join(dir, FILE));
    put(dir, 'Done/.gitkeep', '');
    expect(hasMoved(atStart, dir)).toEqual(GONE);
    put(dir, 'Done/INVOICE_client.md', '');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved', how: 'name' });
  });

  it('where too many look like it, only its name counts', () => {
    const dir = project();
    for (let k = 0; k <= 100; k++) put(dir, `Done/${k}.md`, '# Invoice\n');
    const atStart = baseline(FILE, FOLDER, dir);
    expect(atStart.twins).toBeNull();
    move(dir, FILE, 'Done/new.md');
    expect(hasMoved(atStart, dir)).toEqual(GONE);
  });
});

describe('the start', () => {
  it('warns of a watched path that does not exist, and waits for its name', () => {
    const dir = temporaryFolder();
    const atStart = baseline(FILE, FOLDER, dir);
    expect(atStart).toMatchObject({ warning: 'absent', watched: { is: 'absent' } });
    expect(sayMovedWarning(atStart)).toBe(
      'Needs_Action/INVOICE_client.md does not exist: the loop is done when a file of that name arrives in Done/.',
    );
    expect(hasMoved(atStart, dir)).toEqual(GONE);
    put(dir, 'Done/INVOICE_client.md', 'x');
    expect(hasMoved(atStart, dir)).toMatchObject({ is: 'moved' });
  });

  it('warns of a folder, and of a file that is done already', () => {
    const dir = project();
    expect(baseline('Needs_Action', FOLDER, dir).warning).toBe('no-file');
    expect(baseline(FILE, 'Needs_Action', dir).warning).toBe('done-already');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'warns of a done folder that can not be read',
    () => {
      const dir = project();
      mkdirSync(join(dir, 'Done'), { mode: 0o000 });
      const atStart = baseline(FILE, FOLDER, dir);
      expect(atStart.warning).toBe('folder-unreadable');
      expect(hasMoved(atStart, dir)).toMatchObject({ is: 'unreadable', why: 'EACCES' });
      chmodSync(join(dir, 'Done'), 0o700);
    },
  );

  it.each([
    ['a plain project', () => project()],
    ['an empty one', () => temporaryFolder()],
    ['a large file', () => project(Buffer.alloc(1024 * 1024 + 1))],
  ])('is plain data that a journal can hold: %s', (_name, make) => {
    const dir = make();
    put(dir, 'Done/INVOICE_client.md', 'old', 9);
    const kept: unknown = JSON.parse(JSON.stringify(baseline(FILE, FOLDER, dir)));
    expect(movedBaseline(kept)).toBe(true);
    expect(kept).toEqual(baseline(FILE, FOLDER, dir));
  });
});

describe('what was seen', () => {
  it('is plain data too, and has words', () => {
    const dir = project();
    const atStart = baseline(FILE, FOLDER, dir);
    const proof = hasMoved(atStart, dir);
    expect(movedResult(atStart, proof).says).toBe(
      'Needs_Action/INVOICE_client.md has not been moved to Done/ yet',
    );
    expect(movedResult(atStart, { is: 'not-moved', origin: 'gone' }).says).toBe(
      'Needs_Action/INVOICE_client.md is gone from its place, but neither its name nor its content is in Done/',
    );
  });

  it.skipIf(process.platform === 'win32')('a link in the done folder is nothing', () => {
    const dir = project();
    const atStart = baseline(FILE, FOLDER, dir);
    mkdirSync(join(dir, 'Done'));
    symlinkSync(join(dir, FILE), join(dir, 'Done', 'INVOICE_client.md'));
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
  });

  it('a done folder that is a file holds nothing', () => {
    const dir = project();
    const atStart = baseline(FILE, 'Done', dir);
    put(dir, 'Done', 'x');
    expect(hasMoved(atStart, dir)).toEqual(NOT_YET);
  });
});
