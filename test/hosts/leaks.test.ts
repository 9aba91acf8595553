/**
 * No host is named outside src/hosts: not by name, not by a path of its own, not by an import of its adapter.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const HOST = /claude|anthropic|copilot|codex|gemini|qwen|(?<!an)droid/i;

/** What may stay, each with its reason. The number of lines may go down, never up. */
const ALLOWED: Readonly<Record<string, number>> = {
  // The help of the command for that host's own status bar.
  'surfaces/cli/setup/commands.ts': 2,
  // File names that other tools use.
  'evidence/lists/layouts.ts': 4,
  // The folder of the state files is part of their format.
  'evidence/views/state-folder.ts': 1,
};

function linesOfCode(text: string): string[] {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)\/\/.*/, ''));
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => relative(SRC, join(SRC, path)).split(sep).join('/'))
  .filter((path) => !path.startsWith('hosts/'));

it('names no host in code outside src/hosts', () => {
  const found = files.flatMap((path) => {
    const lines = linesOfCode(readFileSync(join(SRC, path), 'utf8')).filter((line) => HOST.test(line));
    return lines.length === 0 ? [] : [[path, lines.length] as const];
  });
  expect(Object.fromEntries(found)).toEqual(ALLOWED);
});

it('imports no adapter outside src/hosts', () => {
  const adapter = /#hosts\/(?!(?:port|tables|project|tools|prices)\/)/;
  // The program of a pass by ACP is the host's own, and a process of its own.
  const own = ['programs/acp.ts'];
  expect(
    files.filter((path) => !own.includes(path) && adapter.test(readFileSync(join(SRC, path), 'utf8'))),
  ).toEqual([]);
});

/** Our commands in a session, names of tools and of permission modes: each host has its own. */
const OF_A_HOST =
  /['"` (]\/(?:\w+-)?ralph\b(?![-/.])|\bBash\(|\bmcp__|\b(?:NotebookEdit|MultiEdit|acceptEdits)\b/;

it('names no command, tool or permission mode of a host outside src/hosts and src/surfaces/cli/setup', () => {
  const found = files
    .filter((path) => !path.startsWith('surfaces/cli/setup/'))
    .filter((path) =>
      linesOfCode(readFileSync(join(SRC, path), 'utf8')).some((line) => OF_A_HOST.test(line)),
    );
  expect(found).toEqual([]);
});
