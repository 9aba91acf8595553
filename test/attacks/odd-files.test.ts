// @module-tag slow
// What a project ships under the names that Da Capo opens: pipes, devices, folders, links. Nothing hangs, nothing is written outside.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from '../surfaces/cli/box.ts';
import { attackWorld, type AttackWorld } from './world.ts';

/** Far above what any of these takes on a busy machine, far below a hang. */
const MOST_MS = 30_000;

const MAKE_PIPE = 'mkfifo';

const ODD: readonly [string, (path: string, world: AttackWorld) => void][] = [
  ['a pipe', (path) => execFileSync(MAKE_PIPE, [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to /dev/zero', (path) => symlinkSync('/dev/zero', path)],
  ['a link to nothing', (path) => symlinkSync('/nowhere/at/all', path)],
  ['a link that leads out', (path, world) => symlinkSync(victim(world), path)],
];

/**
 * Each group at once, in a project of its own. DACAPO_ATTACKS=all: each path alone, which takes five minutes.
 */
const GROUPS = [
  [
    '.claude/settings.json',
    '.claude/ralph-loop.local.md',
    '.claude/commands/ralph.md',
    '.mcp.json',
    '.git/info/exclude',
    'dacapo.config.json',
    'feature_list.json',
    'package.json',
    'ralph.yml',
    'progress.txt',
  ],
  ['.claude/settings.local.json', '.git/info', 'dacapo.config.mjs', 'AI_Employee_Vault'],
  ['.claude', '.git'],
];
const PLACES = process.env['DACAPO_ATTACKS'] === 'all' ? GROUPS.flat().map((place) => [place]) : GROUPS;

const COMMANDS = [
  ['doctor'],
  ['init', '--dry-run'],
  ['init'],
  ['uninstall'],
  ['ready', 'Do it'],
  ['adopt'],
  ['trust'],
  ['status'],
  ['run', 'Do it', '--max-iterations', '1'],
];

const VICTIM = 'mine\n';

function victim({ program }: AttackWorld): string {
  const path = join(program.root, 'victim');
  if (!existsSync(path)) writeFileSync(path, VICTIM);
  return path;
}

function run(world: AttackWorld, args: readonly string[]): { words: string; hung: boolean } {
  const { HOME, PATH } = world.program.env;
  const ran = spawnSync(process.execPath, ['--max-old-space-size=400', CLI, ...args], {
    cwd: world.project,
    env: { HOME, PATH, DACAPO_HOME: world.program.home, DACAPO_CLAUDE: '/bin/true' },
    encoding: 'utf8',
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
  });
  return { words: args.join(' '), hung: ran.signal !== null };
}

describe.each(ODD)('%s', (_what, put) => {
  it.each(PLACES.map((places) => ({ places })))('under $places', { timeout: 120_000 }, async ({ places }) => {
    const world = attackWorld({ git: true });
    victim(world);
    for (const place of places) {
      const path = join(world.project, place);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(dirname(path), { recursive: true });
      put(path, world);
    }
    for (const args of COMMANDS) expect(run(world, args)).toEqual({ words: args.join(' '), hung: false });
    await world.ralph('Fix it --check false --view markdown,progress,vault');
    await world.stop('one');
    expect(readFileSync(victim(world), 'utf8')).toBe(VICTIM);
  });
});

const DESK = '.dacapo';
const FOLDERS = ['Pending_Approval', 'Approved', 'Rejected'].map((name) => `${DESK}/${name}`);

describe.each(ODD)('%s where requests to a person lie', (_what, put) => {
  it.each([{ places: [DESK] }, { places: FOLDERS }])(
    'under $places: the call is refused, nothing hangs, and a person answers by command',
    { timeout: 120_000 },
    async ({ places }) => {
      const world = attackWorld({ git: true });
      victim(world);
      for (const place of places) {
        mkdirSync(dirname(join(world.project, place)), { recursive: true });
        put(join(world.project, place), world);
      }
      await world.ralph('Ship it --approve "Bash(git push *)"');
      expect(await world.bash('git push')).toContain('needs the approval');
      expect(await world.bash('git push')).toContain('needs the approval');
      const { requests } = world.program.loop().people;
      const approved = run(world, ['approve', requests[0]?.id ?? '']);
      expect(approved.hung).toBe(false);
      expect(await world.bash('git push')).toBeNull();
      expect(readFileSync(victim(world), 'utf8')).toBe(VICTIM);
    },
  );
});

describe('an answer to a request', () => {
  it.each<[string, (path: string, world: AttackWorld) => void]>([
    ...ODD,
    ['a link to the request itself', (path) => symlinkSync(`../Pending_Approval/${basename(path)}`, path)],
  ])('%s is none', async (_what, put) => {
    const world = attackWorld();
    await world.ralph('Ship it --approve "Bash(git push *)"');
    await world.bash('git push');
    const { requests } = world.program.loop().people;
    put(join(world.project, DESK, 'Approved', `${requests[0]?.id}.md`), world);
    expect(await world.bash('git push')).toContain('needs the approval');
  });
});

describe('a folder of the project that is a link to elsewhere', () => {
  it.each(['.claude', 'AI_Employee_Vault', 'Ralph_History', '.claude/commands', '.claude/data', '.git/info'])(
    '%s: nothing is written there',
    { timeout: 60_000 },
    async (place) => {
      const world = attackWorld({ git: true });
      const elsewhere = join(world.program.root, 'elsewhere');
      mkdirSync(elsewhere);
      const path = join(world.project, place);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(elsewhere, path);
      for (const args of [['init'], ['init', '--scope', 'project'], ['ready', 'Do it']]) run(world, args);
      await world.ralph('Fix it --check true --view markdown,progress,vault');
      await world.stop('All done.\n\n<promise>COMPLETE</promise>');
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  it('a .git file that points into the home folder makes nothing there', async () => {
    const world = attackWorld();
    const elsewhere = join(world.program.root, 'elsewhere');
    mkdirSync(elsewhere);
    world.write('.git', `gitdir: ${elsewhere}\n`);
    await world.ralph('Fix it --check true');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('init does not create or change what a link names', () => {
    const world = attackWorld();
    const settings = join(world.program.root, '.claude/settings.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{"env": {"KEY": "secret"}}');
    mkdirSync(join(world.project, '.claude'), { recursive: true });
    symlinkSync(settings, join(world.project, '.claude/settings.local.json'));
    const ran = world.dacapo(['init']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('leads out of the project');
    expect(readFileSync(settings, 'utf8')).toBe('{"env": {"KEY": "secret"}}');
    expect(readdirSync(join(world.project, '.claude'))).toEqual(['settings.local.json']);
  });
});

it('/ralph names a state folder that can’t be made', async () => {
  const world = attackWorld();
  const elsewhere = join(world.home, '..', 'a-file', 'state');
  writeFileSync(dirname(elsewhere), '');
  const payload = world.program.command('dacapo:ralph', 'Do it');
  const said = await world.hook(payload, { DACAPO_HOME: elsewhere });
  expect(said?.systemMessage).toContain(`the state folder ${elsewhere} can't be made (ENOTDIR)`);
});
