// @module-tag postgres
/** What an engine needs beside workers: a submit that may be repeated, a wait, and a count of what waits. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../surfaces/cli/box.ts';
import { openDatabase } from '#fleet/database/database.ts';
import { idOfKey, submit } from '#fleet/submit.ts';
import { readSubmitLine } from '#surfaces/cli/fleet/submit-line.ts';
import { ownCluster } from './postgres.ts';
import { proxyTo } from './proxy.ts';
import { openStage, type Stage } from './stage.ts';

const DONE = ['--check', 'test -e x.txt'];
/** That submit the same key. By hand: `KEY_SUBMITS=1000 npx vitest run test/fleet/engine.test.ts`. */
const PROCESSES = Number(process.env['KEY_SUBMITS'] ?? 16);

/** A command that goes on while the test does something else. */
function startCli(stage: Stage, words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...words], { env: { ...stage.env, ...env } });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    ended,
    said: () => said.stdout,
    hear: async (text: string) => {
      await expect.poll(() => said.stderr, { timeout: 60_000 }).toContain(text);
    },
  };
}

test(
  'the same key is the same loop, however often and by whom it is submitted',
  { timeout: 90_000 + PROCESSES * 2_000 },
  async () => {
    const stage = await openStage();
    const words = ['Work.', '--repo', stage.repo, '--ref', 'main', '--key', 'run 7', ...DONE];
    const read = readSubmitLine(words);
    if (!read.ok) throw new Error(read.message);
    const { submission } = read.value;
    const databases = await Promise.all(
      Array.from({ length: 16 }, () => openDatabase({ ok: true, url: stage.url, shown: '' })),
    );
    await Promise.all(
      databases.map(async (database) => {
        for (let k = 0; k < 10; k++) await submit(database, submission, idOfKey('run 7'));
        await database.close();
      }),
    );
    // Sixteen processes at a time.
    let left = PROCESSES;
    const lane = async () => {
      while (left-- > 0) expect(await stage.fleet('submit', ...words)).toEqual({ id: idOfKey('run 7') });
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    expect(await stage.sql('select count(*)::int as loops from dacapo.loop')).toEqual([{ loops: 1 }]);
    const set = await stage.run('fleet', 'submit', ...words, '--items', 'todo.md', '--loops', '2');
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining('--key') });
  },
);

test(
  'a wait ends with its loops, by their codes, and outlives a restart of the database',
  { timeout: 120_000 },
  async () => {
    const { folder, crash } = ownCluster();
    const stage = await openStage({ cluster: folder, lease: '30s' });
    // No loop ends before all that should happen meanwhile has happened.
    const go = join(stage.root, 'go');
    const goes = `until test -e ${go}; do sleep 0.1; done`;
    const good = await stage.submit(`Work.\ndo: ${goes}; echo x > x.txt`, ...DONE);
    const bad = await stage.submit(`Work.\ndo: ${goes}`, ...DONE, '--max-iterations', '1');
    const proxy = await proxyTo(stage.url);
    const wait = (...words: string[]) =>
      startCli(stage, ['fleet', 'wait', ...words], { DACAPO_FLEET: proxy.url });
    await stage.worker('w1', ['--capacity', '2']);
    const one = wait(good, '--json');
    const watch = startCli(stage, ['fleet', 'watch', '--json'], { DACAPO_FLEET: proxy.url });
    await expect.poll(watch.said, { timeout: 60_000 }).toContain(good);
    await one.hear(`loop ${good}: running`);
    proxy.set('down');
    await one.hear('waiting for the database');
    await watch.hear('waiting for the database');
    await crash();
    // Another one begins while the database is away. It waits for its first answer for 12 s only, so nothing slow
    // happens in between.
    const both = wait(`${good},${bad}`);
    await both.hear('waiting for the database');
    proxy.set('open');
    await both.hear(`loop ${bad}: running`);
    writeFileSync(go, '');
    expect(await one.ended).toBe(0);
    expect(JSON.parse(one.said())).toMatchObject({ id: good, status: 'completed' });
    expect(await both.ended).toBe(3);
    expect(both.said()).toContain('exhausted');
    await expect.poll(watch.said, { timeout: 60_000 }).toContain('"status":"exhausted"');
    expect(await stage.run('fleet', 'wait')).toMatchObject({ code: 2 });
  },
);

test(
  'what waits is counted when it is due, and only where its account has room',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    await stage.submit('Work.', ...DONE);
    await stage.submit('Work.', ...DONE);
    const asleep = await stage.submit('Work.', ...DONE, '--needs', 'gpu');
    await stage.submit('Work.', ...DONE, '--account', 'full');
    await stage.sql(`update dacapo.account set max_loops = 0 where id = 'full'`);
    await stage.sql(`update dacapo.loop set ready_at = now() + interval '1 hour' where id = $1`, [asleep]);
    const group = { hosts: ['claude-code'], needs: [], room: null };
    const when = expect.stringMatching(/^\d{4}-/);
    expect(await stage.fleet('ready')).toEqual([
      { ...group, account: 'default', ready: 2, since: when, next_at: null },
      { ...group, account: 'default', needs: ['gpu'], ready: 0, since: null, next_at: when },
      { ...group, account: 'full', ready: 0, since: null, next_at: null, room: 0 },
    ]);
  },
);
