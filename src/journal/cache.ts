/** `state.json`: the fold up to a position, so that reading stays flat. Wrong, old or absent, it is rebuilt. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hash } from '../core/hash.ts';
import type { Loop } from '../core/loop.ts';
import { record, text, whole } from '../core/shape.ts';

/** Raised whenever the shape of `Loop` changes: an older cache is then no cache. */
const VERSION = 6;

const heading = record({ version: whole, upTo: whole, check: text });

export interface Cached {
  readonly upTo: number;
  readonly loop: Loop;
}

export function readCache(path: string): Cached | null {
  try {
    const [head, body] = split(readFileSync(path, 'utf8'));
    const value: unknown = JSON.parse(head);
    if (!heading(value) || value.version !== VERSION || value.check !== hash(body)) return null;
    // The check makes it our own writing: its shape is the one of this version.
    return { upTo: value.upTo, loop: JSON.parse(body) as Loop };
  } catch {
    return null;
  }
}

/** It only saves time: a full disk, or a reader whose system allows no rename meanwhile, must not void a hearing. */
export function writeCache(path: string, { upTo, loop }: Cached): void {
  const body = JSON.stringify(loop);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify({ version: VERSION, upTo, check: hash(body) })}\n${body}\n`, {
      mode: 0o600,
    });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

function split(content: string): [string, string] {
  const newline = content.indexOf('\n');
  return [content.slice(0, newline), content.slice(newline + 1, -1)];
}
