// @module-tag postgres
/** What each role of the database may do: submit and steer, work, or look. And what none of them can. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../../surfaces/cli/box.ts';
import { environmentOf } from '../../processes.ts';
import { openDatabase } from '#fleet/database/database.ts';
import { leaseNextLoop } from '#fleet/lease.ts';
import { releaseLoop, shipTaken } from '#fleet/ship.ts';
import { memoryRuntime, pendingLoop } from '#fleet/memory.ts';
import { summaryOf } from '#fleet/record.ts';
import { admin } from '../postgres.ts';
import { hasEnded, openStage, passesNow, type Stage } from '../stage.ts';

const OWNER = /\/\/[^@]*@/;

/** Tables and roles, made by a superuser, and a login in each role. */
async function withRoles(stage: Stage) {
  const at = new URL(stage.url);
  const owner = stage.url.replace(OWNER, '//root:root@');
  expect(await stage.run('fleet', 'init', '--database', owner, '--json')).toMatchObject({
    code: 0,
    stderr: '',
  });
  const as = async (role: string) => {
    const name = `${at.pathname.slice(1)}_${role}`;
    await admin(Number(at.port), `create role ${name} login password 'x' in role dacapo_${role}`);
    return stage.url.replace(OWNER, `//${name}:x@`);
  };
  return { owner, person: await as('person'), worker: await as('worker'), reader: await as('reader') };
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test(
  'people submit and steer, workers work and set no limits, readers only look',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const { person, worker, reader } = await withRoles(stage);
    const { id } = await stage.fleet<{ id: string }>(
      'submit',
      'Add a line.\ndo: echo line >> lines.txt',
      '--repo',
      stage.repo,
      '--ref',
      'main',
      '--check',
      'test -e lines.txt',
      '--account',
      'team',
      '--database',
      person,
    );
    await stage.fleet('limits', 'team', '--max-loops', '3', '--database', person);
    await stage.worker('w1', [], { DACAPO_FLEET: worker });
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(await stage.fleet('list', '--database', reader)).toHaveLength(1);
    const refused = async (url: string, ...words: string[]) => {
      const ran = await stage.run('fleet', ...words, '--database', url, '--json');
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.stdout).toContain('has no rights');
    };
    await refused(reader, 'cancel', id);
    await refused(reader, 'submit', 'Work.', '--repo', stage.repo, '--ref', 'main');
    await refused(worker, 'limits', 'team', '--max-loops', 'off');
  },
);

