/**
 * Machines that are not like those of developers: any character in every path, no root, no git, no folder for
 * temporary files, a home that can't be written. A full disk: test/attacks/fs-errors.test.ts.
 */
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  CHECK,
  HELD,
  PROVEN,
  canBeNobody,
  makePlace,
  ralph,
  session,
  stopped,
  writing,
  type Place,
} from './place.ts';

const ODD = `ä ö 日本 '"$x;&`;

function expectWhole(place: Place, how: Parameters<typeof session>[1] = {}) {
  const { init, began, held, ended } = session(place, how);
  expect(init).toMatchObject({ code: 0, stderr: '' });
  expect(began.stdout).toContain('started. Done when: `node check.mjs` passes');
  expect(held.stdout).toContain(HELD);
  expect(ended.stdout).toContain(PROVEN);
  for (const one of [began, held, ended]) expect(one).toMatchObject({ code: 0, stderr: '' });
}

const RUN = ['run', '--host', 'acp:stand-in', 'Make done.txt', '--check', 'node check.mjs'];
const FLAGS = ['--pause', '0', '--permission-mode', 'all'];

function expectRun(place: Place, more: Readonly<Record<string, string>> = {}) {
  place.write('check.mjs', CHECK);
  const ran = place.dacapo([...RUN, ...FLAGS], more);
  expect(ran.stdout).toContain('completed after 2 iterations');
  expect(ran.code).toBe(0);
}

test('any character in the path of the clone, the home and the project: a session', () => {
  const place = makePlace({ name: ODD });
  place.start('git', ['init', '-q']);
  expectWhole(place);
  expect(place.dacapo(['list', '--all']).stdout).toContain('completed');
  expect(place.dacapo(['uninstall'])).toMatchObject({ code: 0, stderr: '' });
});

test('any character in every path: a run, its state folder and a host with lines for a shell', () => {
  const place = makePlace({ name: ODD });
  place.start('git', ['init', '-q']);
  expectRun(place, { DACAPO_HOME: join(place.root, 'state'), TMPDIR: place.root });
  expect(place.dacapo(['init', '--host', 'codex'])).toMatchObject({ code: 0, stderr: '' });
  const { hooks } = JSON.parse(readFileSync(join(place.project, '.codex/hooks.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const line = hooks['Stop']?.[0]?.hooks[0]?.command ?? '';
  const payload = { hook_event_name: 'Stop', session_id: 's1', cwd: place.project, turn_id: 't1' };
  const heard = place.start('/bin/sh', ['-c', line], {}, JSON.stringify(payload));
  expect(heard).toMatchObject({ code: 0, stderr: '' });
});

test('a project and a home behind links, as the folder for temporary files is on macOS', () => {
  const place = makePlace();
  const [folder, home] = [join(place.root, 'linked'), join(place.root, 'linked-home')];
  symlinkSync(place.project, folder);
  symlinkSync(place.home, home);
  place.write('tests/a.mjs', '');
  const env = { HOME: home, PWD: folder };
  const during = () => {
    // The host names the link, and the agent one or the other.
    for (const one of [folder, place.project]) {
      const asked = place.hook('PreToolUse', writing(join(one, 'tests/a.mjs')), env, folder);
      expect(asked.stdout).toContain('tests/a.mjs is protected');
    }
    expect(place.dacapo(['list'], env).stdout).toContain('running');
  };
  expectWhole(place, { env, folder, flags: '--protect "tests/**"', during });
});

test('without git: a session, and a run', () => {
  const place = makePlace();
  symlinkSync('/bin/sh', join(place.bin, 'sh'));
  const env = { PATH: place.bin };
  expect(place.dacapo(['doctor'], env).stdout).toContain('git is not on the PATH');
  expectWhole(place, { env });
  const other = makePlace();
  symlinkSync('/bin/sh', join(other.bin, 'sh'));
  expectRun(other, { PATH: other.bin });
});

test.runIf(canBeNobody())('without root, and without a folder for temporary files', () => {
  const place = makePlace({ nobody: true });
  const env = { TMPDIR: '/no-such-folder', TMP: '/no-such-folder', TEMP: '/no-such-folder' };
  place.start('git', ['init', '-q']);
  expectWhole(place, { env });
  expect(place.start(process.execPath, ['-p', 'process.getuid()']).stdout).not.toBe('0\n');
});

test.runIf(canBeNobody())('a home that can only be read: the person is told, and sessions may stop', () => {
  const place = makePlace({ nobody: true });
  place.write('check.mjs', CHECK);
  chmodSync(place.home, 0o555);
  const ran = place.dacapo([...RUN, ...FLAGS]);
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toMatch(/EACCES|permission denied/);
  expect(place.dacapo(['list'])).toMatchObject({ code: 0, stderr: '' });
  expect(place.dacapo(['init'], { DACAPO_HOME: join(place.project, '../state') })).toMatchObject({ code: 0 });
  const began = place.hook('UserPromptExpansion', ralph('Make done.txt --check "node check.mjs"'));
  expect(began.code).toBe(0);
  expect(began.stdout).toMatch(/EACCES|permission denied/);
  expect(place.hook('Stop', stopped('I am done.'))).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a protected file stays under any case of its name, where two cases are one file', () => {
  const place = makePlace();
  place.write('tests/a.mjs', '');
  const cases = ['tests/a.mjs', 'Tests/A.mjs', '.Claude/RALPH-loop.local.md'];
  const isDenied = (path: string) =>
    place.hook('PreToolUse', writing(join(place.project, path))).stdout.includes('"deny"');
  const during = () => {
    expect(cases.map(isDenied)).toEqual([true, false, false]);
    // As a file system that does not tell them apart would answer for the folder of the project.
    symlinkSync(place.project, join(place.root, 'PROJECT'));
    expect(cases.map(isDenied)).toEqual([true, true, true]);
  };
  session(place, { flags: '--protect "tests/**"', during });
});
