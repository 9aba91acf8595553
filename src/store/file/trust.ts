/** `trust.json`: what this user has agreed to run, pinned by digest. A file that can't be read trusts nothing. */
import { readAs, instant, list, oneOf, record, text, type Shape } from '../../core/shape.ts';
import type { Pin, Trust } from '../store.ts';
import { replaceFile } from './atomic.ts';
import { readIfThere, type Home } from './home.ts';

const pin: Shape<Pin> = record({
  project: text,
  file: text,
  digest: text,
  files: list(record({ file: text, digest: text })),
  fields: list(record({ file: text, field: text, digest: text })),
  at: instant,
});
const trust = record({ version: oneOf('1'), pins: list(pin) });

export function fileTrust({ trust: path }: Home): Trust {
  const write = (pins: readonly Pin[]) =>
    replaceFile(path, `${JSON.stringify({ version: '1', pins }, null, 2)}\n`);
  return {
    find: (project, file) => readPins(path).find((one) => isSame(one, { project, file })) ?? null,
    keep: (given) => write([...readPins(path).filter((one) => !isSame(one, given)), given]),
    drop: (which) => {
      const pins = readPins(path);
      const others = pins.filter((one) => !isSame(one, which));
      if (others.length === pins.length) return false;
      write(others);
      return true;
    },
  };
}

function readPins(path: string): readonly Pin[] {
  return readAs(trust, () => readIfThere(path))?.pins ?? [];
}

function isSame(a: Pick<Pin, 'project' | 'file'>, b: Pick<Pin, 'project' | 'file'>): boolean {
  return a.project === b.project && a.file === b.file;
}
