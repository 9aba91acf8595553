/** A person agrees to what a project brings for the host itself: hooks, servers, variables. Exactly those files are pinned. */
import { relative } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { readTextIfAny } from '../../files/read.ts';
import { sha256 } from '../../files/sha256.ts';
import type { OfProject } from '../../hosts/headless.ts';
import { realPath } from '../../files/paths.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { Pin } from '../../store/store.ts';

/** Stands for all of these files in the list of what is trusted: no config has that name. */
const NAME = 'host';
const SHOWN = 12;
const LINE = 200;

/** Null: the person has agreed to exactly this. */
export function refuseUntrusted(project: string, found: OfProject, { store }: Runtime): Refusal | null {
  if (store.trust.find(realPath(project), NAME)?.digest === digestOf(found)) return null;
  const lines = found.runs.slice(0, SHOWN).map((line) => `  ${oneLine(line, LINE)}`);
  const more = found.runs.length > SHOWN ? [`  … and ${found.runs.length - SHOWN} more`] : [];
  return refuse(
    'untrusted',
    `Nobody has agreed yet to what this project runs by itself or sends elsewhere in a pass:\n${[...lines, ...more].join('\n')}`,
    'Look at these files. Then agree with dacapo trust, or in the dialog of a session that you open here.',
  );
}

/** Returns what was agreed to, for the screen. */
export function trustHost(project: string, found: OfProject, { store, now }: Runtime): Pin {
  const files = found.files.map((file) => ({
    file: relative(project, file),
    digest: sha256(readTextIfAny(file) ?? ''),
  }));
  const pin: Pin = {
    project: realPath(project),
    file: NAME,
    digest: digestOf(found),
    files,
    fields: [],
    at: now(),
  };
  store.trust.keep(pin);
  return pin;
}

export function untrustHost(project: string, { store }: Runtime): boolean {
  return store.trust.drop({ project: realPath(project), file: NAME });
}

function digestOf({ files }: OfProject): string {
  return sha256(files.map((file) => `${file}\0${readTextIfAny(file) ?? ''}\0`).join(''));
}
