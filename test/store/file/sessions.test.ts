import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { temporaryFolder } from '../folder.ts';

const ENTRY = { loop: 'RALPH_20260105_abc123', process: 7, project: '/project' };

describe('sessions', () => {
  it('are closed to others', () => {
    if (process.platform === 'win32') return;
    const home = homeAt(temporaryFolder());
    const { sessions } = fileStore(home);
    sessions.keep('s1', ENTRY);
    expect(statSync(home.sessions).mode & 0o777).toBe(0o700);
    expect(statSync(join(home.sessions, 's1')).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'not json', '{}', '{"loop":"../../etc","process":1,"project":"/p"}', '{"loop":7}', '[]'])(
    'an entry that says %j is none',
    (content) => {
      const home = homeAt(temporaryFolder());
      const { sessions } = fileStore(home);
      mkdirSync(home.sessions);
      writeFileSync(join(home.sessions, 's1'), content);
      expect(sessions.find('s1')).toBeNull();
      expect(sessions.all()).toEqual([]);
    },
  );
});
