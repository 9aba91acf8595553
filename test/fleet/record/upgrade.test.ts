// @module-tag postgres
/** A fleet whose programs are upgraded one after the other, while its loops go on. */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '#fleet/schema/migrations.ts';
import { CLI } from '../../surfaces/cli/box.ts';
import { hasEnded, openStage } from '../stage.ts';

/** As it was before leases had a narrow table. */
const WIDE_LEASES = `
  drop view dacapo.ready, dacapo.account_room;
  drop index dacapo.loop_next;
  alter table dacapo.loop add column lease_until timestamptz, drop column takes;
  alter table dacapo.hold drop column lease_until;`;

/** The program of the next version, which writes a journal that this one can't read. */
function makeNewer(root: string): string {
  const [from, to] = [dirname(dirname(CLI)), join(root, 'newer')];
  mkdirSync(to);
  cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'plugin']) symlinkSync(join(from, name), join(to, name));
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as object;
  writeFileSync(join(to, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  let changed = 0;
  for (const name of readdirSync(join(to, 'dist')).filter((file) => /\.c?js$/.test(file))) {
    const file = join(to, 'dist', name);
    const text = readFileSync(file, 'utf8');
    // Programs that run from compiled code are minified: the sentence about the version tells its name, which
    // was given before, in the same module.
    const said = / up to version \$\{([\w$]+)\}/.exec(text);
    if (said === null) continue;
    const set = new RegExp(`(?<![\\w$])${said[1]?.replaceAll('$', '\\$')} ?= ?(\\d+)`, 'g');
    const given = [...text.slice(0, said.index).matchAll(set)].at(-1);
    const [assignment = '', version] = given ?? [];
    expect(assignment).not.toBe('');
    const at = given?.index ?? 0;
    const raised = assignment.replace(/\d+$/, String(Number(version) + 1));
    writeFileSync(file, text.slice(0, at) + raised + text.slice(at + assignment.length));
    changed++;
  }
  expect(changed).toBeGreaterThan(0);
  return join(to, 'dist/cli.cjs');
}

test(
  'an older and a newer worker beside each other: no loop is lost or counted twice',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const newer = makeNewer(stage.root);
    const work = `Add.\ndo: echo x >> x.txt; while test -e ${stage.root}/wait; do sleep 0.1; done`;
    const submit = (...flags: string[]) =>
      stage.submit(work, '--check', 'test $(wc -l < x.txt) -ge 3', '--pause', '0s', '--commit', ...flags);
    writeFileSync(join(stage.root, 'wait'), '');
    const of = { old: await submit('--needs', 'old'), new: await submit('--needs', 'new') };
    const old = await stage.worker('old', ['--labels', 'old', '--capacity', '2']);
    const next = await stage.worker('next', ['--labels', 'new', '--capacity', '2'], {}, newer);
    expect(await stage.sql('select name, version from dacapo.worker order by 1')).toEqual([
      { name: 'next', version: '99.0.0' },
      { name: 'old', version: expect.not.stringContaining('99') },
    ]);
    // Each begins one. Then either could go on with both.
    await Promise.all([old, next].map((worker) => worker.hear(({ is }) => is === 'takes')));
    while (stage.passes().length < 2) await sleep(50);
    await stage.sql(`update dacapo.loop set needs = '{}'`);
    await stage.fleet('init');
    // The newer one hands its loop over, and comes back. The older one, with a free place, leaves that loop
    // alone.
    next.process.kill('SIGTERM');
    await next.hear(({ is }) => is === 'drains');
    rmSync(join(stage.root, 'wait'));
    expect(await next.ended).toBe(0);
    expect(await stage.until(of.old, hasEnded)).toMatchObject({ status: 'completed', iteration: 3 });
    expect(await stage.status(of.new)).toMatchObject({
      status: 'waiting',
      iteration: 2,
      waits: { for: 'worker' },
    });
    const doctor = await stage.run('fleet', 'doctor', '--json');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(`Only workers of a newer dacapo could take loop ${of.new}`);
    const again = await stage.worker('next', [], {}, newer);
    expect(await stage.until(of.new, hasEnded)).toMatchObject({ status: 'completed', iteration: 3 });
    expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
    expect(again.lines).toContainEqual(expect.objectContaining({ is: 'takes', loop: of.new }));
    for (const id of Object.values(of)) {
      const judged = await stage.sql('select stop from dacapo.iterations where loop = $1 order by stop', [
        id,
      ]);
      expect(judged).toEqual([1, 2, 3].map((stop) => ({ stop })));
      stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
      expect(stage.git('show', 'FETCH_HEAD:x.txt')).toBe('x\nx\nx');
    }
  },
);

