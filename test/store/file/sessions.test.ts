import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeAt } from '../../../src/store/file/home.ts';
import { allSessions, dropSession, keepSession, sessionEntry } from '../../../src/store/file/sessions.ts';
import { temporaryFolder } from '../folder.ts';

const ENTRY = { loop: 'RALPH_20260105_abc123', process: 7, project: '/project' };

describe('sessions', () => {
  it('are kept, replaced and dropped', () => {
    const home = homeAt(temporaryFolder());
    expect(sessionEntry(home, 's1')).toBeNull();
    keepSession(home, 's1', ENTRY);
    keepSession(home, 's2', { ...ENTRY, process: null });
    keepSession(home, 's1', { ...ENTRY, process: 8 });
    expect(sessionEntry(home, 's1')).toEqual({ ...ENTRY, process: 8 });
    expect(allSessions(home).map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(readdirSync(home.sessions)).toEqual(['s1', 's2']);
    dropSession(home, 's1');
    dropSession(home, 's1');
    expect(sessionEntry(home, 's1')).toBeNull();
  });

  it('are closed to others', () => {
    if (process.platform === 'win32') return;
    const home = homeAt(temporaryFolder());
    keepSession(home, 's1', ENTRY);
    expect(statSync(home.sessions).mode & 0o777).toBe(0o700);
    expect(statSync(join(home.sessions, 's1')).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'not json', '{}', '{"loop":"../../etc","process":1,"project":"/p"}', '{"loop":7}', '[]'])(
    'an entry that says %j is none',
    (content) => {
      const home = homeAt(temporaryFolder());
      mkdirSync(home.sessions);
      writeFileSync(join(home.sessions, 's1'), content);
      expect(sessionEntry(home, 's1')).toBeNull();
      expect(allSessions(home)).toEqual([]);
    },
  );

  it('an id that can be no file name is refused, and found nowhere', () => {
    const home = homeAt(temporaryFolder());
    expect(() => keepSession(home, '../loops', ENTRY)).toThrow(/can't be a file name/);
    expect(sessionEntry(home, '../loops')).toBeNull();
  });
});
