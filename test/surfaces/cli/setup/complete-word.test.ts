/** What completes at the cursor, from the tables of the command line. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { completeWord, type CompletedCommand } from '#surfaces/cli/setup/complete-word.ts';

const flag = (name: string, values: CompletedCommand['values'] | null, isRepeatable = false) => ({
  flag: name,
  help: `about ${name}`,
  values,
  ...(isRepeatable && { repeatable: true as const }),
});
const plain = { help: 'about it', flags: [], values: [], inner: null };

const COMMANDS: readonly CompletedCommand[] = [
  {
    ...plain,
    name: 'run',
    flags: [
      flag('--host', ['claude-code', 'codex', 'copilot']),
      flag('--require', ['all', 'any']),
      flag('--check', [], true),
      flag('--loop', 'loops'),
      flag('--commit', null),
    ],
  },
  { ...plain, name: 'cancel', values: 'loops', flags: [flag('--note', []), flag('--all', null)] },
  { ...plain, name: 'completion', values: ['bash', 'zsh'] },
  {
    ...plain,
    name: 'fleet',
    inner: [
      { ...plain, name: 'fleet submit', flags: [flag('--require', ['all', 'any'])] },
      { ...plain, name: 'fleet status' },
    ],
  },
];

function words(...typed: string[]): string[] {
  return completeWord(COMMANDS, typed, () => ['RALPH_1', 'RALPH_2']).map(({ word }) => word);
}

describe('completion', () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [[''], ['run', 'cancel', 'completion', 'fleet', 'help']],
    [['c'], ['cancel', 'completion']],
    [['help', 'f'], ['fleet']],
    [
      ['help', 'fleet', 's'],
      ['submit', 'status'],
    ],
    [['fleet', 'sub'], ['submit']],
    [
      ['fleet', ''],
      ['submit', 'status', 'help'],
    ],
    [['fleet', 'submit', '--re'], ['--require']],
    [
      ['fleet', 'submit', '--require', 'a'],
      ['all', 'any'],
    ],
    [
      ['run', '--host', 'co'],
      ['codex', 'copilot'],
    ],
    [
      ['run', '--host=co'],
      ['--host=codex', '--host=copilot'],
    ],
    [
      ['run', '--host', '=', 'co'],
      ['codex', 'copilot'],
    ],
    [
      ['run', '--host', '='],
      ['claude-code', 'codex', 'copilot'],
    ],
    [
      ['run', 'Fix it', '--loop', ''],
      ['RALPH_2', 'RALPH_1'],
    ],
    [
      ['cancel', ''],
      ['RALPH_2', 'RALPH_1'],
    ],
    [
      ['cancel', '--note', 'no', ''],
      ['RALPH_2', 'RALPH_1'],
    ],
    [['cancel', '--all', 'RALPH_1'], ['RALPH_1']],
    [
      ['completion', ''],
      ['bash', 'zsh'],
    ],
    // A flag that was given is not offered again, unless it may be.
    [['run', '--commit', '--check', 'x', '--c'], ['--check']],
  ])('%j', (typed, found) => {
    expect(words(...typed)).toEqual(found);
  });

  it.each<readonly string[][]>([
    [['nothing', '']],
    [['run', '']],
    [['run', '--check', '']],
    [['run', 'x', '--', '--mo']],
    [['cancel', 'RALPH_1', '']],
    [['fleet', 'nothing', '--']],
  ])('%j is left to the shell, or to the agent', (typed) => {
    expect(words(...typed)).toEqual([]);
  });

  it('the real tables: every flag with a few words has them', () => {
    const cli = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));
    const found = (...typed: string[]) =>
      execFileSync(process.execPath, [cli, 'completion', 'words', '--', ...typed], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]);
    expect(found('fleet', 'submit', '--approval-policy', '')).toEqual(['file', 'person']);
    expect(found('init', '--scope', '')).toEqual(['local', 'project', 'user']);
    expect(found('run', '--as=')).toEqual(['--as=loop', '--as=issue', '--as=grind']);
    expect(found('run', '--view', 'm')).toEqual(['markdown']);
    // It takes an address.
    expect(found('ui', '--host', '')).toEqual(['']);
  });
});
