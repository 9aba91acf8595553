/**
 * The ground of the checks of a new loop: what the usual places hold, and what its commands run. It is kept
 * from the start.
 */
import { globs, patternForName } from '#base/globs.ts';
import type { Ground } from '#law/record/definition.ts';
import type { StartRequest } from '#input/arguments.ts';
import { packGround, type PackedGround } from '#evidence/proofs/ground/keep.ts';
import { listGround } from '#evidence/proofs/ground/list.ts';
import { listOutside } from '#evidence/proofs/ground/outside.ts';
import { listPackages } from '#evidence/proofs/ground/dependencies/packages.ts';
import { pythonShadows } from '#evidence/proofs/ground/dependencies/python-shadows.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { filesRunBy } from './files-run-by.ts';
import type { AskedGates } from './gates.ts';
import type { ToBegin } from './items.ts';

export interface BegunGround {
  readonly ground: Ground;
  /** Null: it could not be kept. */
  readonly packed: PackedGround | null;
}

/** Enough to recognise them. */
const MAX_CONFIGS_LISTED = 6;

/** Null: there are no commands, so nothing stands on any ground. */
export function groundOf(
  { request, project }: ToBegin,
  { checks, measures }: Pick<AskedGates, 'checks' | 'measures'>,
): BegunGround | null {
  const commands = [...checks, ...measures].map(({ command }) => command);
  if (commands.length === 0) return null;
  const run = filesRunBy(commands, project);
  const named = [
    ...[...run.files, ...run.stamps].map(patternForName),
    ...run.patterns,
    ...request.protect,
    ...ownLists(request).map((file) => `!${patternForName(file)}`),
    ...request.ground,
  ];
  const listed = listGround(project, named, isOwnFile());
  const asked = {
    named,
    ...(request.testsMayChange && { mayChange: true }),
    ...(request.redFirst && { redFirst: true }),
    ...(request.clean && { clean: true }),
    ...(request.setup !== null && { setup: request.setup }),
  };
  if (!listed.ok)
    return { ground: { ...asked, digest: null, why: listed.why, tests: 0, configs: [] }, packed: null };
  const { files } = listed;
  // What a start takes away stays away.
  const allNamed = [...pythonShadows(project, files, process.env), ...named];
  const packages = listPackages(project);
  const packed = packGround(files, {
    packages,
    outside: listOutside(project, files, process.env, run.programs),
  });
  const hasUnseenPackages = packages.signatures === null && request.setup === null;
  const configs = files.filter(({ kind }) => kind === 'config').map(({ path }) => path);
  const tests = files.length - configs.length;
  const most = configs.slice(0, MAX_CONFIGS_LISTED);
  const unseen = hasUnseenPackages && { hasUnseenPackages };
  const kept = { ...asked, named: allNamed, ...unseen };
  return { ground: { ...kept, digest: packed.digest, tests, configs: most }, packed };
}

/** Views that a loop gets later are in the same places. */
function isOwnFile(): (path: string) => boolean {
  return globs(ownFiles({ files: { views: [] } }).ignored);
}

/** The agent works these off, wherever they lie. */
function ownLists({ features, items, watchFile }: StartRequest): string[] {
  return [features, items, watchFile].flatMap((file) => (file === null ? [] : [file.replace(/#.*$/, '')]));
}
