// @module-tag postgres
/**
 * What each transaction of a fleet asks of the database, however that is set up, and which locks it takes.
 */
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Sql } from '#fleet/database/database.ts';
import { submit, type Submission } from '#fleet/submit.ts';
import { readSubmitLine } from '#surfaces/cli/fleet/submit-line.ts';
import { openStage } from '../stage.ts';

const lockAccount = (sql: Sql, id: string) => sql.query('select dacapo.lock_account($1)', [id]);

async function open(url: string) {
  const database = await openDatabase({ ok: true, url, shown: '' });
  onTestFinished(() => database.close());
  return database;
}

test(
  'the isolation is ours, nothing is compiled, and a query ends with its caller',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const name = new URL(stage.url).pathname.slice(1);
    await stage.sql(`alter database "${name}" set default_transaction_isolation to 'serializable'`);
    await stage.sql(`alter database "${name}" set jit to on`);
    const database = await open(stage.url);
    // A single query is a transaction, too.
    for (const ask of [database.query, (text: string) => database.transaction((sql) => sql.query(text))]) {
      expect(await ask('show transaction_isolation')).toEqual([{ transaction_isolation: 'read committed' }]);
      expect(await ask('show jit')).toEqual([{ jit: 'off' }]);
      await expect(ask('select pg_sleep(60)')).rejects.toThrow(/timeout/i);
    }
    const left = `select count(*)::int as left from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`;
    await expect.poll(() => stage.sql(left)).toEqual([{ left: 0 }]);
  },
);

test(
  'an account without limits holds nobody up, and one with limits only those who count',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const [one, two] = [await open(stage.url), await open(stage.url)];
    await one.transaction(async (sql) => {
      await lockAccount(sql, 'default');
      await two.transaction((other) => lockAccount(other, 'default'));
    });
    await stage.fleet('limits', '--max-loops', '3');
    const read = readSubmitLine(['Work.', '--repo', stage.repo, '--ref', 'main']);
    if (!read.ok) throw new Error(read.message);
    const submission: Submission = read.value.submission;
    let isCounted = false;
    let counting: Promise<unknown> = Promise.resolve();
    await one.transaction(async (sql) => {
      await lockAccount(sql, 'default');
      // A loop names its account, and does not count.
      await submit(two, submission);
      counting = two.transaction((other) => lockAccount(other, 'default')).then(() => (isCounted = true));
      await sql.query('select pg_sleep(0.5)');
      expect(isCounted).toBe(false);
    });
    await counting;
    expect(isCounted).toBe(true);
  },
);
