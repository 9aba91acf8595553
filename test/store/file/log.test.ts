import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logTo } from '#store/file/home.ts';
import { temporaryFolder } from '../folder.ts';

const MOST = 1024 * 1024;
const now = () => '2026-01-05T10:00:00.000Z';

it('has a line for every call', () => {
  const path = join(temporaryFolder(), 'hook.log');
  const log = logTo(path, now);
  log('one');
  log('two');
  expect(readFileSync(path, 'utf8')).toBe(`${now()} one\n${now()} two\n`);
});

it.runIf(process.platform !== 'win32')('is closed to others', () => {
  const path = join(temporaryFolder(), 'hook.log');
  logTo(path, now)('one');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('that can not be written is not an error', () => {
  const folder = join(temporaryFolder(), 'nowhere');
  logTo(join(folder, 'hook.log'), now)('one');
  expect(existsSync(folder)).toBe(false);
});

it('begins anew when it is full, and the file before it stays', () => {
  const path = join(temporaryFolder(), 'hook.log');
  writeFileSync(path, 'x'.repeat(MOST));
  const log = logTo(path, now);
  log('the last of the old');
  log('the first of the new');
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('the last of the old');
  expect(readFileSync(path, 'utf8')).toBe(`${now()} the first of the new\n`);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('is moved by one hook at a time; a lock that a killed one left does not last', () => {
  const path = join(temporaryFolder(), 'hook.log');
  writeFileSync(path, 'x'.repeat(MOST));
  writeFileSync(`${path}.lock`, '');
  const log = logTo(path, now);
  log('while another moves it');
  expect(existsSync(`${path}.1`)).toBe(false);
  expect(readFileSync(path, 'utf8')).toContain('while another moves it');
  utimesSync(`${path}.lock`, 1, 1);
  log('later');
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('later');
});
