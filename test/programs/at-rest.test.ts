/**
 * `hook.sh`, which `dacapo init` registers: at rest it ends without Node, and wherever the program might have
 * something to do it starts the program. That their answers are the same, all tests of this folder show: they
 * call the program through the script.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { registrationFrom } from '#hosts/claude-code/setup/hooks-file.ts';
import { groupsOf, guardArgs } from '#hosts/setup/registration.ts';
import { PLUGIN } from '#base/process/package.ts';
import { SESSION, VIEW, beginHook, makeProgram, type Environment, type Program } from './program.ts';

const SCRIPT = join(PLUGIN, 'hook.sh');
const KINDS = ['stop', 'wake', 'prompt', 'session'] as const;
type Kind = (typeof KINDS)[number];

let program: Program | null = null;
afterEach(() => program?.close());

/** A machine with another session's loop, and a `node` that only notes with what it was started. */
function makeMachine() {
  program = makeProgram();
  const { root, home, project, env } = program;
  const bin = join(root, 'bin');
  const started = join(root, 'started');
  mkdirSync(bin);
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho "\${1##*/} $(wc -c)" >> '${started}'\n`);
  chmodSync(join(bin, 'node'), 0o755);
  mkdirSync(join(home, 'sessions'), { recursive: true });
  writeFileSync(join(home, 'sessions', 'another-session'), '{}');
  mkdirSync(join(home, 'ready'), { recursive: true });
  const ask = async (
    kind: Kind,
    changes: Partial<Environment> = {},
    payload = '{}',
    [shell, ...flags]: readonly [string, ...string[]] = ['/bin/sh'],
  ) => {
    rmSync(started, { force: true });
    const sandbox = { cwd: project, env: { ...env, PATH: `${bin}:/usr/bin:/bin`, ...changes } };
    const run = await beginHook(shell, [...flags, ...guardArgs(SCRIPT, kind)], payload, sandbox).ended;
    expect(run).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    try {
      return readFileSync(started, 'utf8').trim();
    } catch {
      return null;
    }
  };
  return { ...program, ask };
}

describe('at rest no Node is started', () => {
  test('for any event, beside the loop of another session', async () => {
    const { ask } = makeMachine();
    for (const kind of KINDS) expect([kind, await ask(kind)]).toEqual([kind, null]);
  });

  test('on a machine without any loop', async () => {
    const { ask, home } = makeMachine();
    rmSync(home, { recursive: true });
    for (const kind of KINDS) expect([kind, await ask(kind)]).toEqual([kind, null]);
  });

  test('and the payload is read, however long it is', async () => {
    const { ask } = makeMachine();
    expect(await ask('stop', {}, 'x'.repeat(1_000_000))).toBe(null);
  });
});

describe('Node is started, with the whole payload,', () => {
  test('if the session has an entry', async () => {
    const { ask, home } = makeMachine();
    writeFileSync(join(home, 'sessions', SESSION), '{}');
    const started = [];
    for (const kind of KINDS) started.push(await ask(kind));
    expect(started).toEqual(['hook.cjs 2', 'wake.cjs 2', 'hook.cjs 2', 'hook.cjs 2']);
    expect(await ask('stop', {}, 'x'.repeat(1_000_000))).toBe('hook.cjs 1000000');
  });

  test('if the entry is a link that leads nowhere', async () => {
    const { ask, home } = makeMachine();
    symlinkSync('nowhere', join(home, 'sessions', SESSION));
    expect(await ask('session')).toBe('hook.cjs 2');
  });

  test('if the project has a state file, at a stop', async () => {
    const { ask, project } = makeMachine();
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, VIEW), 'anything');
    expect(await ask('stop')).toBe('hook.cjs 2');
    expect(await ask('wake')).toBe('wake.cjs 2');
    expect(await ask('session')).toBe(null);
  });

  test('if a loop waits for its first prompt, at a prompt', async () => {
    const { ask, home } = makeMachine();
    writeFileSync(join(home, 'ready', 'RALPH_1'), '{}');
    expect(await ask('prompt')).toBe('hook.cjs 2');
    expect(await ask('stop')).toBe(null);
  });

  test('if the entry is in the folder of another platform', async () => {
    const { ask, root } = makeMachine();
    for (const folder of ['.local/state/dacapo', 'Library/Application Support/dacapo']) {
      const sessions = join(root, folder, 'sessions');
      mkdirSync(sessions, { recursive: true });
      writeFileSync(join(sessions, SESSION), '{}');
      expect([folder, await ask('session')]).toEqual([folder, 'hook.cjs 2']);
      rmSync(sessions, { recursive: true });
    }
  });

  test.each<[string, Partial<Environment>]>([
    ['an own home', { DACAPO_HOME: '/nowhere' }],
    ['no session', { CLAUDE_CODE_SESSION_ID: '' }],
    ['a session that is no id', { CLAUDE_CODE_SESSION_ID: '../x' }],
    ['no project', { CLAUDE_PROJECT_DIR: '' }],
    ['no home', { HOME: '' }],
    ['a relative home', { HOME: 'here' }],
  ])('if it can not tell: %s', async (_, changes) => {
    const { ask } = makeMachine();
    expect(await ask('session', changes)).toBe('hook.cjs 2');
  });

  test('if the state folder is a file', async () => {
    const { ask, home } = makeMachine();
    rmSync(home, { recursive: true });
    writeFileSync(home, '');
    expect(await ask('session')).toBe('hook.cjs 2');
  });
});

/** `/bin/sh` is dash on Debian, busybox on Alpine, bash or zsh by another name on macOS, mksh on Android. */
describe.each<[string, ...string[]]>([
  ['dash'],
  ['bash', '--posix'],
  ['busybox', 'sh'],
  ['zsh', '--emulate', 'sh'],
  ['mksh'],
])('as %s it', { tags: ['shells'] }, (...shell) => {
  test('ends at rest, and starts Node where there is something to do', async () => {
    const { ask, home } = makeMachine();
    const asked = async () => {
      const told = [];
      for (const kind of KINDS) told.push(await ask(kind, {}, '{}', shell));
      return told;
    };
    expect(await asked()).toEqual([null, null, null, null]);
    writeFileSync(join(home, 'ready', 'RALPH_1'), '{}');
    expect(await asked()).toEqual([null, null, 'hook.cjs 2', null]);
    writeFileSync(join(home, 'sessions', SESSION), '{}');
    expect(await asked()).toEqual(['hook.cjs 2', 'wake.cjs 2', 'hook.cjs 2', 'hook.cjs 2']);
    expect(await ask('stop', {}, 'x'.repeat(200_000), shell)).toBe('hook.cjs 200000');
  });
});

test('where the clone has moved, what init registered reads its payload and lets everything pass', async () => {
  const { project, env } = makeMachine();
  for (const kind of KINDS) {
    const args = guardArgs('/nowhere/plugin/hook.sh', kind);
    const run = await beginHook('/bin/sh', args, 'x'.repeat(1_000_000), { cwd: project, env }).ended;
    expect(run).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  }
});

test('a POSIX machine registers the script, Windows the program; what starts a loop is never kept from it', () => {
  const linesOn = (platform: string) =>
    [...registrationFrom(PLUGIN, platform)].flatMap(([event, groups]) =>
      groupsOf(groups).flatMap(({ hooks }) =>
        hooks.map(({ command, args }) => {
          const words = (args as string[]).filter((arg) => arg !== '-c' && !arg.includes('$0'));
          const [file, ...rest] = words.map((arg) => arg.replace(`${PLUGIN}/`, ''));
          return [event, command, file, ...rest].join(' ');
        }),
      ),
    );
  expect(linesOn('win32').every((line) => / node dist.(?:hook|wake)\.cjs$/.test(line))).toBe(true);
  expect(linesOn('linux')).toEqual([
    'UserPromptExpansion node dist/hook.cjs',
    'UserPromptSubmit /bin/sh hook.sh prompt',
    'PreToolUse /bin/sh hook.sh session',
    'PreToolUse node dist/hook.cjs',
    'Stop /bin/sh hook.sh stop',
    'Stop /bin/sh hook.sh wake',
    'StopFailure /bin/sh hook.sh session',
    'SessionStart node dist/hook.cjs',
    'SessionEnd /bin/sh hook.sh session',
  ]);
});
