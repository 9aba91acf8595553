import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { swapViewFile } from '#evidence/views/file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dc-swap-'));
  path = join(folder, 'progress.txt');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that others write too', () => {
  it('is replaced whole, with its mode, and nothing is left beside it', () => {
    writeFileSync(path, 'a');
    chmodSync(path, 0o664);
    expect(swapViewFile(path, Buffer.from('a'), 'b')).toEqual({ is: 'swapped' });
    expect(readFileSync(path, 'utf8')).toBe('b');
    expect(statSync(path).mode & 0o777).toBe(0o664);
    expect(readdirSync(folder)).toEqual(['progress.txt']);
  });

  it('is left alone where someone wrote it since', () => {
    writeFileSync(path, 'theirs');
    expect(swapViewFile(path, Buffer.from('a'), 'b')).toEqual({ is: 'changed' });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['progress.txt']);
  });

  it('is not a link, and a link under the name of the unfinished one is not followed', () => {
    const outside = join(folder, 'outside');
    writeFileSync(outside, 'a');
    symlinkSync(outside, path);
    expect(() => swapViewFile(path, Buffer.from('a'), 'b')).toThrow('ELOOP');
    rmSync(path);
    writeFileSync(path, 'a');
    symlinkSync(outside, join(folder, `.progress.txt.${process.pid}.tmp`));
    expect(() => swapViewFile(path, Buffer.from('a'), 'b')).toThrow('EEXIST');
    expect(readFileSync(outside, 'utf8')).toBe('a');
  });

  it('an agent that adds notes all the while keeps them, and we get our line', async () => {
    writeFileSync(path, 'Iteration: 0\n');
    const program = `const { appendFileSync } = require('node:fs'); let n = 0;
      const timer = setInterval(() => { appendFileSync(process.argv[1], 'note ' + n++ + '\\n'); if (n === 100) clearInterval(timer); }, 5);`;
    const agent = spawn(process.execPath, ['-e', program, path], { stdio: 'ignore' });
    const ended = new Promise((resolve) => agent.on('exit', resolve));
    let swaps = 0;
    while (agent.exitCode === null) {
      const before = readFileSync(path);
      const after = before.toString().replace(/Iteration: \d+/, `Iteration: ${swaps + 1}`);
      if (swapViewFile(path, before, after).is === 'swapped') swaps++;
      await sleep(11);
    }
    await ended;
    const [first, ...notes] = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(first).toBe(`Iteration: ${swaps}`);
    expect(swaps).toBeGreaterThan(10);
    // A write that had begun before the rename and ends after the last look goes with the old file:
    // microseconds.
    const whole = new Set(Array.from({ length: 100 }, (_, n) => `note ${n}`));
    expect(notes.filter((note) => !whole.has(note))).toEqual([]);
    expect(new Set(notes).size).toBe(notes.length);
    expect(notes.length).toBeGreaterThanOrEqual(98);
  });
});
