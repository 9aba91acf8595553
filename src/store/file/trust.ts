/**
 * `trust.json`: what of a project's own files this user has agreed to run, pinned by digest. A file that can't be read
 * trusts nothing.
 */
import { readFileSync } from 'node:fs';
import { instant, list, oneOf, record, text, type Infer } from '../../core/shape.ts';
import type { Home } from './home.ts';
import { replaceFile } from './atomic.ts';

const pin = record({
  project: text,
  /** The config, as seen from the project. */
  file: text,
  /** Of all the files together. */
  digest: text,
  /** The config and every file that it loads, each with the digest of its content. */
  files: list(record({ file: text, digest: text })),
  /** What of package.json files decides which files these are, and how they are read. */
  fields: list(record({ file: text, field: text, digest: text })),
  at: instant,
});
export type Pin = Infer<typeof pin>;
/** What exactly was agreed to. */
export type Pins = Pick<Pin, 'files' | 'fields'>;

const trust = record({ version: oneOf('1'), pins: list(pin) });

export function trustedPin(home: Home, project: string, file: string): Pin | null {
  return readPins(home).find((one) => one.project === project && one.file === file) ?? null;
}

function readPins(home: Home): readonly Pin[] {
  try {
    const value: unknown = JSON.parse(readFileSync(home.trust, 'utf8'));
    return trust(value) ? value.pins : [];
  } catch {
    return [];
  }
}

/** Replaces what was agreed for the same file of the same project. */
export function keepPin(home: Home, given: Pin): void {
  const others = readPins(home).filter((one) => !isSame(one, given));
  write(home, [...others, given]);
}

/** False: nothing was agreed. */
export function dropPin(home: Home, which: Pick<Pin, 'project' | 'file'>): boolean {
  const pins = readPins(home);
  const others = pins.filter((one) => !isSame(one, which));
  if (others.length === pins.length) return false;
  write(home, others);
  return true;
}

function isSame(a: Pick<Pin, 'project' | 'file'>, b: Pick<Pin, 'project' | 'file'>): boolean {
  return a.project === b.project && a.file === b.file;
}

function write(home: Home, pins: readonly Pin[]): void {
  replaceFile(home.trust, `${JSON.stringify({ version: '1', pins }, null, 2)}\n`);
}
