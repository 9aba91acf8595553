import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '#store/file/open-loop.ts';
import { journalConformance, prompted } from '../conformance.ts';
import { temporaryFolder } from '../folder.ts';

journalConformance('a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'dacapo-journal-'));
  const path = join(dir, 'journal.jsonl');
  return {
    open: () => openJournal(path),
    scribble: (raw) => appendFileSync(path, raw),
    end: () => rmSync(dir, { recursive: true, force: true }),
  };
});

it('an append is one line between two newlines, readable by nobody else', () => {
  const path = join(temporaryFolder(), 'journal.jsonl');
  const journal = openJournal(path);
  journal.append(prompted('a'));
  journal.close();
  expect(readFileSync(path, 'utf8')).toBe(`\n${JSON.stringify(prompted('a'))}\n`);
  expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});

it('processes that write at once lose nothing and tear nothing', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'journal.jsonl');
  const writer = join(dir, 'writer.mjs');
  writeFileSync(
    writer,
    `import { openSync, writeSync } from 'node:fs';
     const file = openSync(process.argv[2], 'a+');
     for (let k = 0; k < 200; k++) {
       const event = { type: 'prompted', at: new Date().toISOString(), prompt: process.argv[3] + ' ' + k + ' ' + 'x'.repeat(k * 50) };
       writeSync(file, '\\n' + JSON.stringify(event) + '\\n');
     }`,
  );
  const ends = ['a', 'b', 'c'].map(
    (name) =>
      new Promise((resolve) => {
        spawn(process.execPath, [writer, path, name], { stdio: 'ignore' }).on('exit', resolve);
      }),
  );
  expect(await Promise.all(ends)).toEqual([0, 0, 0]);
  const journal = openJournal(path);
  const { events, broken } = journal.read(0);
  journal.close();
  expect(broken).toBeNull();
  expect(events.length).toBe(600);
  const seen = events.map((event) => ('prompt' in event ? String(event.prompt).split(' ', 2).join(' ') : ''));
  expect(new Set(seen).size).toBe(600);
  // Each writer's own lines are in its own order.
  for (const name of ['a', 'b', 'c']) {
    const own = seen.filter((line) => line.startsWith(name));
    expect(own).toEqual(Array.from({ length: 200 }, (_, k) => `${name} ${k}`));
  }
});
