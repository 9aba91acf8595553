/**
 * docs/reference.md has every command and every flag of the program, and no other; what it links to exists.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '#surfaces/cli/terminal/terminal.ts';
import { USER_FIELDS } from '#input/config/user-fields.ts';
import { flagsIn as flagsOfTable } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { readUserConfig } from '#input/config/user-config.ts';

const ROOT = resolve(import.meta.dirname, '..');
const REFERENCE = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8');
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'plugin/README.md',
  ...['docs', 'docs/internals', 'docs/internals/decisions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** What `help` has printed: several tests ask for each page, and each start of the program takes a while. */
const printed = new Map<string, string>();

function help(...command: string[]): string {
  const known = printed.get(command.join(' '));
  if (known !== undefined) return known;
  const cli = join(ROOT, 'dist/cli.cjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'help', ...command, 'all'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  printed.set(command.join(' '), stdout);
  return stdout;
}

function commands(): string[] {
  const listed = [...help().matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '');
  return listed.filter((name) => name !== 'dacapo');
}

/** The flags that `dacapo help COMMAND` lists, but for `--help`. */
function flagsOf(command: string): string[] {
  const listed = [...help(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag ?? '');
  return listed.filter((flag) => flag !== '--help').toSorted();
}

/** The part of the page under the heading that begins so, up to the next one of any level. */
function section(heading: RegExp): string {
  return REFERENCE.split(/^(?=##)/m).find((part) => heading.test(part.split('\n', 1)[0] ?? '')) ?? '';
}

/** The flags in the first cells of its tables. */
function flagsIn(text: string): string[] {
  return [...text.matchAll(/^\| (?:`-\w`, )?`(--[a-z-]+)/gm)].map(([, flag]) => flag ?? '');
}

describe('docs/reference.md', () => {
  test('has a section for every command, and for no other', () => {
    const described = [...REFERENCE.matchAll(/^### `dacapo ([a-z]+)/gm)].map(([, name]) => name ?? '');
    expect(described.toSorted()).toEqual(commands().toSorted());
  });

  test.each(commands())('has every flag of dacapo %s, and no other', (command) => {
    const own = section(new RegExp(`^### \`dacapo ${command}\\b`));
    const left = [...own.matchAll(/except ([^.]*?)(?:, the|, and|\.)/g)]
      .flatMap(([, text]) => [...(text ?? '').matchAll(/`(--[a-z-]+)`/g)])
      .map(([, flag]) => flag ?? '');
    const shared = [
      ...(own.includes('(#flags-of-a-loop)') ? flagsIn(section(/^## Flags of a loop/)) : []),
      ...(own.includes('(#flags-of-a-run)') ? flagsIn(section(/^## Flags of a run/)) : []),
    ];
    const described = [...shared, ...flagsIn(own)].filter((flag) => !left.includes(flag));
    expect(described.toSorted()).toEqual(flagsOf(command));
  });

  test.each(commands())('dacapo help %s has an example, with flags that the command has', (command) => {
    const [, shown = ''] = help(command).split('\nExamples:\n');
    const lines = (shown.split('\n\n', 1)[0] ?? '').trim().split('\n');
    for (const line of lines) {
      expect(line).toContain(`dacapo ${command}`);
      const [ours = ''] = line.replaceAll(/"[^"]*"/g, '').split(' -- ');
      const used = [...ours.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag ?? '');
      expect(flagsOf(command)).toEqual(expect.arrayContaining(used));
    }
  });

  test('no text of the program recommends a package that is not published', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
    for (const text of sources)
      expect(text).not.toMatch(/npx dacapo|npm (?:install|i|add|link) (?:-\S+ )*dacapo\b/);
  });

  test("has every field of the user's config, and a config that reads", () => {
    const own = section(/^## The user's config/);
    const named = [...own.matchAll(/^\| `(\w+)/gm)].map(([, field]) => field ?? '');
    expect([...new Set(named)]).toEqual([...USER_FIELDS]);
    const shown = /^```json\n([^]*?)^```/m.exec(own)?.[1] ?? '';
    expect(readUserConfig(() => shown)).toMatchObject({
      ok: true,
      value: { rules: { commands: ['npm test', 'npm run lint'] } },
    });
  });

  test('has every exit code', () => {
    const listed = [...REFERENCE.matchAll(/^\| (\d) \|/gm)].map(([, code]) => code);
    expect(listed).toEqual(EXIT_CODES.map((_, code) => String(code)));
  });

  test('has the flags of /ralph, and its hint no other', () => {
    const known = flagsOfTable(LOOP_FLAGS).map(({ flag }) => flag);
    expect(flagsIn(section(/^## Flags of a loop/)).toSorted()).toEqual(known.toSorted());
    const hint = readFileSync(join(ROOT, 'plugin/commands/ralph.md'), 'utf8').split('\n')[2] ?? '';
    const hinted = [...hint.matchAll(/\[(--[a-z-]+)/g)].map(([, flag]) => flag ?? '');
    expect(hinted.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(hinted));
  });
});

/** Pages for developers name files of the repository, or below `src/`. */
const FOLDERS = ['src', 'test', 'scripts', 'bench', 'docs', 'plugin', 'schema', 'examples'];
const FLOORS = readdirSync(join(ROOT, 'src'));
const INTERNAL = [
  'ARCHITECTURE.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...PAGES.filter((page) => page.startsWith('docs/internals/')),
];

describe.each(INTERNAL)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('names files that exist', () => {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, '');
    const named = [...prose.matchAll(/`([a-z][\w-]*)\/([\w./-]*)`/g)];
    const missing = named
      .map(([, first = '', rest = '']) => ({ first, path: `${first}/${rest}` }))
      .filter(({ first }) => FOLDERS.includes(first) || FLOORS.includes(first))
      .map(({ first, path }) => (FOLDERS.includes(first) ? path : `src/${path}`))
      .filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });
});

test('ARCHITECTURE.md names every floor, and rooms that are there', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)\/` \| [^|]* \| (.*) \|$/gm)];
  expect(new Set(rows.map(([, floor]) => floor))).toEqual(new Set(FLOORS));
  for (const [, floor = '', rooms = ''] of rows) {
    const named = [...rooms.matchAll(/`([\w-]+)\/`/g)].map(([, room]) => room ?? '');
    expect([floor, named.filter((room) => !existsSync(join(ROOT, 'src', floor, room)))]).toEqual([floor, []]);
  }
});

test('how-to-add.md calls functions and tables as the code does', () => {
  const text = readFileSync(join(ROOT, 'docs/internals/how-to-add.md'), 'utf8');
  const names = [...text.matchAll(/`([A-Za-z_]\w*)`/g)].map(([, name]) => name ?? '');
  const code = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  expect(names.filter((name) => !code.some((file) => new RegExp(`\\b${name}\\b`).test(file)))).toEqual([]);
});

test('ARCHITECTURE.md stays below 250 lines of 110 columns, tables aside', () => {
  const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n');
  expect(lines.length).toBeLessThan(250);
  expect(lines.filter((line) => line.length > 110 && !line.startsWith('|'))).toEqual([]);
});

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)];
    for (const [link, path = '', anchor] of links) {
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, page, '..', path);
      expect([link, existsSync(file)]).toEqual([link, true]);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, title]) => title ?? '',
      );
      expect(headings.map(anchorOf)).toContain(anchor);
    }
  });

  test('installs nothing from npm, where the package is not', () => {
    expect(text).not.toMatch(/npx dacapo|npm (?:install|i|add) (?:-\S+ )*dacapo\b/);
  });
});

/** As GitHub makes it: small letters, punctuation dropped, spaces turned into dashes. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
