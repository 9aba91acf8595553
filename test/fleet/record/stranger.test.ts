// @module-tag postgres
/**
 * What somebody can do who may write to the record, or only connect: one loop that can't be shown, and no
 * more.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#fleet/database/database.ts';
import { openMirror } from '#fleet/look/mirror.ts';
import { memoryRuntime } from '#fleet/memory.ts';
import { openIndex } from '#engine/look/loop-index.ts';
import { admin } from '../postgres.ts';
import { hasEnded, openStage, passesNow, type Stage } from '../stage.ts';

const MOST_MS = { timeout: 90_000 };

async function mirrorOf(stage: Stage) {
  const database = await openDatabase({ ok: true, url: stage.url, shown: stage.url });
  const runtime = memoryRuntime();
  const mirror = openMirror(database, runtime.store, 'fleet');
  onTestFinished(async () => {
    mirror.close();
    await database.close();
  });
  return async () => {
    await mirror.look();
    const { cards, unread } = openIndex(null, { ...runtime, store: mirror.store }).look();
    return { cards: cards.map(({ id }) => id), unread };
  };
}

/** Two loops that a worker has begun and that wait. The second is left alone. */
async function twoLoops(stage: Stage): Promise<readonly [string, string]> {
  const submit = () => stage.submit('Add.\ndo: echo x >> x.txt', '--check', 'false', '--pause', '600s');
  const ids = [await submit(), await submit()] as const;
  const worker = await stage.worker('w1', ['--capacity', '2']);
  for (const id of ids) await stage.until(id, ({ waits }) => waits?.for === 'pause');
  await worker.die();
  return ids;
}

test(
  'a file that leads out of its folder is written nowhere, and costs its loop alone',
  MOST_MS,
  async () => {
    const stage = await openStage();
    const [bad, good] = await twoLoops(stage);
    const look = await mirrorOf(stage);
    expect((await look()).cards.toSorted()).toEqual([bad, good].toSorted());
    const target = join(stage.root, 'bashrc');
    const up = `evidence/${'../'.repeat(30)}${target.slice(1)}`;
    for (const name of [up, `../../../bashrc`, 'prompts/../../x', 'state.json', 'journal.jsonl'])
      await stage.sql(`insert into dacapo.file values ($1, $2, 'x', 'owned')`, [bad, name]);
    await stage.sql('update dacapo.loop set epoch = epoch + 1');
    expect(await look()).toMatchObject({
      cards: [good],
      unread: [{ id: bad, why: expect.stringContaining('is not a valid name of its files') }],
    });
    const pulled = await stage.run('fleet', 'pull', bad, '--json');
    expect(JSON.parse(pulled.stdout)).toMatchObject({ exit: 1, error: expect.stringContaining(bad) });
    expect(existsSync(target)).toBe(false);
    expect(existsSync(join(stage.env['DACAPO_HOME'] ?? '', 'loops', bad))).toBe(false);
    await stage.fleet('pull', good);
  },
);

test('an id that is a path empties no folder', MOST_MS, async () => {
  const stage = await openStage();
  const [bad, good] = await twoLoops(stage);
  const precious = join(stage.root, 'precious');
  mkdirSync(precious);
  writeFileSync(join(precious, 'work.txt'), 'mine');
  await stage.sql('create temp table t as select * from dacapo.loop limit 1');
  await stage.sql(`update t set id = '../../precious', name = 'fix-tests'`);
  await stage.sql('insert into dacapo.loop select * from t');
  const ran = await stage.run('fleet', 'pull', 'fix-tests', '--json');
  expect(JSON.parse(ran.stdout)).toMatchObject({ exit: 1, error: expect.stringContaining('has no loop') });
  const listed = await stage.run('fleet', 'list', '--json');
  expect(JSON.parse(listed.stdout)).toHaveLength(2);
  expect(listed.stderr).toContain(`Loop "../../precious" can't be read`);
  const look = await mirrorOf(stage);
  expect((await look()).cards.toSorted()).toEqual([bad, good].toSorted());
  expect(readFileSync(join(precious, 'work.txt'), 'utf8')).toBe('mine');
  expect((await stage.run('fleet', 'doctor')).stdout).toContain(
    'The owner of the database can delete its row',
  );
});

