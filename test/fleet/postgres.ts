/**
 * A real Postgres for a run of the tests: begun by the first file that needs it, with one database for each
 * file.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import pg from 'pg';
import { assertTagged } from '../needs.ts';

const DEBIAN = '/usr/lib/postgresql';
const USER = 'fleet';
const PASSWORD = 'canary-password';
const USUAL_CONNECTIONS = 200;

function bin(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  return (
    versions.map((version) => join(DEBIAN, version, 'bin', name)).find((path) => existsSync(path)) ?? name
  );
}

/** Postgres refuses to run as root. */
export function asWhom(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A new database, on the cluster of this run unless the folder of another one is given. */
export async function makeDatabase(folder = process.env['DACAPO_TEST_POSTGRES'] ?? ''): Promise<{
  readonly url: string;
  readonly port: number;
  readonly name: string;
}> {
  const port = await portOf(folder);
  const name = `t_${randomBytes(4).toString('hex')}`;
  await admin(port, `create database ${name} owner ${USER}`);
  return { url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`, port, name };
}

/** A cluster of the test's own, whose server may crash. */
export function ownCluster(
  atEnd = onTestFinished,
  connections = USUAL_CONNECTIONS,
): {
  readonly folder: string;
  readonly crash: () => Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'dcpg-'));
  writeFileSync(join(folder, 'connections'), String(connections));
  atEnd(() => endCluster(folder));
  return {
    folder,
    /** As `pg_ctl stop -m immediate` does, and started again: it recovers from its log. */
    crash: async () => {
      const port = await portOf(folder);
      stopServer(folder);
      await startServer(folder, port);
    },
  };
}

export async function admin(port: number, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgres://root:root@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function portOf(folder: string): Promise<number> {
  assertTagged('postgres');
  const ready = join(folder, 'port');
  try {
    mkdirSync(join(folder, 'data'));
  } catch {
    // Another file is starting it.
    while (!existsSync(ready)) await sleep(50);
    return Number(readFileSync(ready, 'utf8'));
  }
  const port = await startCluster(folder);
  await admin(port, `create role ${USER} login password '${PASSWORD}'`);
  writeFileSync(`${ready}.tmp`, String(port));
  execFileSync('mv', [`${ready}.tmp`, ready]);
  return port;
}

async function startCluster(folder: string): Promise<number> {
  const whom = asWhom();
  const data = join(folder, 'data');
  chmodSync(folder, 0o755);
  if (whom.uid !== undefined) chownSync(data, whom.uid, whom.gid ?? whom.uid);
  const password = join(folder, 'password');
  writeFileSync(password, 'root');
  const made = spawnSync(
    bin('initdb'),
    [
      '-D',
      data,
      '-U',
      'root',
      '-A',
      'scram-sha-256',
      '--pwfile',
      password,
      '-E',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '-N',
    ],
    { ...whom, encoding: 'utf8', cwd: '/' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  await startServer(folder, port);
  return port;
}

/** Of a cluster of a test's own; null: of the one that the tests share. */
function connectionsOf(folder: string): number | null {
  const path = join(folder, 'connections');
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : null;
}

/** Nobody cuts the power of the server that the tests share. */
const UNSYNCED = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];

/** The folder of its socket: to another process of this machine it costs less than a port. */
export function socketFolder(folder = process.env['DACAPO_TEST_POSTGRES'] ?? ''): string {
  return join(folder, 'data');
}

/** Starts the server of this folder, also again after a crash. */
async function startServer(folder: string, port: number): Promise<void> {
  const log = openSync(join(folder, 'log'), 'a');
  const connections = connectionsOf(folder);
  const options = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${socketFolder(folder)}`,
    `port=${port}`,
    `max_connections=${connections ?? USUAL_CONNECTIONS}`,
    ...(connections === null ? UNSYNCED : []),
  ];
  const server = spawn(
    bin('postgres'),
    ['-D', join(folder, 'data'), ...options.flatMap((option) => ['-c', option])],
    { ...asWhom(), stdio: ['ignore', log, log], detached: true, cwd: '/' },
  );
  server.unref();
  for (;;) {
    try {
      await admin(port, 'select 1');
      return;
    } catch (error) {
      if (server.exitCode !== null)
        throw new Error(readFileSync(join(folder, 'log'), 'utf8'), { cause: error });
      await sleep(50);
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Of the server, as its data folder says. Null: it does not run. */
function serverPid(folder: string): number | null {
  const path = join(folder, 'data/postmaster.pid');
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : null;
}

/** At once, without a checkpoint. */
function stopServer(folder: string): void {
  const pid = serverPid(folder);
  if (pid !== null) process.kill(pid, 'SIGQUIT');
  for (let k = 0; k < 100 && serverPid(folder) !== null; k++) spawnSync('sleep', ['0.05']);
}

export function endCluster(folder: string): void {
  stopServer(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
