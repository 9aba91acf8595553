// @module-tag postgres
/** Loops that are submitted, taken, driven and recorded, with one worker. */
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
    const mirrors = join(stage.env['DACAPO_HOME'] ?? '', 'fleet/mirrors');
    // What a clone leaves that was killed, and one that is under way.
    for (const half of ['0.git.killed', '0.git.making']) mkdirSync(join(mirrors, half), { recursive: true });
    const yesterday = Date.now() / 1_000 - 24 * 60 * 60;
    utimesSync(join(mirrors, '0.git.killed'), yesterday, yesterday);
    const worker = await stage.worker('w1');
    // Its end is in the record a moment before the worker lets it go.
    const loop = await stage.until(id, (one) => hasEnded(one) && one.worker === null);
    expect(loop).toMatchObject({ status: 'completed', iteration: 3, waits: null });
    await worker.hear(({ is }) => is === 'ends-loop');
    expect(readdirSync(mirrors).filter((name) => !name.endsWith('.git'))).toEqual(['0.git.making']);
    // The record has the rest.
    const kept = join(mirrors, '../workers/w1/home/loops', id);
    expect(readdirSync(kept)).toEqual(['evidence']);
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

test(
  'an agent may say what Postgres does not take, and the iteration counts all the same',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(
      `${LINES}\nsays: before<NUL>after`,
      '--check',
      'test $(wc -l < lines.txt) -ge 2',
      '--pause',
      '0s',
    );
    const worker = await stage.worker('w1');
    const loop = await stage.until(id, hasEnded);
    expect(loop).toMatchObject({ status: 'completed', iteration: 2, branch: null });
    expect(JSON.stringify(await stage.logs(id))).toContain('before\ufffdafter');
    await worker.hear(({ is }) => is === 'ends-loop');
    const refs = stage.git('ls-remote', stage.repo, `refs/dacapo/${id}/*`);
    expect(refs).toBe(`${loop.point}\trefs/dacapo/${id}/1/2`);
    stage.git('fetch', '-q', stage.repo, `refs/dacapo/${id}/1/2`);
    expect(stage.git('show', 'FETCH_HEAD:lines.txt')).toBe('line\nline');
  },
);

test(
  'a loop that no worker has begun has the limits and the plan of a run',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Work.', '--check', 'true', '--pause', '7s');
    await stage.fleet('cancel', id);
    const [created, planned] = await stage.logs(id);
    expect(created).toMatchObject({ type: 'created', definition: { timeMs: 3_600_000 } });
    expect(planned).toMatchObject({ type: 'planned', plan: { pauseMs: 7_000 } });
  },
);

test('wrong flags are refused before anything is submitted', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const refused = async (...words: string[]) => {
    const ran = await stage.run('fleet', 'submit', ...words, '--json');
    expect({ words, ...ran }).toMatchObject({ code: 2 });
    return (JSON.parse(ran.stdout) as { error: string }).error;
  };
  expect(await refused('Work.', '--ref', 'main')).toContain('--repo');
  expect(await refused('Work.', '--repo', stage.repo)).toContain('--ref');
  expect(await refused('Work.', '--repo', stage.repo, '--ref', 'main', '--max-iterations', 'x')).toContain(
    '--max-iterations',
  );
  expect(await refused('--repo', stage.repo, '--ref', 'main')).toContain('prompt');
  expect(await refused('Work.', '--worktree', '--repo', stage.repo, '--ref', 'main')).toContain('--worktree');
  expect(await refused('Work.', '--review', 'nobody', '--repo', stage.repo, '--ref', 'main')).toContain(
    '--review takes the name of a coding agent',
  );
  expect(await stage.fleet('list')).toEqual([]);
  for (const words of [['fleet'], ['fleet', 'lst'], ['worker', '--capacity', 'many']])
    expect((await stage.run(...words, '--json')).code).toBe(2);
});

test('an iteration counts once its work is published, and not before', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const hook = join(stage.repo, 'hooks/pre-receive');
  writeFileSync(hook, `#!/bin/sh\ntouch '${stage.root}/refused'\nexit 1\n`, { mode: 0o755 });
  const id = await stage.submit(LINES, '--check', 'test -e lines.txt');
  await stage.worker('w1');
  while (!existsSync(join(stage.root, 'refused'))) await sleep(20);
  expect(stage.passes().filter(({ is }) => is === 'ends')).toHaveLength(1);
  expect((await stage.logs(id)).map(({ type }) => type)).toEqual(['created', 'planned', 'taken']);
  expect(await stage.status(id)).toMatchObject({ status: 'running', iteration: 1, point: null });
  rmSync(hook);
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
  expect(stage.passes().filter(({ is }) => is === 'ends')).toHaveLength(1);
});