test('a worker writes what is its own, by functions alone', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const { worker } = await withRoles(stage);
  const [mine, other] = [await stage.submit('Mine.'), await stage.submit('Other.', '--priority', '-1')];
  await stage.sql(
    `insert into dacapo.pass (loop, n, epoch, account, worker, usd) values ($1, 1, 1, 'default', 'w', 5)`,
    [other],
  );
  const client = await clientOf(worker);
  for (const text of [
    'delete from dacapo.pass',
    'update dacapo.pass set usd = 0',
    `update dacapo.loop set account = 'rich'`,
    `update dacapo.account set id = 'mine'`,
    `update dacapo.account set max_loops = null`,
    `update dacapo.loop set setup = 'touch /tmp/owned'`,
    `update dacapo.loop set request = '{}'`,
    `update dacapo.loop set status = 'completed'`,
    `insert into dacapo.event select loop, n + 1, epoch, type, at, body, stop from dacapo.event`,
    `insert into dacapo.file values ('${other}', 'evidence/x', '', '')`,
    `insert into dacapo.inbox (loop, act) values ('${other}', '{"is":"cancel"}')`,
    `insert into dacapo.hold values ('${other}', 'x')`,
    `insert into dacapo.pushed values ('${other}', 'x')`,
    `delete from dacapo.news`,
    `select key from dacapo.hold`,
    `select dacapo.append_to_loop('${other}', 0, '{"from":0,"events":[]}', '{}')`,
    `select dacapo.stop_unread('${other}', 'completed', 'all checks pass')`,
    `create function dacapo.mine() returns int language sql as 'select 1'`,
  ])
    await expect(client.query(text)).rejects.toThrow(/permission denied/);
  const database = await openDatabase({ ok: true, url: worker, shown: '' });
  onTestFinished(() => database.close());
  const taken = await leaseNextLoop(database, {
    name: 'w1',
    labels: [],
    hosts: ['claude-code'],
    accept: [],
    leaseSeconds: 10,
    loop: null,
  });
  if (taken === null) throw new Error('there is no loop');
  expect(taken.id).toBe(mine);
  const runtime = memoryRuntime();
  const shipmentOf = (id: string) => {
    const open = pendingLoop(id, taken.request, runtime);
    const { events } = open.journal.read(0);
    return { from: 0, events, files: [], removedFiles: [], applied: 0, summary: summaryOf(open, runtime) };
  };
  // Not even where the other one has a worker whose name and epoch anybody can read.
  await stage.sql(
    `with held as (insert into dacapo.hold values ($1, 'its own', now() + interval '1 h'))
     update dacapo.loop set worker = 'w1', epoch = 1 where id = $1`,
    [other],
  );
  for (const key of [taken.key, '', 'x'])
    expect(await shipTaken(database, { id: other, epoch: 1, key }, shipmentOf(other), null)).toEqual({
      is: 'lost',
    });
  const forged = { id: other, epoch: 1, key: taken.key };
  expect(await releaseLoop(database, forged, null, { until: null })).toBe(false);
  // Its own loop: what it says about the work has a form.
  expect(await shipTaken(database, taken, shipmentOf(mine), null)).toMatchObject({ is: 'ours' });
  const record = (work: object) =>
    database.query('select dacapo.record_pass($1, $2, $3, null, null, $4, 1, 1)', [
      taken.id,
      taken.epoch,
      taken.key,
      JSON.stringify(work),
    ]);
  await expect(record({ head: '--upload-pack=touch x;' })).rejects.toThrow('is no commit');
  await expect(record({ point_ref: 'refs/heads/main' })).rejects.toThrow('is not at refs/heads/main');
  await record({ head: 'a'.repeat(40), point_ref: `refs/dacapo/${mine}/1/1` });
  expect(await stage.sql('select usd from dacapo.pass where loop = $1', [other])).toEqual([{ usd: '5' }]);
});

test('a reader sees how loops stand, and no prompts, addresses or flags', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const { reader } = await withRoles(stage);
  const id = await stage.submit(
    'CANARY',
    '--notify',
    'https://hooks.example.org/CANARY',
    '--setup',
    'CANARY',
  );
  const client = await clientOf(reader);
  for (const table of ['event', 'file', 'inbox', 'news', 'hold'])
    await expect(client.query(`select * from dacapo.${table}`)).rejects.toThrow(/permission denied/);
  for (const column of ['request', 'setup', '*'])
    await expect(client.query(`select ${column} from dacapo.loop`)).rejects.toThrow(/permission denied/);
  const listed = await stage.run('fleet', 'list', '--json', '--database', reader);
  expect(listed.stdout).toContain(id);
  expect(listed.stdout).not.toContain('CANARY');
  // To a person each list of the fleet shows the task.
  for (const words of [['list'], ['status', id]])
    expect((await stage.run('fleet', ...words)).stdout).toContain('CANARY');
  expect(await stage.fleet('doctor', '--database', reader)).toMatchObject({ ok: true });
  await client.query('select account, day, passes, usd from dacapo.spending');
  await client.query(`select id, status, worker, ready_at from dacapo.loop where status <> 'completed'`);
  await client.query('select loop, stop, verdict, cost_usd from dacapo.iterations order by at desc limit 20');
});