test('a copy never takes the place of a loop of this machine', MOST_MS, async () => {
  const stage = await openStage();
  const [id] = await twoLoops(stage);
  const own = join(stage.env['DACAPO_HOME'] ?? '', 'loops', id);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'journal.jsonl'), 'mine');
  const ran = await stage.run('fleet', 'pull', id, '--json');
  expect(JSON.parse(ran.stdout)).toMatchObject({
    exit: 1,
    error: expect.stringContaining('of this machine'),
  });
  expect(readFileSync(join(own, 'journal.jsonl'), 'utf8')).toBe('mine');
});

test(
  'an event that is none costs its loop: no worker ends, and a person can cancel it',
  MOST_MS,
  async () => {
    const stage = await openStage();
    const [bad, good] = await twoLoops(stage);
    const [{ n } = { n: 0 }] = await stage.sql<{ n: number }>(
      `insert into dacapo.event (loop, n, epoch, type, at, body)
     select id, events + 1, epoch, 'created', now(), '{"type":"created"}' from dacapo.loop where id = $1
     returning n`,
      [bad],
    );
    await stage.sql(`update dacapo.loop set ready_at = now(), events = events + (id = $1)::int`, [bad]);
    const worker = await stage.worker('w2', ['--capacity', '2']);
    const refused = await worker.hear(({ is, loop }) => is === 'ends-loop' && loop === bad);
    expect(refused).toMatchObject({
      how: { until: 'later', why: expect.stringContaining(`line ${n} of its journal`) },
    });
    // Nobody waits for the next tries in a test.
    for (let isOver = false; !isOver; await sleep(100)) {
      const [row] = await stage.sql<{ status: string; worker: string | null }>(
        `update dacapo.loop set ready_at = now() where id = $1 and ready_at is not null returning status, worker`,
        [bad],
      );
      isOver = row === undefined;
    }
    const status = await stage.status(bad);
    expect(status).toMatchObject({
      status: 'interrupted',
      reason: expect.stringContaining(`line ${n} of its journal`),
    });
    await stage.until(good, ({ iteration }) => iteration >= 2);
    expect(worker.process.exitCode).toBe(null);
    for (const words of [['logs'], ['pull'], ['pause'], ['resume']]) {
      const ran = await stage.run('fleet', ...words, bad, '--json');
      expect({ words, ...(JSON.parse(ran.stdout) as object) }).toMatchObject({
        exit: 1,
        error: expect.stringContaining(`oop ${bad} can't be read`),
        next: expect.stringContaining(`dacapo fleet cancel ${bad}`),
      });
    }
    expect(await stage.fleet('cancel', bad)).toMatchObject({ status: 'cancelled' });
  },
);

test('a commit that is a flag of git runs nothing on the machine of the submitter', MOST_MS, async () => {
  const stage = await openStage();
  writeFileSync(join(stage.root, 'work/.git/items.md'), '- [ ] first\n- [ ] second\n');
  const says = 'says: <issue-complete>DONE</issue-complete>';
  const task = `Write this.\ndo: echo "$PROMPT" | grep -oxE 'first|second' > out-$$.txt\n${says}`;
  const list = ['--items', '.git/items.md', '--loops', '2', '--pause', '0s', '--json'];
  const words = ['submit', task, '--repo', stage.repo, ...list];
  await stage.worker('w1', ['--capacity', '2']);
  const submitting = stage.run('fleet', ...words);
  const owned = join(stage.root, 'owned');
  // As soon as a loop has a head, it has another one.
  await stage.sql(`create function dacapo.bend() returns trigger language plpgsql as $$ begin
      if new.head is not null and new.request->'plan'->'part'->>'item' = (
        select min(request->'plan'->'part'->>'item') from dacapo.loop) then
        new.head := '--upload-pack=touch ${owned};'; end if;
      return new; end $$`);
  await stage.sql(
    'create trigger bend before update on dacapo.loop for each row execute function dacapo.bend()',
  );
  const { stdout, code } = await submitting;
  expect(code).not.toBe(0);
  expect(existsSync(owned)).toBe(false);
  expect(stdout).toContain('the commit of its branch was not written by Da Capo');
  // The other one is merged.
  expect(stage.git('log', '--format=%s')).toContain('Merge item');
});

