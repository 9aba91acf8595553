/** `dacapo trust`: shows what a project's config would run, and pins exactly that as trusted. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { few, plural, sayReviewer } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { Refusal } from '#base/refusal.ts';
import {
  trust,
  untrust,
  type Trusted,
  type TrustOrder,
  trustHost,
  untrustHost,
} from '#engine/trust/trust.ts';
import { realPath } from '#base/files/paths.ts';
import { allAdapters } from '#hosts/tables/adapters.ts';
import type { OfProject } from '#hosts/port/headless.ts';
import { refuseToAgents } from '#engine/trust/people-only.ts';
import type { Pin } from '#store/store.ts';
import type { Runtime } from '#store/runtime.ts';
import { failUsage, inLine, failFor, paint, reply, linesWhen } from '../terminal/terminal.ts';
import { here, placeOf, shownPath } from '../context.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

/** A package may have hundreds of files. `--json` lists them all. */
const MAX_FILES_LISTED = 40;

const MAX_LINE_CHARS = 200;

export async function runTrust(
  { dir, config, remove, json }: GivenFlags<'remove' | 'json', 'dir' | 'config'>,
  { runtime }: CommandCall,
): Promise<number> {
  if (dir !== undefined && statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    return failUsage(
      `${dir} is not a folder.`,
      'name the folder of the project, or leave it out for this one.',
    );
  const order = { project: dir === undefined ? here() : realPath(resolve(dir)), config: config ?? null };
  return remove ? forget(order, json, runtime) : agree(order, json, runtime);
}

function forget(order: TrustOrder, json: boolean, runtime: Runtime): number {
  const done = untrust(order, runtime);
  const ofHost = refuseToAgents('dacapo trust', runtime.env) === null && untrustHost(order.project, runtime);
  if (!done.ok && !ofHost) return failFor(nearHere(done, order));
  const { file, was } = done.ok ? done : { file: null, was: true };
  return reply(
    json,
    { project: order.project, file, trusted: false, was_trusted: was },
    `${file ?? 'The files of this project for the host'} ${was ? 'is no longer' : 'was not'} trusted.`,
  );
}

/** Does not ask again: typing the command is the agreement. */
async function agree(order: TrustOrder, json: boolean, runtime: Runtime): Promise<number> {
  const { project } = order;
  const ofHost = ofHosts(project);
  const done = await trust(order, runtime);
  if (!done.ok && (ofHost === null || done.code !== 'no-config')) return failFor(nearHere(done, order));
  const host =
    ofHost === null ? null : { runs: ofHost.runs, files: trustHost(project, ofHost, runtime).files };
  const hostLines = host === null ? [] : hostInWords(host);
  if (!done.ok) return reply(json, { project, file: null, trusted: true, host }, ...hostLines);
  const { file, pinned, found, unpinned } = done;
  const { digest, files } = pinned;
  return reply(
    json,
    { project, file, trusted: true, digest, files, ...found, unpinned, ...(host !== null && { host }) },
    ...trustLines(project, done),
    ...linesWhen(host !== null, '', ...hostLines),
  );
}

/**
 * For all hosts at once: any of them may be asked to work here. Also what the person has agreed to in a
 * host's own dialog: a loop in which it has changed goes on only with what is pinned here.
 */
function ofHosts(project: string): OfProject | null {
  const found = allAdapters().flatMap(({ headless }) => headless.brought?.(placeOf(project)) ?? []);
  if (found.length === 0) return null;
  const files = new Map(found.flatMap((one) => one.files.map((file) => [file.file, file])));
  return { files: [...files.values()], runs: [...new Set(found.flatMap(({ runs }) => runs))] };
}

/** What passes of `dacapo run` bring along, since the host asks nobody there. */
function hostInWords({ runs, files }: { runs: readonly string[]; files: Pin['files'] }): string[] {
  return [
    'The files of this project for its hosts are trusted as they are now. ' +
      'Iterations of dacapo run will have:',
    '',
    ...runs.map((line) => `  ${oneLine(line, MAX_LINE_CHARS)}`),
    '',
    `Pinned: ${files.map(({ file }) => oneLine(file, MAX_LINE_CHARS)).join(', ')}.`,
  ];
}

function placeShown(project: string): string {
  const path = shownPath(project);
  return path === '.' ? 'this folder' : path;
}

function nearHere(refusal: Refusal, { project }: TrustOrder): Refusal {
  return refusal.code === 'no-config'
    ? { ...refusal, message: refusal.message.replace(project, () => placeShown(project)) }
    : refusal;
}

function trustLines(project: string, { file, pinned: { files }, found, unpinned }: Trusted): string[] {
  const rows = [
    ...found.checks.map(({ name, command }) => `  check ${inLine(name)}: ${inLine(command)}`),
    ...found.measures.map(({ name, command }) => `  measure ${inLine(name)}: ${inLine(command)}`),
    ...found.hooks.map(({ name, of }) => `  stop hook ${inLine(name)}: ${inLine(of)}`),
    ...found.reviewers.map((reviewer) => `  review: an agent of ${sayReviewer(reviewer)} sees the work`),
  ];
  return [
    `${paint.bold(file)} in ${placeShown(project)} is trusted as it is now. Loops that begin here will run:`,
    '',
    ...rows,
    '',
    `Pinned: ${few(files, (one) => inLine(one.file), MAX_FILES_LISTED).join(', ')}.`,
    ...linesWhen(
      unpinned.length > 0,
      `Not pinned: ${few(unpinned, inLine, MAX_FILES_LISTED).join(', ')}, named by a check. Start with ` +
        '--protect FILE to hold it.',
    ),
    paint.dim(
      `A change of ${files.length === 1 ? 'it' : `any of these ${plural(files.length, 'file')}`} ` +
        'stops a loop until you trust it again. dacapo trust --remove takes it back.',
    ),
  ];
}