test(
  'what a newer program adds to the tables does not concern this one, which goes on',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const before = await stage.fleet('limits', 'team', '--max-loops', '2');
    await stage.sql(
      `alter table dacapo.loop add column later text not null default 'x', add column more jsonb`,
    );
    await stage.sql(
      `alter table dacapo.event add column later int; alter table dacapo.file add column later int`,
    );
    await stage.sql('create table dacapo.later (id int)');
    const later = SCHEMA_VERSION + 1;
    await stage.sql('update dacapo.schema_version set version = $1', [later]);
    const id = await stage.submit(
      'Add.\ndo: echo x > x.txt',
      '--check',
      'test -e x.txt',
      '--account',
      'team',
    );
    expect(await stage.fleet('init')).toEqual({ schema: later, created: false, lease_seconds: 10 });
    expect(await stage.fleet('init', '--lease', '12s')).toEqual({
      schema: later,
      created: false,
      lease_seconds: 12,
    });
    expect(await stage.fleet('limits', 'team')).toEqual(before);
    await stage.worker('w1');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(await stage.sql('select version from dacapo.schema_version')).toEqual([{ version: later }]);
    // One that changes what older programs rely on ends them.
    await stage.sql('update dacapo.schema_version set usable_from = $1', [later]);
    for (const words of [['fleet', 'list'], ['fleet', 'init'], ['worker']])
      expect(JSON.parse((await stage.run(...words, '--json')).stdout)).toEqual({
        error: `the fleet's tables have version ${later}; this dacapo needs version ${SCHEMA_VERSION}.`,
        next: 'upgrade dacapo on this machine.',
        exit: 1,
      });
  },
);

test(
  'tables of an older init: every command and a worker say so, and init mends them',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(
      'Add.\ndo: echo x > x.txt',
      '--check',
      'test -e x.txt',
      '--account',
      'team',
    );
    const limits = await stage.fleet('limits', 'team', '--max-loops', '2');
    await stage.sql(
      `${WIDE_LEASES}
     alter table dacapo.loop drop column hosts, drop column journal, drop constraint live_loop_can_be_taken;
     alter table dacapo.worker drop column hosts, drop column accept, drop column journal;
     drop table dacapo.news; drop table dacapo.hold; drop table dacapo.pushed;
     alter table dacapo.schema_version drop column usable_from;
     update dacapo.schema_version set version = 1;
     create view dacapo.account_room as select id, max_calls_per_hour from dacapo.account`,
    );
    for (const words of [['fleet', 'list'], ['fleet', 'doctor'], ['fleet', 'cancel', id], ['worker']]) {
      const ran = await stage.run(...words, '--json');
      expect({ words, ...(JSON.parse(ran.stdout) as object) }).toEqual({
        words,
        error: `the fleet's tables have version 1; this dacapo needs version ${SCHEMA_VERSION}.`,
        next: expect.stringContaining('dacapo fleet init'),
        exit: 1,
      });
    }
    expect(await stage.fleet('init')).toEqual({ schema: SCHEMA_VERSION, created: false, lease_seconds: 10 });
    expect(await stage.fleet('limits', 'team')).toEqual(limits);
    await stage.worker('w1');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
  },
);

test('a loop that an older program has submitted as flags: init says so', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Add.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
  const words = { prompt: 'Add.', words: ['--check=test -e x.txt'], host: 'claude-code', extra: [] };
  await stage.sql('update dacapo.loop set request = $2 where id = $1', [id, words]);
  await stage.sql(`${WIDE_LEASES} update dacapo.schema_version set version = 6`);
  await stage.fleet('init');
  expect(await stage.status(id)).toMatchObject({
    status: 'interrupted',
    reason: expect.stringContaining('an older dacapo has submitted it. Submit it again'),
  });
  const resumed = await stage.run('fleet', 'resume', id);
  expect(resumed).toMatchObject({ code: 1, stderr: expect.stringContaining(`dacapo fleet cancel ${id}`) });
  await stage.fleet('cancel', id);
  expect(await stage.status(id)).toMatchObject({ status: 'cancelled' });
});

test('the init of an older program leaves what a newer one has made', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  await stage.sql(`create or replace view dacapo.spending as
    select account, loop, date_trunc('day', began) as day, count(*) as passes, sum(usd) as usd, 1 as later
    from dacapo.pass group by 1, 2, 3`);
  await stage.sql('update dacapo.schema_version set version = version + 1');
  expect(await stage.fleet('init')).toMatchObject({ created: false });
  expect(await stage.sql('select later from dacapo.spending')).toEqual([]);
});
