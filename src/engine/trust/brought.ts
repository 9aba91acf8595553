/**
 * What a project brings along for hosts is looked at when a run begins, and compared before each later start
 * of a host: an agent or a check may have written what the next pass would run. A difference needs a person,
 * who agrees with `dacapo trust`.
 */
import { list, readAs, record, text, type Infer } from '#base/shape.ts';
import { sayPlanted } from '#law/words/phrases.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { realPath } from '#base/files/paths.ts';
import { ADAPTERS } from '#hosts/tables/adapters.ts';
import type { HeadlessHost } from '#hosts/port/headless.ts';
import { planOf } from '#law/record/plan.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { agreedFiles, changedSince, pinnedIn } from './trust.ts';

const KEPT = 'brought.json';

const kept = list(record({ file: text, digest: text }));
export type Brought = Infer<typeof kept>;

/** For all hosts: another one may carry the loop on. */
export function lookAtBrought(project: string, { env }: Pick<Runtime, 'env'>): Brought {
  const place = { project, env, platform: process.platform };
  const found = ADAPTERS.flatMap(({ headless }) => headless.brought?.(place) ?? []);
  return found.flatMap((one) => pinnedIn(project, one));
}

export function keepBrought({ blobs }: OpenLoop, brought: Brought): void {
  blobs.write(KEPT, JSON.stringify(brought));
}

/**
 * Empty: nothing is new for this host, or a person has agreed to it. A loop without a first look gets it now.
 */
export function plantedFor(open: OpenLoop, host: HeadlessHost, runtime: Runtime): readonly string[] {
  const { project, ...loop } = open.loop();
  const known = readAs(kept, () => open.blobs.read(KEPT));
  if (known === null) {
    keepBrought(open, lookAtBrought(project, runtime));
    return [];
  }
  const found = host.brought?.({ project, env: runtime.env, platform: process.platform }) ?? null;
  if (found === null) return [];
  const places = [project, planOf(loop).worktreeOf ?? project].map(realPath);
  const agreed = places.flatMap((place) => agreedFiles(place, runtime));
  return changedSince(project, found, [...known, ...agreed]);
}

export function refusePlanted(open: OpenLoop, host: HeadlessHost, runtime: Runtime): Refusal | null {
  const files = plantedFor(open, host, runtime);
  if (files.length === 0) return null;
  const { id, project } = open.loop();
  return refuse(
    'planted',
    `Loop ${id}: ${sayPlanted({ host: host.name, files })}.`,
    `Look at it in ${shellWord(project)}. Remove it, or agree with dacapo trust there; then dacapo ` +
      `resume ${id}.`,
  );
}
