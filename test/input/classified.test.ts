// The table of every command, walked: each flag says whether its value is a command, each command for whom it is (U7).
import { describe, expect, it } from 'vitest';
import { audienceOf, isForPeople, isForPeopleBesideLoop } from '#input/audience.ts';
import { commandsInWords, takesCommand } from '#input/command-flags.ts';
import { flagsIn, usageOf } from '#input/flag.ts';
import { ALL_COMMANDS } from '../commands.ts';

/** Usages, such as `--check CMD`. */
const USAGES = ALL_COMMANDS.flatMap(({ flags = {} }) =>
  flagsIn(flags).map((flag) => usageOf(flag).replace(/^-\w, /, '')),
);

/** Words for values that are no command, and are never run. */
const NOT_RUN =
  /^(?:N|Nf|N\|.*|.*\bDURATION|TEXT|FILE.*|DIR|HOST.*|MODEL|GLOB|RULE|NAME|NAME\[.*|NAME<=NUMBER|PERCENT|USD|VIEW|URL.*|ID|MODE|TOOLS|REF|LABELS|all\|any|file\|person|loop\|issue\|grind|hook\|fresh|ADDRESS|AGENT|PORT|PROTOCOL|local\|project\|user|SESSION|KEY|STATUS|PATH|USD\|off)$/;
/** To remove one, it is named as it was given. */
const REMOVES = ['--remove-check CMD'];

/** Another flag of the same name: `dacapo ui` listens there. */
const NOT_A_HOST = ['--host ADDRESS'];

describe('flags', () => {
  it.each([...new Set(USAGES)])('%s says whether its value is a command', (usage) => {
    const [flag = '', value = ''] = usage.split(' ');
    // A host may be a command: acp:COMMAND.
    const isRun = !REMOVES.includes(usage) && /\bcmd\b|\bcommand\b|^HOST/i.test(value);
    if (NOT_A_HOST.includes(usage)) return;
    expect(takesCommand(flag)).toBe(isRun);
    expect(isRun || value === '' || REMOVES.includes(usage) || NOT_RUN.test(value)).toBe(true);
  });

  it('the command is found in both spellings', () => {
    expect(
      commandsInWords(['x', '--measure', 'n=a=b', '--check=c d', '--setup', ' e ', '--name', 'f']),
    ).toEqual(['a=b', 'c d', 'e']);
  });

  it('a host that is a command is one, and a name is none', () => {
    const hosts = ['--host', 'acp:a --b', '--review=acp: c ', '--fallback-host', 'codex,acp:d'];
    expect(commandsInWords(hosts)).toEqual(['a --b', 'c', 'd']);
    expect(commandsInWords(['--host', 'codex', '--review', 'pi:m', '--fallback-host=pi'])).toEqual([]);
  });
});

describe('commands', () => {
  it.each(ALL_COMMANDS.map(({ name }) => name))('dacapo %s says for whom it is', (name) => {
    expect(audienceOf(name)).toBeDefined();
  });

  it.each([
    ['fleet submit', []],
    ['fleet answer', []],
    ['fleet amend', []],
    ['fleet steer', []],
    ['fleet limits', ['--max-loops', '9']],
    ['fleet resume', ['x', '--max-cost=9']],
    ['resume', ['--accept-changes']],
    ['hooks', ['add']],
  ])('dacapo %s %j is for people', (name, words) => expect(isForPeople(name, words)).toBe(true));

  it.each([
    ['fleet limits', []],
    ['fleet resume', ['x']],
    ['resume', ['x']],
    ['hooks', ['list']],
    ['status', []],
    ['constructor', []],
  ])('dacapo %s %j is for anyone', (name, words) =>
    expect([isForPeople(name, words), isForPeopleBesideLoop(name, words)]).toEqual([false, false]),
  );
});
