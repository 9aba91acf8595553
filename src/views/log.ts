/** A log beside a view, in two files of bounded size. Links are not followed; one that can't be written is no error. */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MOST = 1024 * 1024;
const APPENDING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

export function appendLog(path: string, lines: string): void {
  const file = openSync(path, APPENDING, 0o644);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return;
    writeSync(file, lines);
    if (stat.size + lines.length > MOST) renameSync(path, `${path}.1`);
  } finally {
    closeSync(file);
  }
}
