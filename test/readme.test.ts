/** What the README tells people to type exists: scripts, commands, flags, files. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SUBMIT_FLAGS } from '#surfaces/cli/fleet/submit-line.ts';
import { flagsIn } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { PLAN_FLAGS } from '#input/run-flags.ts';
import { isRecord } from '#base/shape.ts';
import { NEEDS } from '../scripts/test/tiers.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const GUIDE = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
const RUN = readFileSync(join(ROOT, 'docs/run.md'), 'utf8');

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

describe('the README', () => {
  test('names npm scripts that are there', () => {
    const value: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const scripts = isRecord(value) && isRecord(value['scripts']) ? Object.keys(value['scripts']) : [];
    const named = [...found(README, /npm run (\w+)/g), ...(README.includes('npm test') ? ['test'] : [])];
    expect(named).toContain('demo');
    expect(scripts).toEqual(expect.arrayContaining(named));
  });

  test.each(found(README + GUIDE + RUN, /(?:`|^)dacapo ([a-z]+)/gm))(
    'names a command that is there: dacapo %s',
    (name) => {
      const help = spawnSync(process.execPath, [join(ROOT, 'dist/cli.cjs'), name, '--help'], {
        encoding: 'utf8',
      });
      expect([help.status, help.stderr]).toEqual([0, '']);
      expect(help.stdout).toContain(`dacapo ${name}`);
    },
  );

  test('gives its commands flags that are there', () => {
    const named = found(README, /[` ](--[a-z][a-z-]+)/g);
    const tables = flagsIn(SUBMIT_FLAGS).map(({ flag }) => flag);
    // `--fleet` is of `watch` and `ui`, `--all` of `npm test`, and the last one is Docker's.
    const known = [...tables, '--dry-run', '--scope', '--fleet', '--all', '--wait'];
    expect(named).toEqual(expect.arrayContaining(['--check', '--max-iterations']));
    expect(named.filter((flag) => !known.includes(flag))).toEqual([]);
  });

  test('names both tiers of the tests, and everything that the second one needs', () => {
    const [, section = ''] = README.split('## Test it');
    const needs = NEEDS.map(({ tag }) => tag).filter((tag) => tag !== 'slow');
    expect(section).toContain('npm test -- --all');
    expect(needs.filter((need) => !section.toLowerCase().includes(need))).toEqual([]);
  });

  test('names slash commands that the plugin has', () => {
    const commands = readdirSync(join(ROOT, 'plugin/commands')).map((file) => file.replace(/\.md$/, ''));
    const named = found(README, /`\/(?:dacapo:)?([a-z]+-?ralph|ralph(?:-status)?)\b/g);
    expect(named.length).toBeGreaterThan(3);
    expect(commands).toEqual(expect.arrayContaining(named));
  });

  test('points to files that are there', () => {
    for (const path of found(README, /\]\(([^)#:]+)\)/g))
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  });
});

describe('docs/run.md', () => {
  test('has every flag that only a run has, and none that nobody has', () => {
    const named = found(RUN, /[` ](--[a-z][a-z-]+)/g);
    const own = flagsIn(PLAN_FLAGS)
      .map(({ flag }) => flag)
      .concat('--worktree', '--worktree-setup', '--loops', '--fallback-host', '--quiet', '--json');
    expect(named).toEqual(expect.arrayContaining(own));
    // Claude Code's own, which go behind `--`.
    const hosts = ['--settings', '--plugin-dir', '--bare', '--safe-mode'];
    // Of other commands, and git's.
    const others = ['--loop', '--help', '--dry-run', '--best', '--global', ...hosts];
    const known = [...own, ...flagsIn(LOOP_FLAGS).map(({ flag }) => flag), ...others];
    expect(named.filter((flag) => !known.includes(flag))).toEqual([]);
  });

  test('points to files that are there', () => {
    for (const path of found(RUN, /\]\(([^)#:]+)\)/g))
      expect([path, existsSync(join(ROOT, 'docs', path))]).toEqual([path, true]);
  });
});
