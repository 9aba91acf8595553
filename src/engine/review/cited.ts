/**
 * Whether an approval names something that the reviewer looked at: a line of a file that is there, or a
 * command that it ran. One that names nothing may come from an agent that has read nothing.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { attempt } from '#base/shape.ts';
import { isIn } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';

const LINE_OF_FILE = /^\W*(?<file>\S.*?):(?<line>\d+)(?!\w)/;
const COMMAND = /^\W*ran\W+\w/i;

/** `ran`: whether the host has seen it use a tool. */
export function citesAnything(seen: readonly string[], folder: string, ran: boolean): boolean {
  return seen.some((one) => (ran && COMMAND.test(one)) || hasLine(one, folder));
}

function hasLine(cited: string, folder: string): boolean {
  const { file = '', line = '' } = LINE_OF_FILE.exec(cited)?.groups ?? {};
  const path = attempt(() => realpathSync(resolve(folder, file)), null);
  if (path === null || !isIn(path, realpathSync(folder))) return false;
  const read = readRegular(path);
  return read.is === 'content' && Number(line) >= 1 && Number(line) <= read.content.split('\n').length;
}
