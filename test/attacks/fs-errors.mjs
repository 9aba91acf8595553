/**
 * Loaded into a process before it begins (`--import`): opening a path that matches FS_AT fails with the error
 * FS_ERROR. With EROFS only those that want to write fail, as on a disk that is mounted read-only.
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
  fs.openSync = (path, flags = 'r', ...rest) => {
    if (code !== 'EROFS' || wants(flags)) refuse('open', path);
    return openSync(path, flags, ...rest);
  };
  fs.writeFileSync = (path, ...rest) => {
    refuse('open', path);
    return writeFileSync(path, ...rest);
  };
  if (code !== 'EROFS') {
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