test('a loop of a newer version costs only itself, with the right words', MOST_MS, async () => {
  const stage = await openStage();
  const [begun, good] = await twoLoops(stage);
  const pending = await stage.submit('Later.', '--check', 'true', '--needs', 'nobody');
  await stage.sql(
    `update dacapo.loop set request = jsonb_set(request, '{request,invented}', '1') where id = $1`,
    [pending],
  );
  await stage.sql(
    `update dacapo.event set body = jsonb_set(body, '{version}', '99') where loop = $1 and n = 1`,
    [begun],
  );
  await stage.sql(
    `insert into dacapo.event (loop, n, epoch, type, at, body)
     select id, events + 1, epoch, 'invented', now(), jsonb_build_object('type', 'invented', 'at', now())
     from dacapo.loop where id = $1`,
    [good],
  );
  const look = await mirrorOf(stage);
  const { cards, unread } = await look();
  expect(cards).toEqual([good]);
  expect(unread.map(({ id }) => id).toSorted()).toEqual([begun, pending].toSorted());
  const logs = await stage.run('fleet', 'logs', begun, '--json');
  expect(JSON.parse(logs.stdout)).toMatchObject({
    error: expect.stringContaining('a newer Da Capo has begun it'),
    next: 'upgrade dacapo on this machine.',
  });
  const unknown = await stage.run('fleet', 'logs', good);
  expect(unknown).toMatchObject({ code: 0, stderr: expect.stringContaining('1 event of a newer dacapo') });
});

test('words that anybody may say end nothing and nobody', MOST_MS, async () => {
  const stage = await openStage();
  const at = new URL(stage.url);
  const name = `nobody_${at.pathname.slice(1)}`;
  await admin(Number(at.port), `create role ${name} login password 'x'`);
  const stranger = new pg.Client({ connectionString: stage.url.replace(/\/\/[^@]*@/, `//${name}:x@`) });
  await stranger.connect();
  onTestFinished(() => stranger.end());
  writeFileSync(join(stage.root, 'wait'), '');
  const work = `Add.\ndo: echo x > x.txt; while test -e ${stage.root}/wait; do sleep 0.1; done`;
  const id = await stage.submit(work, '--check', 'test -e x.txt');
  const worker = await stage.worker('w1');
  await worker.hear(({ is }) => is === 'takes');
  while (passesNow(stage.passes()).length === 0) await sleep(50);
  const fenced = JSON.stringify({ is: 'fenced', loop: id, epoch: 1_000_000 });
  const drain = JSON.stringify({ is: 'drain', worker: 'w1' });
  const others = [
    '',
    'null',
    '[]',
    '{}',
    '{"is":"fenced"}',
    '{"is":"fenced","loop":{}}',
    '7',
    'x'.repeat(7_999),
  ];
  for (const word of ['hello', ...others, fenced, drain])
    await stranger.query('select pg_notify($1, $2)', ['dacapo', word]);
  for (let k = 0; k < 500; k++) await stranger.query('select pg_notify($1, $2)', ['dacapo', fenced]);
  await sleep(1_500);
  expect(passesNow(stage.passes())).toHaveLength(1);
  rmSync(join(stage.root, 'wait'));
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
  expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(1);
  expect(worker.process.exitCode).toBe(null);
});
