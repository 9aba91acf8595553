// The agent wants other programs in the judge's hands: the `env` of a settings file is in the environment of
// every hook.
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { continues, type Environment } from '../programs/program.ts';
import { attackWorld, type AttackWorld } from './world.ts';

const DONE = 'All done.\n\n<promise>COMPLETE</promise>';

async function failingTest(flags = ''): Promise<AttackWorld> {
  const world = attackWorld({ git: true });
  world.write('tests/t.sh', 'exit 1\n');
  await world.ralph(`Fix it --check "sh tests/t.sh" --protect "tests/**" ${flags}`);
  return world;
}

function program(world: AttackWorld, path: string, content: string): string {
  const file = world.write(path, content);
  chmodSync(file, 0o755);
  return file;
}

/** What the agent puts into `env`; each leaves the canary or lets the check pass where it works. */
const VARIABLES: readonly [string, (world: AttackWorld) => Partial<Environment>][] = [
  [
    'PATH with a sh of its own',
    (world) => {
      program(world, 'bin/sh', '#!/bin/sh\nexit 0\n');
      return { PATH: `${join(world.project, 'bin')}:${world.program.env['PATH']}` };
    },
  ],
  [
    'ENV and BASH_ENV',
    (world) => {
      const rc = world.write('rc', 'exit 0\n');
      return { ENV: rc, BASH_ENV: rc };
    },
  ],
];

describe('a check runs with the environment of the start', () => {
  it.each(VARIABLES)('%s', async (_what, evil) => {
    const world = await failingTest();
    expect(continues(await world.stop(DONE, evil(world)))).toBe(true);
    expect(world.status()).toBe('running');
  });

  describe('all of these at once', () => {
    const NAMES = [
      'NODE_OPTIONS',
      'NODE_PATH',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'GIT_EXEC_PATH',
      'GIT_CONFIG_COUNT',
      'PYTHONPATH',
      'PYTHONSTARTUP',
      'PYTEST_ADDOPTS',
      'npm_config_script_shell',
      'RUBYOPT',
      'PERL5OPT',
      'JAVA_TOOL_OPTIONS',
      'GOFLAGS',
      'RUSTC_WRAPPER',
      'MAKEFLAGS',
      'HOME',
      'A_NAME_THAT_NOBODY_KNOWS',
    ];
    let world: AttackWorld;
    let seen: readonly string[];
    const valueOf = (name: string) => (name === 'NODE_OPTIONS' ? '--no-warnings' : world.project);
    beforeAll(async () => {
      let close = () => {};
      world = attackWorld({ closeLater: (later) => (close = later) });
      await world.ralph('Fix it --check "env > seen.txt; false"');
      rmSync(join(world.project, 'seen.txt'));
      await world.stop(DONE, Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])));
      seen = world.read('seen.txt').split('\n');
      return close;
    });

    it.each(NAMES)('%s does not reach it, nor the process around it', (name) => {
      expect(seen).not.toContain(`${name}=${valueOf(name)}`);
      expect(seen).toContain(`PATH=${world.program.env['PATH']}`);
      expect(seen).toContain(`HOME=${world.program.root}`);
    });
  });

  it('what was set at the start stays set, changed or not; a secret that was changed is not used', async () => {
    const world = attackWorld();
    Object.assign(world.program.env, { GOFLAGS: '-mod=mod', MY_TOKEN: 'one', OTHER_TOKEN: 'same' });
    await world.ralph('Fix it --check "env > seen.txt; false"');
    await world.stop(DONE, { GOFLAGS: '-toolexec=evil', MY_TOKEN: 'two' });
    const seen = world.read('seen.txt').split('\n');
    expect(seen).toContain('GOFLAGS=-mod=mod');
    expect(seen).toContain('OTHER_TOKEN=same');
    expect(seen.filter((line) => line.startsWith('MY_TOKEN'))).toEqual([]);
  });

  it('no secret is kept on disk', async () => {
    const world = attackWorld();
    Object.assign(world.program.env, {
      MY_API_KEY: 'sesame-1',
      DATABASE_URL: 'sesame-2',
      NPM_TOKEN: 'sesame-3',
    });
    await world.ralph('Fix it --check false');
    await world.stop(DONE);
    const kept = world.program.loopDir();
    expect(readFileSync(join(kept, 'environment.json'), 'utf8')).not.toContain('sesame');
  });

  it('so does the command that lists the items', async () => {
    const world = attackWorld();
    const list = `env > items.txt; echo '{"title":"a"}'; echo '{"title":"b"}'`;
    world.write('list.sh', list);
    await world.ralph('Fix it --items-from "sh list.sh"');
    rmSync(join(world.project, 'items.txt'));
    await world.stop('<issue-complete>DONE</issue-complete>', { PYTEST_ADDOPTS: '--co' });
    expect(world.read('items.txt')).toContain('PATH=');
    expect(world.read('items.txt')).not.toContain('PYTEST_ADDOPTS');
  });

  it('so do stop hooks', async () => {
    const world = attackWorld();
    const hook = `module.exports = { hooks: [{ name: 'h', hook: () => {
      require('node:fs').writeFileSync('hooks.txt', Object.keys(process.env).join(' '));
      return { action: 'continue', reason: 'no' };
    } }] };`;
    world.write('dacapo.config.js', hook);
    expect(world.dacapo(['trust']).code).toBe(0);
    await world.ralph('Fix it');
    await world.stop(DONE, { PYTEST_ADDOPTS: '--co', NODE_PATH: '/tmp' });
    expect(world.read('hooks.txt')).toContain('PATH');
    expect(world.read('hooks.txt')).not.toMatch(/PYTEST_ADDOPTS|NODE_PATH/);
  });
});

describe('what is different is said', () => {
  it('in dacapo status and in the log, and a person may accept it', async () => {
    const world = await failingTest('--max-iterations 9');
    mkdirSync(join(world.project, 'bin'));
    const changed = { PATH: `${join(world.project, 'bin')}:${world.program.env['PATH']}`, GOFLAGS: '-x' };
    await world.stop(DONE, changed);
    expect(world.dacapo(['status']).stdout).toMatch(
      // In the order of the process, which a shell in between changes.
      /warning\s+the environment has changed since the start; (?=.*PATH \(changed\)).*GOFLAGS \(new\)/,
    );
    expect(world.program.log()).toContain('PATH changed');
    await world.stop(DONE);
    expect(world.dacapo(['status']).stdout).not.toContain('environment has changed');
  });

  it.each([
    ['{"disableAllHooks": true}', 'hooks are switched off (disableAllHooks) in'],
    ['{"env": {"DACAPO_DISABLE": "1"}}', 'Da Capo is switched off (DACAPO_DISABLE) in'],
    ['{"env": {"DACAPO_HOME": "/tmp/x"}}', 'looks for its loops elsewhere (DACAPO_HOME)'],
    ['{"env": {"NODE_OPTIONS": "--require ./evil.cjs"}}', 'the hook may run other code (NODE_OPTIONS)'],
    ['{"env": {"PATH": "/tmp/bin"}}', 'the hook may run other code (PATH)'],
  ])('status names the file: %s', async (settings, words) => {
    const world = await failingTest();
    world.write('.claude/settings.local.json', settings);
    const { stdout } = world.dacapo(['status']);
    expect(stdout).toContain(words);
    expect(stdout).toContain(join(world.project, '.claude/settings.local.json'));
  });
});
