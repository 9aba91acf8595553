// @module-tag postgres
// @module-tag pgbouncer
/**
 * A fleet behind PgBouncer in transaction mode, where each transaction may get another connection and no word
 * of the database reaches a worker.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { assertTagged } from '../../needs.ts';
import { allEnded, expectExact } from '../exact.ts';
import { asWhom, freePort } from '../postgres.ts';
import { openStage, passesNow, type Stage } from '../stage.ts';

/** Fewer than two workers have. */
const SERVER_CONNECTIONS = 3;
/** Idle a worker has two: one for heartbeats, one of its pool. */
const WORKER_CONNECTIONS = 5;

test('workers behind a pooler: exact, few connections, a cancel in time', { timeout: 180_000 }, async () => {
  const stage = await openStage();
  const pooler = await startPooler(stage);
  const done = [
    '--check',
    'test $(wc -l < lines.txt) -ge 2',
    '--pause',
    '0s',
    '--commit',
    '--max-stalls',
    '99',
  ];
  const first = await stage.submit('Add.\ndo: sleep 1; echo line >> lines.txt', ...done);
  const ids = await stage.copy(first, 5);
  for (const name of ['w1', 'w2'])
    await stage.worker(name, ['--capacity', '2'], { DACAPO_FLEET: pooler.url });
  let [most, isOver] = [0, false];
  const ended = allEnded(stage).then(() => (isOver = true));
  for (; !isOver; await sleep(200)) most = Math.max(most, await pooler.clients());
  await ended;
  await expectExact(stage, ids, 2);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 * WORKER_CONNECTIONS);
  const servers = `select count(*)::int as servers from pg_stat_activity
    where datname = current_database() and application_name = 'pooled'`;
  const [row] = await stage.sql<{ servers: number }>(servers);
  expect(row?.servers).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  // The worker hears of it with its next heartbeat, at most 5 s later.
  const long = await stage.submit('Work.\ndo: sleep 300', '--check', 'test -e x');
  while (passesNow(stage.passes()).length === 0) await sleep(50);
  expect((await stage.run('fleet', 'cancel', long)).code).toBe(0);
  await expect.poll(() => passesNow(stage.passes()), { timeout: 30_000 }).toEqual([]);
});

async function startPooler({ root, url }: Stage) {
  assertTagged('pgbouncer');
  const { hostname, port, pathname, username, password } = new URL(url);
  const folder = join(root, 'pooler');
  const own = await freePort();
  mkdirSync(folder);
  const login = `user=${username} password=${password}`;
  const server = `host=${hostname} port=${port} ${login} application_name=pooled`;
  const settings = [
    '[databases]',
    `* = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'admin_users = fleet',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  for (const path of [root, folder, join(folder, 'pgbouncer.ini')]) chmodSync(path, 0o755);
  // Where Debian has it, and no user but root looks.
  const PATH = `${process.env['PATH']}:/usr/sbin`;
  const pooler = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...asWhom(),
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void pooler.kill('SIGKILL'));
  const urlOf = (path: string) => `postgres://${username}:${password}@127.0.0.1:${own}${path}`;
  const admin = new pg.Client({ connectionString: urlOf('/pgbouncer') });
  admin.on('error', () => undefined);
  onTestFinished(() => admin.end());
  const tryIt = () => new pg.Client({ connectionString: urlOf(pathname) });
  for (let isUp = false; !isUp; await sleep(50)) isUp = await reaches(tryIt());
  await admin.connect();
  return {
    url: urlOf(pathname),
    /** Connections of the workers to the pooler. */
    clients: async () => {
      const { rows } = await admin.query<{ database: string }>('show clients');
      return rows.filter(({ database }) => database === pathname.slice(1)).length;
    },
  };
}

async function reaches(client: pg.Client): Promise<boolean> {
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
