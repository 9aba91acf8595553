/** The files of the page, as the build left them. They are few and small, so they are read once and kept. */
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** By the path under which the browser asks for it. */
export type Assets = ReadonlyMap<string, Asset>;

export function readAssets(folder: string): Assets {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    assets.set(name === 'index.html' ? '/' : `/${name}`, { type, plain, gzipped: gzipSync(plain) });
  }
  return assets;
}