test('a worker refuses to be the owner, and init makes it a login', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const owner = stage.url.replace(OWNER, '//root:root@');
  const work = (...flags: string[]) =>
    spawn(process.execPath, [CLI, 'worker', '--name', 'w1', '--json', ...flags], {
      env: { ...stage.env, DACAPO_FLEET: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  expect((await stage.run('fleet', 'init', '--database', owner)).stdout).toContain(
    'Workers have a login of their own',
  );
  const next = async (url: string) => {
    const { code, stdout } = await stage.run('worker', '--json', '--database', url);
    expect(code).toBe(1);
    return (JSON.parse(stdout) as { next: string }).next;
  };
  expect(await next(owner)).toContain('(dacapo fleet init makes one), or give --as-owner');
  // One who can't make a login, and a member of the owner's role, are the owner, too.
  expect(await next(stage.url)).toContain('(an administrator of the database makes one), or give --as-owner');
  const { port, pathname, username } = new URL(stage.url);
  const [member, heir] = [`${pathname.slice(1)}_member`, `${pathname.slice(1)}_heir`];
  await admin(Number(port), `create role ${member} login password 'x' in role ${username}`);
  await admin(Number(port), `create role ${heir} login password 'x' in role ${member}`);
  for (const name of [member, heir])
    expect(await next(stage.url.replace(OWNER, `//${name}:x@`))).toContain('--as-owner');
  const home = stage.env['DACAPO_HOME'] ?? '';
  const { worker } = JSON.parse(readFileSync(join(home, 'fleet.json'), 'utf8')) as { worker: string };
  expect(new URL(worker).username).toMatch(/^dacapo_worker_t_/);
  // A second init keeps it.
  await stage.run('fleet', 'init', '--database', owner);
  expect(readFileSync(join(home, 'fleet.json'), 'utf8')).toContain(worker);

  // From its standard input, the URL is nowhere that a pass can read.
  writeFileSync(join(stage.root, 'wait'), '');
  const id = await stage.submit(`Work.\ndo: while test -e ${stage.root}/wait; do sleep 0.1; done`);
  const child = work('--database', '-');
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(`${worker}\n`);
  const ready = createInterface({ input: child.stdout });
  const [first] = (await once(ready, 'line')) as [string];
  expect(JSON.parse(first)).toMatchObject({ is: 'ready' });
  while (passesNow(stage.passes()).length === 0) await sleep(50);
  const pid = child.pid ?? 0;
  const secret = new URL(worker).password;
  expect(environmentOf(pid)).not.toContain(secret);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(secret);
  expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe('/dev/null');
  const [pass = 0] = passesNow(stage.passes());
  expect(environmentOf(pass)).not.toContain(secret);
  await stage.fleet('cancel', id);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  // What is kept is the way in that a worker takes.
  const kept = work();
  onTestFinished(() => void kept.kill('SIGKILL'));
  const [said] = (await once(createInterface({ input: kept.stdout }), 'line')) as [string];
  expect(JSON.parse(said)).toMatchObject({ is: 'ready' });
  kept.kill('SIGTERM');
  await once(kept, 'exit');
});

test('--accept judges where a repository really is, and where points go', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const database = await openDatabase({ ok: true, url: stage.url, shown: '' });
  onTestFinished(() => database.close());
  const accept = ['https://example.org/team/*'];
  const taker = { name: 'w1', labels: [], hosts: ['claude-code'], accept, leaseSeconds: 10, loop: null };
  const takes = async (repo: string, points: string | null = null) => {
    const id = await stage.submit('Work.');
    await stage.sql('update dacapo.loop set repo = $2, points = $3 where id = $1', [id, repo, points]);
    const taken = await leaseNextLoop(database, taker);
    await stage.sql('delete from dacapo.loop');
    return taken !== null;
  };
  expect(await takes('https://example.org/team/app.git')).toBe(true);
  expect(await takes('https://example.org/team/app.git', 'https://example.org/team/points.git')).toBe(true);
  for (const repo of [
    'https://example.org/team/../other.git',
    'https://example.org/team/..',
    'https://example.org/team/./../other.git',
    'https://example.org/team/%2e%2E/other.git',
    'https://example.org/team/..%2fother.git',
    'https://example.org/team/..\\other.git',
    'https://example.org/other.git',
  ])
    expect({ repo, is: await takes(repo) }).toEqual({ repo, is: false });
  expect(await takes('https://example.org/team/app.git', 'https://evil.example/points.git')).toBe(false);
  expect(await takes('https://example.org/team/app.git', 'https://example.org/team/../x')).toBe(false);
});
