// @module-tag postgres
/** What an engine needs beside workers: a submit that may be repeated, a wait, and a count of what waits. */
import { expect, test } from 'vitest';
import { openDatabase } from '#fleet/database/database.ts';
import { idOfKey, submit } from '#fleet/submit.ts';
import { readSubmitLine } from '#surfaces/cli/fleet/submit-line.ts';
import { ownCluster } from './postgres.ts';
import { openStage } from './stage.ts';

const DONE = ['--check', 'test -e x.txt'];

test(
  'the same key is the same loop, however often and by whom it is submitted',
  { timeout: 90_000 },
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
        for (let k = 0; k < 25; k++) await submit(database, submission, idOfKey('run 7'));
        await database.close();
      }),
    );
    const [one, two] = await Promise.all([stage.fleet('submit', ...words), stage.fleet('submit', ...words)]);
    expect(one).toEqual({ id: idOfKey('run 7') });
    expect(two).toEqual(one);
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
    const good = await stage.submit('Work.\ndo: sleep 3; echo x > x.txt', ...DONE);
    const bad = await stage.submit('Work.\ndo: sleep 1', ...DONE, '--max-iterations', '1');
    const waits = [stage.run('fleet', 'wait', good, '--json'), stage.run('fleet', 'wait', `${good},${bad}`)];
    await stage.worker('w1', ['--capacity', '2']);
    await crash();
    const [one, both] = await Promise.all(waits);
    expect(one).toMatchObject({ code: 0, stderr: expect.stringContaining(`loop ${good}: running`) });
    expect(JSON.parse(one?.stdout ?? '')).toMatchObject({ id: good, status: 'completed' });
    expect(both).toMatchObject({ code: 3, stdout: expect.stringContaining('exhausted') });
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
