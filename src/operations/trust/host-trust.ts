/** What the project brings for the host itself, as far as a person has agreed to it. */
import { relative } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { realPath } from '../../files/paths.ts';
import { readTextIfAny } from '../../files/read.ts';
import { sha256 } from '../../files/sha256.ts';
import type { OfProject } from '../../hosts/headless.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { Pin } from '../../store/store.ts';

/** Stands for all of these files in the list of what is trusted: no config has that name. */
const NAME = 'host';
const SHOWN = 12;
const LINE = 200;

/** Hooks, servers and variables of the project's own settings. Null: the person has agreed to exactly these. */
export function refuseUntrusted(
  project: string,
  found: OfProject,
  { store }: Pick<Runtime, 'store'>,
): Refusal | null {
  if (store.trust.find(realPath(project), NAME)?.digest === digestOf(found)) return null;
  const lines = found.runs.slice(0, SHOWN).map((line) => `  ${oneLine(line, LINE)}`);
  const more = found.runs.length > SHOWN ? [`  … and ${found.runs.length - SHOWN} more`] : [];
  return refuse(
    'untrusted',
    `Nobody has agreed yet to what this project runs by itself or sends elsewhere in a pass:\n${[...lines, ...more].join('\n')}`,
    'Look at these files. Then agree with dacapo trust, or in the dialog of a session that you open here.',
  );
}

export function trustHost(project: string, found: OfProject, { store, now }: Runtime): Pin {
  const files = found.files.map((file) => ({
    file: relative(project, file),
    digest: sha256(readTextIfAny(file) ?? ''),
  }));
  const digest = digestOf(found);
  const pin: Pin = { project: realPath(project), file: NAME, digest, files, fields: [], at: now() };
  store.trust.keep(pin);
  return pin;
}

export function untrustHost(project: string, { store }: Runtime): boolean {
  return store.trust.drop({ project: realPath(project), file: NAME });
}

function digestOf({ files }: OfProject): string {
  return sha256(files.map((file) => `${file}\0${readTextIfAny(file) ?? ''}\0`).join(''));
}
