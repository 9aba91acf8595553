/** What a command is given by the words after it, and what is wrong with them. */
import { describe, expect, it } from 'vitest';
import { command, readGiven } from '../../src/cli/command.ts';

const play = command('play', 'plays', {
  about: 'Plays.',
  args: { id: 'which' },
  flags: {
    '--dry-run': 'only show',
    '--no-open': 'open nothing',
    '-o, --output <file>': 'where',
    '--host <address>': { help: 'who', otherwise: '127.0.0.1' },
    '--scope <scope>': { help: 'whose', oneOf: ['local', 'user'], otherwise: 'local' },
    '--check <cmd>': { help: 'what', repeatable: true },
    '--file <file...>': { help: 'which', repeatable: true },
  },
  run: async () => 0,
});

const NOTHING = {
  id: undefined,
  dryRun: false,
  open: true,
  output: undefined,
  host: '127.0.0.1',
  scope: 'local',
  check: [],
  file: [],
};

describe('what is given', () => {
  it.each([
    ['', {}],
    ['abc', { id: 'abc' }],
    ['--dry-run abc --no-open', { id: 'abc', dryRun: true, open: false }],
    ['-o a.md', { output: 'a.md' }],
    ['-oa.md', { output: 'a.md' }],
    ['--output=a.md', { output: 'a.md' }],
    ['--output --dry-run', { output: '--dry-run' }],
    ['--host ::1 --scope user', { host: '::1', scope: 'user' }],
    ['--check a --check b', { check: ['a', 'b'] }],
    ['--file a b --dry-run abc', { file: ['a', 'b'], dryRun: true, id: 'abc' }],
    ['--file a -- --dry-run', { file: ['a'], id: '--dry-run' }],
  ])('%j', (line, given) => {
    const words = line.split(' ').filter(Boolean);
    expect(readGiven(play, words)).toEqual({ is: 'run', given: { ...NOTHING, ...given } });
  });

  it.each(['--help', '-h', 'abc --help --bogus'])('%j asks for the help', (line) => {
    expect(readGiven(play, line.split(' '))).toEqual({ is: 'help' });
  });
});

describe('what is wrong', () => {
  it.each([
    ['--bogus', "unknown option '--bogus'."],
    ['--dry-run=yes', "unknown option '--dry-run=yes'."],
    ['-z', "unknown option '-z'."],
    ['--output', "option '-o, --output <file>' argument missing."],
    ['--scope all', "option '--scope <scope>' argument 'all' is invalid. Allowed choices are local, user."],
    ['a b', "too many arguments for 'play'. Expected 1 argument but got 2."],
  ])('%j', (line, what) => {
    expect(readGiven(play, line.split(' '))).toMatchObject({ is: 'wrong', what });
  });
});
