/** How a person's command becomes a process: as it is, or on Windows by the shell that a `.cmd` needs. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toStart } from '#base/process/to-start.ts';

function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'dc-start '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  for (const name of names) {
    writeFileSync(join(folder, 'bin', name), '');
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  return join(folder, 'bin');
}

test('elsewhere than on Windows the words are the process', () => {
  expect(toStart(['agent.cmd', 'a b'], {}, 'linux')).toEqual({
    program: 'agent.cmd',
    args: ['a b'],
    verbatim: false,
  });
});

test('on Windows a word is looked for with its endings, and never the script beside a wrapper', () => {
  const bin = folderWith('agent', 'agent.cmd', 'other', 'real.exe', 'real.cmd');
  const env = { PATH: bin, ComSpec: 'C:\\Windows\\system32\\cmd.exe' };
  expect(toStart(['real', '--acp'], env, 'win32')).toEqual({
    program: join(bin, 'real.exe'),
    args: ['--acp'],
    verbatim: false,
  });
  expect(toStart(['agent', '--acp', 'two words', 'a"b'], env, 'win32')).toEqual({
    program: env.ComSpec,
    args: ['/d', '/s', '/c', `""${join(bin, 'agent.cmd')}" --acp "two words" "a""b""`],
    verbatim: true,
  });
  expect(toStart([join(bin, 'agent.cmd')], env, 'win32').program).toBe(env.ComSpec);
  // Not there: the process that does not start says so.
  expect(toStart(['other'], env, 'win32').program).toBe('other');
});
