import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNotHome, findHome, makePrivateFolder } from '#store/file/home.ts';
import { isId } from '#base/shape.ts';
import { temporaryFolder } from '../folder.ts';

describe('where the truth lives', () => {
  const HOME = '/home/ada';
  it.each([
    ['linux', { HOME }, '/home/ada/.local/state/dacapo'],
    ['linux', { HOME, XDG_STATE_HOME: '/state' }, '/state/dacapo'],
    ['linux', { HOME, XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/dacapo'],
    ['linux', { HOME, XDG_STATE_HOME: '' }, '/home/ada/.local/state/dacapo'],
    ['darwin', { HOME, XDG_STATE_HOME: '/state' }, '/home/ada/Library/Application Support/dacapo'],
    ['win32', { USERPROFILE: '/u/ada', LOCALAPPDATA: '/u/ada/Local' }, '/u/ada/Local/dacapo'],
    ['win32', { USERPROFILE: '/u/ada' }, '/u/ada/AppData/Local/dacapo'],
    ['linux', { HOME, DACAPO_HOME: '/elsewhere' }, '/elsewhere'],
    ['linux', { HOME, DACAPO_HOME: '' }, '/home/ada/.local/state/dacapo'],
    ['linux', { HOME, DACAPO_HOME: 'state' }, '/home/ada/.local/state/dacapo'],
  ])('%s %j', (platform, env, dir) => {
    expect(normalize(findHome(env, platform).dir)).toBe(join(dir));
  });

  it('is never the current directory, whatever is missing', () => {
    for (const env of [{}, { HOME: '' }, { HOME: '', USERPROFILE: '' }])
      for (const platform of ['linux', 'darwin', 'win32'])
        expect(isAbsolute(findHome(env, platform).dir), `${platform} ${JSON.stringify(env)}`).toBe(true);
  });

  it('is closed to others, all the way down', () => {
    if (process.platform === 'win32') return;
    const dir = temporaryFolder();
    makePrivateFolder(join(dir, 'a', 'b'));
    for (const folder of [join(dir, 'a'), join(dir, 'a', 'b')])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    makePrivateFolder(join(dir, 'a', 'b'));
    writeFileSync(join(dir, 'file'), '');
    for (const name of ['file', join('file', 'x')])
      expect(() => makePrivateFolder(join(dir, name))).toThrow(/EEXIST|ENOTDIR/);
  });

  it.runIf(process.platform === 'linux')('gives up where nothing can be made', () => {
    expect(() => makePrivateFolder('/proc/dacapo/loops')).toThrow('ENOENT');
  });
});

describe.runIf(process.platform === 'linux')('a DACAPO_HOME', () => {
  it('is not used if it is relative, in /proc or in the project, whatever links lead there', () => {
    const root = temporaryFolder();
    const [project, link] = [join(root, 'project'), join(root, 'link')];
    mkdirSync(project);
    symlinkSync(project, link);
    const inProject = `is in the project ${project}`;
    for (const [home, why] of [
      ['state', 'is a relative path'],
      ['/proc/dacapo', 'leads into /proc'],
      ['/proc/self/cwd/state', 'leads into /proc'],
      ['/tmp/../proc/self/cwd', 'leads into /proc'],
      [project, inProject],
      [join(project, 'not', 'yet'), inProject],
      [join(link, 'state'), inProject],
      [`${root}/other/../project/state`, inProject],
      [`${project}-other`, null],
      ['', null],
    ] as const)
      for (const named of [project, link])
        expect([home, whyNotHome({ DACAPO_HOME: home }, named)]).toEqual([home, why]);
  });

  it('is used outside any project, and where the project is all of a home', () => {
    expect(whyNotHome({ DACAPO_HOME: '/somewhere' }, null)).toBeNull();
    const home = temporaryFolder();
    expect(whyNotHome({ HOME: home, DACAPO_HOME: join(home, 'state') }, home)).toBeNull();
  });
});

describe('an id', () => {
  it.each(['RALPH_20260105_abc123', 'a', '0b9ab4c1-1111-4222-8333-944455566677', 'x'.repeat(128)])(
    '%s',
    (id) => {
      expect(isId(id)).toBe(true);
    },
  );
  it.each(['', '.', '..', 'a/b', 'a\\b', '../x', 'a b', 'a\n', 'é', 'x'.repeat(129), 'a.tmp'])(
    '%j never becomes a path',
    (id) => {
      expect(isId(id)).toBe(false);
    },
  );
});
