import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openOutput } from '#surfaces/cli/terminal/output.ts';

/** A name of its own, because knip looks for programs by their literal names. */
const MAKE_PIPE = 'mkfifo';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dco-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** An output, and what was left to its stream. */
function outputTo(descriptor: number) {
  ends.push(() => closeSync(descriptor));
  const left: Buffer[] = [];
  const stream = {
    isTTY: false,
    columns: 80,
    write: (bytes: string | Uint8Array) => left.push(Buffer.from(bytes)) > 0,
  };
  return { output: openOutput(descriptor, () => stream), left };
}

test.skipIf(process.platform === 'win32')('a file takes all of it, and no stream is made', () => {
  const path = join(newFolder(), 'file');
  const { output, left } = outputTo(openSync(path, 'w'));
  output.write('é\n');
  output.write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('é\ntwo\n');
  expect([output.isScreen(), output.width(), left]).toEqual([false, Infinity, []]);
});

test.skipIf(process.platform === 'win32')('the stream gets what a full pipe does not take, in order', () => {
  const path = join(newFolder(), 'pipe');
  execFileSync(MAKE_PIPE, [path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const { output, left } = outputTo(descriptor);
  // In pieces of three bytes, so that the pipe is full in the middle of a character.
  const long = '€'.repeat(400_000);
  output.write(long);
  const taken = Buffer.alloc(long.length * 3);
  const bytes = readSync(descriptor, taken);
  expect(bytes).toBeGreaterThan(0);
  // The pipe has room again, but the stream still has something to write.
  output.write('end');
  expect(left).toHaveLength(2);
  expect(Buffer.concat([taken.subarray(0, bytes), ...left]).toString()).toBe(`${long}end`);
});

test.skipIf(process.platform === 'win32')('a terminal that does not know its size is 80 columns wide', () => {
  const descriptor = openSync('/dev/null', 'w');
  ends.push(() => closeSync(descriptor));
  const widthOf = (columns: number) =>
    openOutput(descriptor, () => ({ isTTY: true, columns, write: () => true })).width();
  expect([widthOf(0), widthOf(120)]).toEqual([80, 120]);
});
