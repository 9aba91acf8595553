/**
 * The program that a host starts for each session. It loads the server beside it, from code that an earlier start has left
 * compiled: half of a start is V8 compiling the library. Without such code, or with code of another version, it compiles.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { findHome } from '../store/file/home.ts';

const SERVER = join(import.meta.dirname, 'mcp-server.cjs');
const CACHES = join(findHome(process.env, process.platform).dir, 'cache');
const PREFIX = 'mcp-';
/** By then a host has asked what it asks of every server, so that code is compiled too. */
const SETTLED_MS = 1_500;

/** V8 compares only the length of the source, so the name tells which source was compiled, and by which Node. */
function cacheOf(source: string): string {
  return join(CACHES, `${PREFIX}${process.version}-${process.arch}-${crc32(source)}.bin`);
}

const SUM_BYTES = 4;

/** V8 does not check code that it is given: a damaged file would crash this program at every start. */
function readIfWhole(path: string): Buffer | undefined {
  try {
    const file = readFileSync(path);
    const code = file.subarray(SUM_BYTES);
    return file.readUInt32LE() === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** A server without it only starts slower, so nothing here may fail. Those of other versions go. */
function keep(path: string, code: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${process.pid}.tmp`;
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(crc32(code));
    writeFileSync(unfinished, Buffer.concat([sum, code]), { mode: 0o600 });
    renameSync(unfinished, path);
    for (const name of readdirSync(CACHES).filter((one) => one.startsWith(PREFIX) && one.endsWith('.bin')))
      if (join(CACHES, name) !== path) rmSync(join(CACHES, name), { force: true });
  } catch {
    // The home is read-only, or the disk is full.
  }
}

const source = readFileSync(SERVER, 'utf8');
const cache = cacheOf(source);
const cachedData = readIfWhole(cache);
const script = new Script(Module.wrap(source), {
  filename: SERVER,
  ...(cachedData && { cachedData }),
});
const run: unknown = script.runInThisContext();
if (typeof run !== 'function') throw new TypeError(`${SERVER} is no module`);
const loaded = { exports: {} };
run(loaded.exports, createRequire(SERVER), loaded, SERVER, dirname(SERVER));
if (cachedData === undefined || script.cachedDataRejected)
  setTimeout(() => keep(cache, script.createCachedData()), SETTLED_MS).unref();
