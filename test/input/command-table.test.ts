/** What a command is given by the words after it, and what is wrong with them. */
import { describe, expect, it } from 'vitest';
import type { CommandTable } from '#input/command-table.ts';
import { readGiven } from '#input/words.ts';
import { readCount } from '#input/values.ts';

const play: CommandTable = {
  name: 'demo',
  summary: 'plays',
  about: 'Plays.',
  args: { id: 'which' },
  flags: {
    '--dry-run': 'only show',
    '--no-open': 'open nothing',
    '-o, --output FILE': 'where',
    '--host ADDRESS': { help: 'who', otherwise: '127.0.0.1' },
    '--scope SCOPE': { help: 'whose', oneOf: ['local', 'user'], otherwise: 'local' },
    '--check CMD': { help: 'what', repeatable: true },
    '--file FILE...': { help: 'which', repeatable: true },
    '--times N': { help: 'how often', field: 'count', read: readCount, otherwise: '1' },
    '--loud': { help: 'how', field: 'volume', means: 'loud' },
    '--require all|any': 'which',
  },
};

const NOTHING = {
  id: undefined,
  dryRun: false,
  open: true,
  output: undefined,
  host: '127.0.0.1',
  scope: 'local',
  check: [],
  file: [],
  count: 1,
  volume: false,
  require: undefined,
};

describe('what is given', () => {
  it.each([
    ['', {}],
    ['abc', { id: 'abc' }],
    ['--dry-run abc --no-open', { id: 'abc', dryRun: true, open: false }],
    ['-o a.md', { output: 'a.md' }],
    ['-oa.md', { output: 'a.md' }],
    ['--output=a.md', { output: 'a.md' }],
    ['--output=--dry-run', { output: '--dry-run' }],
    ['--host ::1 --scope user', { host: '::1', scope: 'user' }],
    ['--check a --check b', { check: ['a', 'b'] }],
    ['--file a b --dry-run abc', { file: ['a', 'b'], dryRun: true, id: 'abc' }],
    ['--times 3 --loud', { count: 3, volume: 'loud' }],
    ['--require any', { require: 'any' }],
    ['--file a -- --dry-run', { file: ['a'], id: '--dry-run' }],
  ])('%j', (line, given) => {
    const words = line.split(' ').filter(Boolean);
    expect(readGiven(play, words)).toMatchObject({ is: 'run', given: { ...NOTHING, ...given } });
  });

  it.each(['--help', '-h', 'abc --help --bogus'])('%j asks for the help', (line) => {
    expect(readGiven(play, line.split(' '))).toEqual({ is: 'help' });
  });
});

describe('what is wrong', () => {
  it.each([
    ['--wild-guess', '--wild-guess is not a flag of this command.'],
    ['--outptu x', '--outptu is not a flag of this command; the nearest one is --output.'],
    ['--dry-run=yes', '--dry-run takes no value.'],
    ['-z', '-z is not a flag of this command.'],
    ['--output', '--output has no value.'],
    ['--output --dry-run', '--output has no value.'],
    ['--host a --host b', '--host is given twice.'],
    ['--scope all', '--scope takes local or user, not "all".'],
    ['--require both', '--require takes all or any, not "both".'],
    ['--times x', '--times takes a whole number above zero, not "x".'],
    ['a b', 'dacapo demo takes one argument: "b" is one too many.'],
  ])('%j', (line, message) => {
    expect(readGiven(play, line.split(' '))).toMatchObject({ is: 'wrong', refusal: { message } });
  });
});

describe('arguments that have to be given', () => {
  const steer: CommandTable = {
    name: 'fleet steer',
    summary: 'says',
    about: 'Says.',
    needs: { id: 'the loop', words: 'the message' },
    args: { how: 'how' },
  };

  it('come first, by name', () => {
    expect(readGiven(steer, ['a', 'b'])).toEqual({
      is: 'run',
      given: { id: 'a', words: 'b', how: undefined },
      ours: ['a', 'b'],
    });
  });

  it('are missing by name, with what to write', () => {
    expect(readGiven(steer, ['a'])).toMatchObject({
      is: 'wrong',
      refusal: {
        message: 'WORDS is missing (the message).',
        next: 'Write dacapo fleet steer ID WORDS [HOW].',
      },
    });
  });
});
