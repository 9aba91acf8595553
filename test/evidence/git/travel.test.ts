/**
 * A point that is published on one machine and fetched on another. The machines are folders, the network is a
 * bare repository.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPoints, recordPoint, type Recorded } from '#evidence/git/points/points.ts';
import { fetchPoint, publishPoint, type Journey } from '#evidence/git/points/travel.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git, gitIn, put, repository } from './repository.ts';

const REF = 'refs/dacapo/RALPH_20261115_abcdef/1/2';

interface Machine extends Journey {
  readonly record: (name: string) => Promise<Recorded>;
}

/** Two clones of one repository, and the bare one between them. */
function machines(): readonly [Machine, Machine, remote: string] {
  const first = repository();
  const folder = temporaryFolder();
  const remote = join(folder, 'points.git');
  git(first, 'clone', '-q', '--bare', first, remote);
  const second = join(folder, 'second');
  git(first, 'clone', '-q', remote, second);
  const machine = (project: string, n: number): Machine => {
    const store = join(folder, `store-${n}`);
    const record = async (name: string) => {
      const point = await recordPoint({ project, store, name });
      if (!point.ok) throw new Error(point.message);
      return point;
    };
    return { project, store, remote, ref: REF, record };
  };
  return [machine(first, 1), machine(second, 2), remote];
}

async function publish(machine: Machine, name: string): Promise<string> {
  const published = await publishPoint(machine, name);
  if (!published.ok) throw new Error(published.message);
  return published.commit;
}

describe('a published point', () => {
  it('brings the whole work tree to another machine, byte for byte', async () => {
    const [here, there] = machines();
    put(here.project, 'a.txt', 'changed\n');
    put(here.project, 'new/bytes.bin', Buffer.from([0, 255, 10, 13]));
    symlinkSync('a.txt', join(here.project, 'link'));
    rmSync(join(here.project, 'src/b.txt'));
    put(here.project, 'staged.txt', 'staged\n');
    git(here.project, 'add', 'staged.txt');
    const point = await here.record('2');
    const commit = await publish(here, '2');

    await there.record('0');
    const fetched = await fetchPoint(there, commit);
    expect(fetched).toMatchObject({
      ok: true,
      name: '2',
      tree: point.tree,
      staged: point.staged,
      head: point.head,
    });
    const read = (path: string) =>
      gitIn(there.store, there.project, 'cat-file', '-p', `${point.tree}:${path}`);
    expect(read('a.txt')).toBe('changed\n');
    expect(read('link')).toBe('a.txt');
    expect(read('new/bytes.bin')).toBe(Buffer.from([0, 255, 10, 13]).toString('utf8'));
    expect(() => read('src/b.txt')).toThrow('src/b.txt');
    // Every object of it is here.
    expect(gitIn(there.store, there.project, 'rev-list', '--objects', commit)).toContain(point.tree);
  });

  it('needs nothing of the other repository: what HEAD holds comes with it', async () => {
    const [here, there] = machines();
    put(here.project, 'a.txt', 'committed here only\n');
    git(here.project, 'commit', '-qam', 'Second');
    const point = await here.record('2');
    await there.record('0');
    expect(await fetchPoint(there, await publish(here, '2'))).toMatchObject({ ok: true, head: point.head });
    expect(gitIn(there.store, there.project, 'show', `${point.head}:a.txt`)).toBe('committed here only\n');
  });

  it('is the same commit each time, and leaves no trace in either work tree or repository', async () => {
    const [here, there] = machines();
    put(here.project, 'a.txt', 'changed\n');
    await here.record('2');
    const refs = git(here.project, 'for-each-ref');
    const commit = await publish(here, '2');
    expect(await publish(here, '2')).toBe(commit);
    expect(git(here.project, 'for-each-ref')).toBe(refs);
    expect(git(here.project, 'status', '--porcelain')).toBe(' M a.txt\n');
    await fetchPoint(there, commit);
    expect(git(there.project, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(there.project, '.git/FETCH_HEAD'))).toBe(false);
    expect(listPoints(there.store).map(({ name }) => name)).toEqual(['2']);
  });
});

describe('a refusal with a reason', () => {
  it('where the ref holds another point than the journal names', async () => {
    const [here, there] = machines();
    await here.record('2');
    await publish(here, '2');
    expect(await fetchPoint(there, 'f'.repeat(40))).toMatchObject({ ok: false, code: 'no-point' });
    expect(await fetchPoint(there, git(here.project, 'rev-parse', 'HEAD').trim())).toMatchObject({
      ok: false,
      code: 'no-point',
    });
    expect(listPoints(there.store)).toEqual([]);
  });

  it('where nobody can be reached, or nothing was recorded', async () => {
    const [here] = machines();
    expect(await publishPoint(here, '2')).toMatchObject({ ok: false, code: 'no-point' });
    await here.record('2');
    const nowhere = { ...here, remote: join(here.store, 'nowhere.git') };
    expect(await publishPoint(nowhere, '2')).toMatchObject({ ok: false, code: 'push' });
    expect(await fetchPoint(nowhere, 'f'.repeat(40))).toMatchObject({ ok: false, code: 'fetch' });
    mkdirSync(nowhere.remote);
    expect(await publishPoint(nowhere, '2')).toMatchObject({ ok: false, code: 'push' });
  });
});
