// @module-tag postgres
/** A record with many loops: lists are bounded, look-ups use indexes, and what has ended can be removed. */
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#fleet/database/database.ts';
import { loopOfRequest } from '#fleet/actions.ts';
import { findLoop } from '#fleet/record.ts';
import { hasEnded, openStage } from '../stage.ts';

test(
  'a list is bounded, counts come from the database, and a look-up reads a few rows',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Work.', '--check', 'true', '--name', 'the-one');
    await stage.copy(id, 5_000);
    await stage.sql(`update dacapo.loop set status = 'completed', ready_at = null where id <> $1`, [id]);
    await stage.sql('analyze dacapo.loop');
    expect(await stage.fleet<unknown[]>('list')).toHaveLength(200);
    expect(await stage.fleet<unknown[]>('list', '--limit', '7')).toHaveLength(7);
    expect(await stage.fleet('list', '--status', 'pending,running')).toMatchObject([{ id }]);
    expect(await stage.run('fleet', 'list', '--status', 'asleep')).toMatchObject({ code: 2 });
    expect(await stage.fleet('status')).toMatchObject({ loops: { completed: 5_000, pending: 1 } });
    const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
    onTestFinished(() => database.close());
    for (const wanted of [`${id}-77`, id.slice(-9), id]) {
      const rows = await database.transaction(async (sql) => {
        expect(await findLoop(sql, wanted)).toMatchObject({ ok: true, id: wanted.length < 12 ? id : wanted });
        const [read] = await sql.query<{ rows: number }>(
          `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
         where schemaname = 'dacapo' and relname = 'loop'`,
        );
        return read?.rows;
      });
      expect(rows).toBeLessThan(50);
    }
    expect(await loopOfRequest(database, 'none')).toMatchObject({ ok: false });
  },
);

test(
  'what has ended long ago is removed with its refs, and nothing that is alive',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const work = 'Add.\ndo: echo x > x.txt';
    const submit = (...flags: string[]) => stage.submit(work, '--check', 'test -e x.txt', ...flags);
    const [done, unsaved, asleep] = [
      await submit('--commit'),
      await submit(),
      await submit('--needs', 'gpu'),
    ];
    const worker = await stage.worker('w1', ['--capacity', '2']);
    for (const id of [done, unsaved]) await stage.until(id, hasEnded);
    worker.process.kill('SIGTERM');
    await worker.ended;
    const refsOf = (id: string) => stage.git('ls-remote', stage.repo, `refs/dacapo/${id}/*`);
    expect(refsOf(done)).not.toBe('');
    expect(await stage.fleet('prune')).toEqual({ removed: [], kept: [] });
    await stage.sql(`update dacapo.loop set updated_at = now() - interval '40 days'`);
    expect(await stage.fleet('prune', '--dry-run')).toEqual({ removed: [done], kept: [] });
    expect(await stage.fleet('prune')).toEqual({ removed: [done], kept: [] });
    expect(refsOf(done)).toBe('');
    expect(refsOf(unsaved)).not.toBe('');
    expect(stage.git('ls-remote', stage.repo, `refs/heads/dacapo/${done}`)).not.toBe('');
    await stage.sql(`update dacapo.loop set repo = '/nowhere/at/all' where id = $1`, [unsaved]);
    const kept = await stage.run('fleet', 'prune', '--with-work', '--json');
    expect(kept.code).toBe(1);
    expect(JSON.parse(kept.stdout)).toMatchObject({ removed: [], kept: [{ id: unsaved }] });
    await stage.sql('update dacapo.loop set repo = $2 where id = $1', [unsaved, stage.repo]);
    expect(await stage.fleet('prune', '--with-work')).toEqual({ removed: [unsaved], kept: [] });
    expect(await stage.sql('select id from dacapo.loop')).toEqual([{ id: asleep }]);
    expect(
      await stage.sql('select count(*)::int as left from dacapo.event where loop <> $1', [asleep]),
    ).toEqual([{ left: 0 }]);
  },
);
