/**
 * Node's file functions with a layer in between that sees what a process does to files below a folder: `note` gets
 * every change, in order, as one entry that `crash-images.ts` reads, and `before` is called ahead of every change
 * and every look. What `before` throws, the caller of the function gets, and nothing has happened.
 */
import fs from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

const real = { ...fs };
const STDOUT = 1;
const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY, O_RDWR } = fs.constants;
const FLAGS = { a: O_APPEND | O_CREAT | O_WRONLY, w: O_CREAT | O_TRUNC | O_WRONLY, r: 0, 'r+': O_RDWR };
/** Functions that only look, by the kind of their first argument. */
const LOOKS = {
  path: ['readFileSync', 'readdirSync', 'statSync', 'lstatSync', 'existsSync', 'realpathSync'],
  file: ['fstatSync', 'readSync'],
};

export function layerOver({ below, note: tell, before = () => undefined }) {
  const fs = {};
  /** Some functions of Node are made of others, which then would be noted as well. */
  let depth = 0;
  const note = (entry) => {
    if (depth === 0) tell(entry);
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
  const ask = (what, path) => {
    if (isOurs(path)) before(what, path);
  };
  /** By descriptor: the path, and where the next write goes; null: at the end. */
  const files = new Map();
  const encoded = (data, encoding) =>
    (typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data)).toString('base64');
  const numberOf = (flags) =>
    typeof flags === 'number' ? flags : (FLAGS[flags.replace('x', '')] ?? O_CREAT | O_RDWR);

  fs.openSync = (path, flags = 'r', ...rest) => {
    ask('open', path);
    const isNew = isOurs(path) && !isThere(path);
    const file = real.openSync(path, flags, ...rest);
    if (!isOurs(path)) return file;
    const how = numberOf(flags);
    if (isNew) note({ is: 'create', path: resolve(path) });
    else if (how & O_TRUNC) note({ is: 'truncate', path: resolve(path), to: 0 });
    files.set(file, { path: resolve(path), at: how & O_APPEND ? null : 0 });
    return file;
  };
  fs.closeSync = (file) => {
    files.delete(file);
    return real.closeSync(file);
  };
  fs.writeSync = (file, data, ...rest) => {
    const known = files.get(file);
    if (known !== undefined) ask('write', known.path);
    const written = real.writeSync(file, data, ...rest);
    if (file === STDOUT) note({ is: 'say', text: String(data) });
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
    if (known !== undefined) ask('sync', known.path);
    const result = real[name](file);
    if (known !== undefined) note({ is: 'sync', path: known.path });
    return result;
  };
  fs.fsyncSync = sync('fsyncSync');
  fs.fdatasyncSync = sync('fdatasyncSync');
  fs.ftruncateSync = (file, to = 0) => {
    const known = files.get(file);
    if (known !== undefined) ask('truncate', known.path);
    real.ftruncateSync(file, to);
    if (known !== undefined) note({ is: 'truncate', path: known.path, to });
  };
  /** Three calls of the system or four: the file is there, empty, before it has its content. */
  const writeWhole = (name, usual) => (path, data, options) => {
    if (!isOurs(path)) return real[name](path, data, options);
    const {
      flag = usual,
      flush = false,
      encoding = 'utf8',
    } = typeof options === 'string' ? { encoding: options } : (options ?? {});
    ask('open', path);
    const isNew = !isThere(path);
    const file = quietly(() => real.openSync(path, flag, options?.mode ?? 0o666));
    try {
      if (isNew) note({ is: 'create', path: resolve(path) });
      else if (flag.startsWith('w')) note({ is: 'truncate', path: resolve(path), to: 0 });
      ask('write', path);
      quietly(() => real.writeFileSync(file, data, { encoding }));
      const at = flag.startsWith('a') ? null : 0;
      note({ is: 'write', path: resolve(path), at, bytes: encoded(data, encoding) });
      if (!flush) return undefined;
      ask('sync', path);
      real.fsyncSync(file);
      note({ is: 'sync', path: resolve(path) });
    } finally {
      real.closeSync(file);
    }
    return undefined;
  };
  fs.writeFileSync = writeWhole('writeFileSync', 'w');
  fs.appendFileSync = writeWhole('appendFileSync', 'a');
  fs.mkdirSync = (path, options) => {
    ask('mkdir', path);
    const missing = [];
    if (isOurs(path))
      for (let one = resolve(path); isOurs(one) && !isThere(one); one = dirname(one)) missing.unshift(one);
    const made = quietly(() => real.mkdirSync(path, options));
    for (const one of missing) note({ is: 'mkdir', path: one });
    return made;
  };
  fs.renameSync = (from, to) => {
    ask('rename', to);
    real.renameSync(from, to);
    if (isOurs(from) && isOurs(to)) note({ is: 'rename', path: resolve(from), to: resolve(to) });
  };
  fs.linkSync = (from, to) => {
    ask('link', to);
    real.linkSync(from, to);
    if (isOurs(to)) note({ is: 'link', path: resolve(from), to: resolve(to) });
  };
  fs.unlinkSync = (path) => {
    ask('unlink', path);
    real.unlinkSync(path);
    if (isOurs(path)) note({ is: 'unlink', path: resolve(path) });
  };
  fs.copyFileSync = (from, to, mode) => {
    ask('write', to);
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
    ask('remove', path);
    const gone = isOurs(path) ? removed(path) : [];
    quietly(() => real.rmSync(path, options));
    gone.forEach(note);
  };
  fs.rmdirSync = (path) => {
    ask('remove', path);
    real.rmdirSync(path);
    if (isOurs(path)) note({ is: 'rmdir', path: resolve(path) });
  };
  for (const name of LOOKS.path)
    fs[name] = Object.assign((path, ...rest) => {
      ask('look', path);
      return real[name](path, ...rest);
    }, real[name]);
  for (const name of LOOKS.file)
    fs[name] = (file, ...rest) => {
      const known = files.get(file);
      if (known !== undefined) ask('look', known.path);
      return real[name](file, ...rest);
    };
  /** Closes what a process that is gone has left open. */
  const closeAll = () => {
    for (const file of files.keys()) real.closeSync(file);
    files.clear();
  };
  return { fs, closeAll };
}
