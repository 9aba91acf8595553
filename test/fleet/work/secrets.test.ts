// @module-tag postgres
/** Keys of a worker stay on it, and nothing that it runs learns how to reach the database. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage, type Stage } from '../stage.ts';

const KEY = 'canary-key-4711';

/** All that the tables hold. */
async function everyRow(stage: Stage): Promise<string> {
  const tables = await stage.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'dacapo'`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const content = name === 'file' ? `|| convert_from(t.content, 'utf8')` : '';
    const rows = await stage.sql<{ row: string }>(`select t::text ${content} as row from dacapo.${name} t`);
    all.push(...rows.map(({ row }) => row));
  }
  return all.join('\n');
}

test(
  'no key is in any row, ref or line, and no program of a loop sees the database',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const dump = (name: string) => join(stage.root, `${name}.env`);
    const id = await stage.submit(
      `Work.\ndo: env > ${dump('pass')}; echo x > x.txt`,
      '--check',
      `env > ${dump('check')}; test -e x.txt`,
      '--setup',
      `env > ${dump('setup')}`,
      '--commit',
    );
    const worker = await stage.worker('w1', [], {
      ANTHROPIC_API_KEY: KEY,
      PGPASSWORD: 'canary-pg',
      PGHOST: 'canary-host',
    });
    await stage.until(id, hasEnded);
    for (const name of ['pass', 'check', 'setup']) {
      const env = readFileSync(dump(name), 'utf8');
      expect(env).not.toMatch(/DACAPO_FLEET|^PG|canary-password|canary-pg|postgres:/m);
      expect(env).toContain('PATH=');
    }
    expect(readFileSync(dump('pass'), 'utf8')).toContain(KEY);
    expect(await everyRow(stage)).not.toContain(KEY);
    const refs = execFileSync('git', ['-C', stage.repo, 'for-each-ref', '--format=%(refname)'], {
      encoding: 'utf8',
    });
    expect(refs).toContain(`refs/dacapo/${id}/1/1`);
    const all = execFileSync('git', ['-C', stage.repo, 'log', '--all', '-p', '--format=%B'], {
      encoding: 'utf8',
    });
    expect(all + JSON.stringify(worker.lines)).not.toContain(KEY);
  },
);

test('a key that an agent and a check print stays on the worker', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit(
    'Work.\ndo: echo x > x.txt',
    '--check',
    'echo It is $ANTHROPIC_API_KEY; test -e x.txt',
  );
  await stage.worker('w1', [], { ANTHROPIC_API_KEY: KEY, HOST_SAYS: `The key is ${KEY}.` });
  await stage.until(id, hasEnded);
  const attached = await stage.run('fleet', 'attach', id, '--json');
  expect(attached.stdout).toContain('The key is [ANTHROPIC_API_KEY].');
  const { folder } = await stage.fleet<{ folder: string }>('pull', id);
  const [proof = ''] = readdirSync(join(folder, 'evidence'));
  expect(readFileSync(join(folder, 'evidence', proof), 'utf8')).toBe('It is [ANTHROPIC_API_KEY]\n');
  expect(attached.stdout + (await everyRow(stage))).not.toContain(KEY);
});

test('a URL with a password is refused', async () => {
  const stage = await openStage();
  for (const flags of [
    ['--repo', 'https://user:secret@example.org/x.git'],
    ['--repo', 'https://token@example.org/x.git'],
    ['--repo', stage.repo, '--points', 'ssh://user:secret@example.org/x.git'],
  ]) {
    const ran = await stage.run('fleet', 'submit', 'Work.', ...flags, '--ref', 'main', '--json');
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: expect.stringContaining('password') });
    expect(ran.stdout + ran.stderr).not.toContain('secret');
  }
});
