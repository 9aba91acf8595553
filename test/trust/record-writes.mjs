/**
 * Loaded into a process before it begins (`--import`): notes every change that it makes to files below
 * WRITES_BELOW, and everything that it says on stdout, in order, one JSON line each, in the file WRITES_LOG.
 * `crash-images.ts` reads them.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';

const { WRITES_LOG: log, WRITES_BELOW: below } = process.env;
const real = { ...fs };
const STDOUT = 1;

if (log !== undefined && below !== undefined) {
  const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY, O_RDWR } = fs.constants;
  const FLAGS = { a: O_APPEND | O_CREAT | O_WRONLY, w: O_CREAT | O_TRUNC | O_WRONLY, r: 0, 'r+': O_RDWR };
  const numberOf = (flags) =>
    typeof flags === 'number' ? flags : (FLAGS[flags.replace('x', '')] ?? O_CREAT | O_RDWR);
  const out = real.openSync(log, 'a', 0o600);
  /** Some functions of Node are made of others, which then would be noted as well. */
  let depth = 0;
  const note = (entry) => {
    if (depth === 0) real.writeSync(out, `${JSON.stringify(entry)}\n`);
  };
  const quietly = (act) => {
    depth++;
    try {
      return act();
    } finally {
      depth--;
    }
  };
  const isOurs = (path) => typeof path === 'string' && `${resolve(path)}${sep}`.startsWith(below + sep);
  const isThere = (path) => real.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  /** By descriptor: the path, and where the next write goes; null: at the end. */
  const files = new Map();
  const encoded = (data, encoding) =>
    (typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data)).toString('base64');

  const opened = (file, path, flags) => {
    const how = numberOf(flags);
    files.set(file, { path: resolve(path), at: how & O_APPEND ? null : 0, isFolder: false });
  };
  fs.openSync = (path, flags = 'r', ...rest) => {
    const isNew = isOurs(path) && !isThere(path);
    const file = real.openSync(path, flags, ...rest);
    if (!isOurs(path)) return file;
    const how = numberOf(flags);
    if (isNew) note({ is: 'create', path: resolve(path) });
    else if (how & O_TRUNC) note({ is: 'truncate', path: resolve(path), to: 0 });
    opened(file, path, flags);
    return file;
  };
  fs.closeSync = (file) => {
    files.delete(file);
    return real.closeSync(file);
  };
  fs.writeSync = (file, data, ...rest) => {
    const written = real.writeSync(file, data, ...rest);
    if (file === STDOUT) note({ is: 'say', text: String(data) });
    const known = files.get(file);
    if (known === undefined) return written;
    const position = typeof data === 'string' ? rest[0] : rest[2];
    const at = typeof position === 'number' ? position : known.at;
    const bytes = Buffer.from(encoded(data, 'utf8'), 'base64').subarray(0, written);
    note({ is: 'write', path: known.path, at, bytes: bytes.toString('base64') });
    if (known.at !== null && typeof position !== 'number') known.at += written;
    return written;
  };
  const sync = (name) => (file) => {
    const known = files.get(file);
    const result = real[name](file);
    if (known !== undefined) note({ is: 'sync', path: known.path });
    return result;
  };
  fs.fsyncSync = sync('fsyncSync');
  fs.fdatasyncSync = sync('fdatasyncSync');
  fs.ftruncateSync = (file, to = 0) => {
    real.ftruncateSync(file, to);
    const known = files.get(file);
    if (known !== undefined) note({ is: 'truncate', path: known.path, to });
  };
  const writeWhole = (name, usual) => (path, data, options) => {
    if (!isOurs(path)) return real[name](path, data, options);
    const {
      flag = usual,
      flush = false,
      encoding = 'utf8',
    } = typeof options === 'string' ? { encoding: options } : (options ?? {});
    const isNew = !isThere(path);
    quietly(() => real[name](path, data, options));
    if (isNew) note({ is: 'create', path: resolve(path) });
    else if (flag.startsWith('w')) note({ is: 'truncate', path: resolve(path), to: 0 });
    note({
      is: 'write',
      path: resolve(path),
      at: flag.startsWith('a') ? null : 0,
      bytes: encoded(data, encoding),
    });
    if (flush) note({ is: 'sync', path: resolve(path) });
    return undefined;
  };
  fs.writeFileSync = writeWhole('writeFileSync', 'w');
  fs.appendFileSync = writeWhole('appendFileSync', 'a');
  fs.mkdirSync = (path, options) => {
    const missing = [];
    if (isOurs(path))
      for (let one = resolve(path); isOurs(one) && !isThere(one); one = dirname(one)) missing.unshift(one);
    const made = quietly(() => real.mkdirSync(path, options));
    for (const one of missing) note({ is: 'mkdir', path: one });
    return made;
  };
  fs.renameSync = (from, to) => {
    real.renameSync(from, to);
    if (isOurs(from) && isOurs(to)) note({ is: 'rename', path: resolve(from), to: resolve(to) });
  };
  fs.linkSync = (from, to) => {
    real.linkSync(from, to);
    if (isOurs(to)) note({ is: 'link', path: resolve(from), to: resolve(to) });
  };
  fs.unlinkSync = (path) => {
    real.unlinkSync(path);
    if (isOurs(path)) note({ is: 'unlink', path: resolve(path) });
  };
  fs.copyFileSync = (from, to, mode) => {
    const isNew = isOurs(to) && !isThere(to);
    quietly(() => real.copyFileSync(from, to, mode));
    if (!isOurs(to)) return;
    note(isNew ? { is: 'create', path: resolve(to) } : { is: 'truncate', path: resolve(to), to: 0 });
    note({ is: 'write', path: resolve(to), at: 0, bytes: encoded(real.readFileSync(from)) });
  };
  const removed = (path) => {
    if (!isThere(path)) return [];
    if (!real.lstatSync(path).isDirectory()) return [{ is: 'unlink', path: resolve(path) }];
    const inside = real.readdirSync(path).flatMap((name) => removed(join(path, name)));
    return [...inside, { is: 'rmdir', path: resolve(path) }];
  };
  fs.rmSync = (path, options) => {
    const gone = isOurs(path) ? removed(path) : [];
    quietly(() => real.rmSync(path, options));
    gone.forEach(note);
  };
  fs.rmdirSync = (path) => {
    real.rmdirSync(path);
    if (isOurs(path)) note({ is: 'rmdir', path: resolve(path) });
  };
  syncBuiltinESMExports();
}
