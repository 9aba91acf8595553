/**
 * What a project brings along for hosts is looked at when a run begins, and compared before each later start
 * of a host: an agent or a check may have written what the next pass would run. A difference needs a person,
 * who agrees with `dacapo trust`.
 */
import { advise, type Refused } from '#telling/advice.ts';
import { list, readAs, record, text, type Infer } from '#base/shape.ts';
import { isLive, planOf } from '#law/loop.ts';
import { sayPlanted } from '#law/words/phrases.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { realPath } from '#base/files/paths.ts';
import { allAdapters } from '#hosts/tables/adapters.ts';
import type { HeadlessHost } from '#hosts/port/headless.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { refuseToAgents } from './people-only.ts';
import { agreedFiles, filesChangedSince, keepHostPin, pinnedIn, type FileNow } from './trust.ts';

/** The code of a refusal that a person's agreement lifts. */
export const PLANTED = 'planted';

const BROUGHT_FILE = 'brought.json';

const kept = list(record({ file: text, digest: text }));
export type BroughtFiles = Infer<typeof kept>;

/** For all hosts: another one may carry the loop on. */
export function lookAtBrought(project: string, { env }: Pick<Runtime, 'env'>): BroughtFiles {
  const place = { project, env, platform: process.platform };
  const found = allAdapters().flatMap(({ headless }) => headless.brought?.(place) ?? []);
  return found.flatMap((one) => pinnedIn(project, one));
}

function readBrought({ blobs }: OpenLoop): BroughtFiles | null {
  return readAs(kept, () => blobs.read(BROUGHT_FILE));
}

export function keepBrought({ blobs }: OpenLoop, brought: BroughtFiles): void {
  blobs.write(BROUGHT_FILE, JSON.stringify(brought));
}

/**
 * Empty: nothing is new for this host, or a person has agreed to it. A loop without a first look gets it now.
 */
function plantedFor(open: OpenLoop, host: HeadlessHost, runtime: Runtime): readonly FileNow[] {
  const { project, ...loop } = open.loop();
  const known = readBrought(open);
  if (known === null) {
    keepBrought(open, lookAtBrought(project, runtime));
    return [];
  }
  const found = host.brought?.({ project, env: runtime.env, platform: process.platform }) ?? null;
  if (found === null) return [];
  const places = [project, planOf(loop).worktreeOf ?? project].map(realPath);
  const agreed = places.flatMap((place) => agreedFiles(place, runtime));
  return filesChangedSince(project, found, [...known, ...agreed]);
}

/** The loop then needs a person. Null: there is nothing to agree to. */
export function recordPlanted(open: OpenLoop, host: HeadlessHost, runtime: Runtime) {
  const found = plantedFor(open, host, runtime);
  if (found.length === 0) return null;
  const files = found.map(({ file }) => file);
  const planted = { host: host.name, files, digests: found.map(({ digest }) => digest) };
  open.write({ type: 'planted', at: runtime.now(), ...planted });
  return planted;
}

export function refusePlanted(open: OpenLoop, host: HeadlessHost, runtime: Runtime): Refusal | null {
  const files = plantedFor(open, host, runtime).map(({ file }) => file);
  if (files.length === 0) return null;
  const { id, project } = open.loop();
  return refuse(
    PLANTED,
    `Loop ${id}: ${sayPlanted({ host: host.name, files })}.`,
    `Look at it in ${shellWord(project)}. Remove it, or agree with dacapo trust there; then dacapo ` +
      `resume ${id}.`,
  );
}

/**
 * Agrees to what the loop was stopped for, from wherever the person is: the record says what these files
 * hold. A machine that has other files there asks again.
 */
export function agreeToPlanted(open: OpenLoop, { env }: Pick<Runtime, 'env'>): Refused | null {
  const refusal = refuseToAgents('dacapo fleet trust', env);
  if (refusal !== null) return refusal;
  const { id } = open.loop();
  const { events } = open.journal.read(0);
  const planted = events.findLast((event) => event.type === 'planted');
  if (planted === undefined || isLive(open.loop()))
    return refuse(
      'not-planted',
      `Loop ${id} was not stopped for files of its project that you have not agreed to.`,
      advise`${{ verb: 'status', loop: id }} shows its status.`,
    );
  const agreed = planted.files.flatMap((file, at) => {
    const digest = planted.digests?.[at] ?? null;
    return digest === null ? [] : [{ file, digest }];
  });
  const unread = planted.files.filter((file) => agreed.every((one) => one.file !== file));
  if (unread.length > 0)
    return refuse(
      'unread',
      `Da Capo could not read all of ${unread.join(', ')}.`,
      advise`Remove it in the work tree of the loop, then ${{ verb: 'resume', loop: id }}.`,
    );
  keepBrought(open, [...(readBrought(open) ?? []), ...agreed]);
  return null;
}

/** What was there at the start, or was agreed to elsewhere since, is agreed to in this tree as well. */
export function agreeInTree(open: OpenLoop, project: string, runtime: Runtime): void {
  keepHostPin(project, [...agreedFiles(project, runtime), ...(readBrought(open) ?? [])], runtime);
}
