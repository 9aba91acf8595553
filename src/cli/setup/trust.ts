/** `dacapo trust`: shows what a project's config would run, and pins exactly that as agreed to. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { plural } from '../../core/phrases.ts';
import { look } from '../../proofs/stop-hooks/ask.ts';
import type { World } from '../../store/runtime.ts';
import { realPath } from '../../store/real-path.ts';
import { dropPin, keepPin } from '../../store/file/trust.ts';
import { findConfig, pinConfig, type PinnedFiles } from '../../proofs/stop-hooks/config-file.ts';
import type { ConfigDescription } from '../../proofs/stop-hooks/process.ts';
import { refusedToAgents } from '../steer/people-only.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { here, shownPath } from '../project.ts';
import { fail, failFor, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld } from '../runtime.ts';

export interface TrustOptions {
  readonly dir: string | undefined;
  readonly config: string | undefined;
  readonly remove: boolean;
  readonly json: boolean;
}

export async function runTrust({ dir, config, remove, json }: TrustOptions): Promise<number> {
  const refused = refusedToAgents('dacapo trust');
  if (refused !== null) return refused;
  const project = dir === undefined ? here() : realPath(resolve(dir));
  const found = findConfig(project, config ?? null);
  if (!found.ok) return failFor(found);
  if (found.file === null)
    return fail(
      `there is no dacapo.config.js, .mjs, .ts or .json in ${shownPath(project)}.`,
      'write one, or name it: dacapo trust --config FILE.',
    );
  const world = cliWorld();
  return remove ? forget(project, found.file, json, world) : agree(project, found.file, json, world);
}

function forget(project: string, file: string, json: boolean, { home }: World): number {
  const was = dropPin(home, { project, file });
  if (json) sayJson({ project, file, trusted: false, was_trusted: was });
  else say(was ? `${file} is no longer trusted.` : `${file} was not trusted.`);
  return EXIT.ok;
}

/** Typing the command is the agreement; what can't be loaded is not pinned all the same. */
async function agree(project: string, file: string, json: boolean, world: World): Promise<number> {
  const pinned = pinConfig(project, file);
  if (!pinned.ok) return failFor(pinned);
  const described = await look(project, file, [], world);
  if (described.is === 'failed')
    return fail(`${file} can't be used: ${described.error}`, 'mend it, and try again.');
  const unseen = described.modules.find((module) => pinned.files.every((one) => one.file !== module));
  if (unseen !== undefined)
    return existsSync(resolve(project, unseen))
      ? fail(
          `${file} names ${unseen} in a way that can't be pinned.`,
          'write its path as a plain text in the config, with the ending of a module (.mjs).',
        )
      : fail(`${file} names ${unseen}, which is not there.`, 'mend the path: it is as seen from the config.');
  keepPin(world.home, { project, file, digest: pinned.digest, files: pinned.files, at: world.now() });
  if (json)
    sayJson({
      project,
      file,
      trusted: true,
      digest: pinned.digest,
      files: pinned.files,
      ...shape(described),
    });
  else say(...inWords(project, file, pinned, described));
  return EXIT.ok;
}

function shape({ checks, hooks }: ConfigDescription): object {
  return { checks, hooks };
}

function inWords(project: string, file: string, { files }: PinnedFiles, found: ConfigDescription): string[] {
  const rows = [
    ...found.checks.map(({ name, command }) => `  check ${name}: ${command}`),
    ...found.hooks.map(({ name, of }) => `  stop hook ${name}: ${of}`),
  ];
  return [
    `${paint.bold(file)} in ${shownPath(project)} is trusted as it is now. Loops that begin here will run:`,
    '',
    ...rows,
    '',
    `Pinned: ${files.map((one) => one.file).join(', ')}.`,
    paint.dim(
      `A change of ${files.length === 1 ? 'it' : `any of these ${plural(files.length, 'file')}`} stops a loop until you trust it again. dacapo trust --remove takes it back.`,
    ),
  ];
}
