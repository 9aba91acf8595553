// @module-tag postgres
/** Every command of a fleet against a database that is not there, not ours, not ready or too new. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import pg from 'pg';
import { SCHEMA_VERSION } from '#fleet/schema/migrations.ts';
import { makeBox, type Box } from '../../surfaces/cli/box.ts';
import { admin, makeDatabase } from '../postgres.ts';

function failing(box: Box, args: string[], env: Record<string, string> = {}) {
  const ran = box.run(['fleet', ...args, '--json'], env);
  const said: { error: string; next: string; exit: number } = JSON.parse(ran.stdout);
  expect(said.exit).toBe(ran.code);
  expect(said.next).not.toBe('');
  expect(ran.stderr).toContain(`error: ${said.error}`);
  expect(ran.stdout + ran.stderr).not.toContain('canary-password');
  return said;
}

describe('which fleet', () => {
  test.each([
    ['nothing', []],
    ['another database', ['--database', 'mysql://u:canary-password@h/d']],
    ['a path', ['--database', '/var/run/postgres']],
  ])('%s is wrong usage that names the variable', (_name, flags) => {
    const said = failing(makeBox(), ['list', ...flags]);
    expect(said).toMatchObject({ exit: 2, next: expect.stringContaining('DACAPO_FLEET') });
  });

  test('a database that is down fails within a few seconds', () => {
    const said = failing(makeBox(), ['list'], { DACAPO_FLEET: 'postgres://u:canary-password@127.0.0.1:1/d' });
    expect(said).toMatchObject({ exit: 1, error: expect.stringContaining("can't be reached") });
  });

  test('init keeps the URL for this user alone, and the other commands use it', async () => {
    const box = makeBox();
    const { url } = await makeDatabase();
    const made = box.run(['fleet', 'init', '--database', url, '--json']);
    expect(JSON.parse(made.stdout)).toEqual({ schema: SCHEMA_VERSION, created: true, lease_seconds: 15 });
    const file = join(box.dacapoHome, 'fleet.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ database: url });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(box.run(['fleet', 'list', '--json']).stdout)).toEqual([]);
  });
});

describe('a database that says no', () => {
  test('a wrong password, no such database, no rights: the error says which', async () => {
    const box = makeBox();
    const { url, port, name } = await makeDatabase();
    const wrong = url.replace('canary-password', 'nonsense');
    expect(failing(box, ['list', '--database', wrong])).toMatchObject({
      exit: 1,
      error: expect.stringContaining('password'),
    });
    const nowhere = url.replace(name, 'nowhere');
    expect(failing(box, ['list', '--database', nowhere]).error).toContain('no such database');
    expect(box.run(['fleet', 'init', '--database', url]).code).toBe(0);
    await admin(port, `create role guest_${name} login password 'canary-password'`);
    const guest = url.replace('fleet:', `guest_${name}:`);
    expect(failing(box, ['list', '--database', guest]).error).toContain('no rights');
    expect(failing(box, ['init', '--database', guest])).toMatchObject({ exit: 1 });
  });

  test('tables that are missing, older or newer', async () => {
    const box = makeBox();
    const { url } = await makeDatabase();
    const env = { DACAPO_FLEET: url };
    expect(failing(box, ['list'], env)).toMatchObject({
      exit: 1,
      next: expect.stringContaining('dacapo fleet init'),
    });
    expect(box.run(['fleet', 'init', '--lease', '20s'], env).code).toBe(0);
    const again = box.run(['fleet', 'init', '--json'], env);
    expect(JSON.parse(again.stdout)).toEqual({
      schema: SCHEMA_VERSION,
      created: false,
      lease_seconds: 20,
    });
    const client = new pg.Client(url);
    await client.connect();
    const set = (version: number, usableFrom: number) =>
      client.query('update dacapo.schema_version set version = $1, usable_from = $2', [version, usableFrom]);
    await set(SCHEMA_VERSION - 1, 1);
    expect(failing(box, ['list'], env).next).toContain('dacapo fleet init');
    await set(SCHEMA_VERSION, 1);
    expect(box.run(['fleet', 'list'], env).code).toBe(0);
    await set(99, 99);
    expect(failing(box, ['list'], env)).toMatchObject({
      error: expect.stringContaining(`version 99; this dacapo needs version ${SCHEMA_VERSION}`),
      next: expect.stringContaining('upgrade dacapo'),
    });
    expect(failing(box, ['init'], env).next).toContain('upgrade dacapo');
    await client.end();
  });
});

test('init refuses a lease that is too short', async () => {
  expect(failing(makeBox(), ['init', '--lease', '2s'], { DACAPO_FLEET: 'postgres://h/d' })).toMatchObject({
    exit: 2,
  });
});

test('limits are set, changed and taken away', async () => {
  const box = makeBox();
  const env = { DACAPO_FLEET: (await makeDatabase()).url };
  box.run(['fleet', 'init'], env);
  const limits = (...args: string[]): unknown =>
    JSON.parse(box.run(['fleet', 'limits', ...args, '--json'], env).stdout);
  const none = { max_loops: null, max_calls_per_hour: null, max_cost_per_day: null };
  expect(limits()).toEqual([{ account: 'default', ...none }]);
  expect(limits('team', '--max-loops', '2', '--max-cost-per-day', '2.50')).toEqual([
    { account: 'team', ...none, max_loops: 2, max_cost_per_day: 2.5 },
  ]);
  expect(limits('team', '--max-loops', 'off', '--max-calls-per-hour', '7')).toEqual([
    { account: 'team', ...none, max_calls_per_hour: 7, max_cost_per_day: 2.5 },
  ]);
  expect(limits()).toHaveLength(2);
  expect(failing(box, ['limits', '--max-loops', 'many'], env)).toMatchObject({ exit: 2 });
});
