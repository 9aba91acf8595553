/** Loops that are submitted, taken, driven and recorded, with one worker. */
import { expect, test } from 'vitest';
import { hasEnded, openStage } from './stage.ts';

const LINES = `Add lines.
do: echo line >> lines.txt`;

test(
  'a loop is begun by a worker, commits its work on its branch, and ends in the record',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(
      LINES,
      '--check',
      'test $(wc -l < lines.txt) -ge 3',
      '--commit',
      '--pause',
      '0s',
    );
    expect(await stage.status(id)).toMatchObject({
      id,
      status: 'pending',
      account: 'default',
      worker: null,
      waits: { for: 'worker', until: null },
      point: null,
      branch: `dacapo/${id}`,
      requests: [],
    });
    await stage.worker('w1');
    const loop = await stage.until(id, hasEnded);
    expect(loop).toMatchObject({ status: 'completed', iteration: 3, worker: null, waits: null });
    expect(stage.git('ls-remote', stage.repo, `dacapo/${id}`)).not.toBe('');
    stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
    expect(stage.git('show', 'FETCH_HEAD:lines.txt')).toBe('line\nline\nline');
    const commits = stage.git(
      'log',
      '--format=%(trailers:key=Da-Capo-Iteration,valueonly)',
      'FETCH_HEAD',
      '--not',
      'main',
    );
    expect(commits.split(/\s+/)).toEqual(['3', '2', '1']);
    const events = await stage.logs(id);
    expect(events[0]).toMatchObject({ type: 'created', id });
    expect(events.filter(({ type }) => type === 'verdict')).toHaveLength(3);
    expect(events.filter(({ type }) => type === 'recorded')).toHaveLength(3);
  },
);
