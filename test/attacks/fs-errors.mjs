/**
 * Loaded into a process before it begins (`--import`): opening a path that matches FS_AT fails with the error
 * FS_ERROR. With EROFS only those that want to write fail, as on a disk that is mounted read-only. With ENOSPC
 * they open, and the first byte does not fit.
 * FS_AT=spawn: no process can be had.
 */
import processes from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FS_AT, FS_ERROR: code } = process.env;

if (FS_AT !== undefined && code !== undefined) {
  const at = new RegExp(FS_AT);
  const refuse = (call, path) => {
    if (typeof path !== 'string' || !at.test(path)) return;
    throw Object.assign(new Error(`${code}: made by a test, ${call} '${path}'`), {
      code,
      syscall: call,
      path,
    });
  };
  const wants = (flags) =>
    typeof flags === 'number' ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0 : flags !== 'r';
  const { openSync, readFileSync, readdirSync, writeFileSync } = fs;
  /** Open files on the full disk. */
  const full = new Map();
  fs.openSync = (path, flags = 'r', ...rest) => {
    if (code === 'EROFS' ? wants(flags) : code !== 'ENOSPC') refuse('open', path);
    const file = openSync(path, flags, ...rest);
    if (code === 'ENOSPC') full.set(file, path);
    return file;
  };
  const { writeSync } = fs;
  fs.writeSync = (file, ...rest) => {
    refuse('write', full.get(file));
    return writeSync(file, ...rest);
  };
  fs.writeFileSync = (path, ...rest) => {
    refuse('open', full.get(path) ?? path);
    return writeFileSync(path, ...rest);
  };
  if (code !== 'EROFS' && code !== 'ENOSPC') {
    fs.readFileSync = (path, ...rest) => {
      refuse('open', path);
      return readFileSync(path, ...rest);
    };
    fs.readdirSync = (path, ...rest) => {
      refuse('scandir', path);
      return readdirSync(path, ...rest);
    };
  }
  const { spawn } = processes;
  if (FS_AT === 'spawn')
    processes.spawn = (...given) => {
      const files = [];
      try {
        for (;;) files.push(openSync('/dev/null', 'r'));
      } catch {
        return spawn(...given);
      } finally {
        for (const file of files) fs.closeSync(file);
      }
    };
  syncBuiltinESMExports();
}
