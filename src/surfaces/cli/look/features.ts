/**
 * `dacapo features`: shows the feature list of a loop, or a file, as a table with its progress. It is
 * read-only.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { nextOpen, progress, type FeatureList } from '#evidence/lists/features.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { FeaturesProof } from '#law/record/definition.ts';
import { featuresOf } from '#law/gates.ts';
import { type Loop } from '#law/loop.ts';
import { plural } from '#law/words/phrases.ts';
import type { Runtime } from '#store/runtime.ts';
import { readFeatureFile } from '#evidence/lists/file.ts';
import { USUAL_LISTS } from '#evidence/lists/layouts.ts';
import { splitName } from '#evidence/lists/sections.ts';
import { paintGateMark, fail, paint, headedTable, reply, type Line } from '../terminal/terminal.ts';
import { findLoops, pickNewest, here } from '../context.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

const MAX_DESCRIPTION_CHARS = 300;

interface ListPlace {
  readonly file: string;
  readonly project: string;
  readonly before?: FeaturesProof | null;
}

export async function runFeatures(
  { which, json }: GivenFlags<'json', 'which'>,
  { runtime }: CommandCall,
): Promise<number> {
  const place = findList(which, runtime);
  if (typeof place === 'number') return place;
  const list = readFeatureFile(place.file, place.project, place.before);
  if (!list.ok)
    return fail(
      `${oneLine(list.why, MAX_DESCRIPTION_CHARS)}.`,
      'a list is JSON with "features", "userStories", "tasks" or the like, or a Markdown checklist; ' +
        'docs/lists.md has them all.',
    );
  const path = resolve(place.project, splitName(place.file).file);
  return reply(json, asJson(list, path), ...featureLines(list, place));
}

function findList(which: string | undefined, runtime: Runtime): ListPlace | number {
  if (which === undefined) return usualPlace(runtime);
  if (existsSync(which) || /[/\\]|\.\w+$/.test(splitName(which).file))
    return { file: which, project: process.cwd() };
  const loop = pickNewest(which, { verb: 'features' }, runtime);
  if (typeof loop === 'number') return loop;
  return listOf(loop) ?? refuseFeatures(`loop ${which} has no feature list.`);
}

function usualPlace(runtime: Runtime): ListPlace | number {
  for (const loop of findLoops(false, runtime)) {
    const place = listOf(loop);
    if (place !== null) return place;
  }
  const usual = USUAL_LISTS.find((name) => existsSync(join(here(), name)));
  if (usual !== undefined) return { file: usual, project: here() };
  return refuseFeatures(
    'no loop of this project has a feature list, and there is no feature_list.json or the like here.',
  );
}

function listOf(loop: Loop): ListPlace | null {
  const gate = featuresOf(loop.frame);
  if (gate === null) return null;
  const before = loop.last?.features ?? gate.begun ?? null;
  return { file: gate.file, project: loop.project, before };
}

function refuseFeatures(what: string): number {
  return fail(what, 'give the file: dacapo features FILE.');
}

function asJson(list: FeatureList, file: string): object {
  return {
    file,
    format: list.format,
    ...progress(list),
    next: nextOpen(list)?.id ?? null,
    notes: list.notes,
    features: list.features,
  };
}

function featureLines(list: FeatureList, { file, project }: ListPlace): Line[] {
  const { passing, total } = progress(list);
  const next = nextOpen(list);
  const models = list.features.some(({ model }) => model !== null);
  const heading = ['', 'ID', ...(models ? ['MODEL'] : []), 'DESCRIPTION'];
  const rows = list.features.map((feature) => [
    feature === next ? paint.cyan('→') : paintGateMark(feature.passes || null),
    oneLine(String(feature.id), 30),
    ...(models ? [oneLine(feature.model ?? '', 30)] : []),
    oneLine(feature.description, MAX_DESCRIPTION_CHARS),
  ]);
  const shown = relative(process.cwd(), resolve(project, file)) || file;
  return [
    `${paint.bold(shown)}: ${passing} of ${plural(total, 'item')} ${total === 1 ? 'passes' : 'pass'}.`,
    ...list.notes.map((words) => `${paint.yellow('!')} It ${words}.`),
    '',
    ...headedTable(heading, rows),
    ...(next === null
      ? []
      : ['', `Next: ${oneLine(`${next.id} - ${next.description}`, MAX_DESCRIPTION_CHARS)}`]),
    ...(next === null
      ? []
      : next.steps.map((step, k) => `  ${k + 1}. ${oneLine(step, MAX_DESCRIPTION_CHARS)}`)),
  ];
}
