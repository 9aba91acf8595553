/** The fields of package.json files that decide which file Node loads, and how Node reads it. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { isRecord, oneOf, type Infer } from '#base/shape.ts';
import { isFile } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';

export const isField = oneOf('type', 'main', 'exports', 'imports', 'name');

export interface PackageField {
  readonly path: string;
  readonly field: Infer<typeof isField>;
}

/** Larger than any package.json that a person writes by hand. */
const MAX_PACKAGE_BYTES = 1024 * 1024;
/** Their extension alone decides the format. */
const FIXED = ['.mjs', '.cjs', '.mts', '.cts', '.json', '.node'];

export function packageOf(path: string): string | null {
  for (let folder = dirname(path), last = ''; folder !== last; folder = dirname(folder)) {
    const found = join(folder, 'package.json');
    if (isFile(found)) return found;
    last = folder;
  }
  return null;
}

export function formatFieldOf(path: string): PackageField[] {
  const found = FIXED.includes(extname(path)) ? null : packageOf(path);
  return found === null ? [] : [{ path: found, field: 'type' }];
}

/** Returns null if the field is absent, or has its default value. */
export function digestOfField({ path, field }: PackageField): string | null {
  const value = readField(path, field);
  // Node's default, which `npm init` writes.
  if (value === undefined || (field === 'type' && value === 'commonjs')) return null;
  return sha256(JSON.stringify(value));
}

function readField(path: string, field: string): unknown {
  try {
    if (!isFile(path) || statSync(path).size > MAX_PACKAGE_BYTES) return undefined;
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(read) ? read[field] : undefined;
  } catch {
    return undefined;
  }
}
