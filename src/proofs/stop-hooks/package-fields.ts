/** The fields of package.json files that decide which file Node loads, and how it reads it. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { isRecord, oneOf, type Infer } from '../../core/shape.ts';

export const isField = oneOf('type', 'main', 'exports', 'imports', 'name');

/** A field of the package.json at `path`. */
export interface PackageField {
  readonly path: string;
  readonly field: Infer<typeof isField>;
}

/** Nobody writes a larger one by hand. */
const MOST_BYTES = 1024 * 1024;
/** They say by themselves what they are. */
const FIXED = ['.mjs', '.cjs', '.mts', '.cts', '.json', '.node'];

/** The package.json that Node finds for a file: in its folder, or the nearest above. */
export function packageOf(path: string): string | null {
  for (let folder = dirname(path), last = ''; folder !== last; folder = dirname(folder)) {
    const found = join(folder, 'package.json');
    if (isFile(found)) return found;
    last = folder;
  }
  return null;
}

/** What decides whether a file is CommonJS or an ES module. */
export function formatFieldOf(path: string): PackageField[] {
  const found = FIXED.includes(extname(path)) ? null : packageOf(path);
  return found === null ? [] : [{ path: found, field: 'type' }];
}

/** Null: it is not there, or says nothing. */
export function digestOfField({ path, field }: PackageField): string | null {
  const value = valueOf(path, field);
  // What Node assumes anyway, and `npm init` writes.
  if (value === undefined || (field === 'type' && value === 'commonjs')) return null;
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function valueOf(path: string, field: string): unknown {
  try {
    if (!isFile(path) || statSync(path).size > MOST_BYTES) return undefined;
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(read) ? read[field] : undefined;
  } catch {
    return undefined;
  }
}

export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
