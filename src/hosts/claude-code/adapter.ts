/** Claude Code as the command line knows it. */
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, parseAs, isRecord, textOrNull } from '#base/shape.ts';
import { namesIn } from '#base/files/paths.ts';
import type { Environment } from '../port/arrival.ts';
import type { RehearsedHost } from '../port/command-line.ts';
import { goalIn } from './goal.ts';
import { claudeCodeHeadless } from './headless/command.ts';
import { claudeCode } from './hook/host.ts';
import { CLAUDE_CODE, commandNamesIn } from './names.ts';
import { configFolder } from './setup/places.ts';
import { program } from './setup/program.ts';
import { rehearsal } from './setup/rehearsal.ts';
import { settings } from './setup/host-settings.ts';

export const claudeCodeAdapter: RehearsedHost = {
  ...CLAUDE_CODE,
  hook: claudeCode,
  commands: { ...commandNamesIn({}), start: '/ralph' },
  headless: claudeCodeHeadless,
  program,
  settings,
  rehearsal,
  transcripts: { fileOf: findTranscript, forget, timeOf, modelOf, goalIn },
};

/**
 * The transcript of a session is in a folder per project, named after its path. Searches by the session's id
 * alone, since the host may change how it makes that name.
 */
function findTranscript(session: string, env: Environment): string | null {
  const folder = join(configFolder(env), 'projects');
  if (!/^[\w-]+$/.test(session)) return null;
  const paths = namesIn(folder).map((project) => join(folder, project, `${session}.jsonl`));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Each work tree has a folder there. That of a reviewer's copy only holds its sessions, and goes too. */
function forget(session: string, env: Environment): void {
  const file = findTranscript(session, env);
  if (file === null) return;
  for (const path of [file, file.slice(0, -'.jsonl'.length)]) rmSync(path, { recursive: true, force: true });
  // Those that hold anything else stay.
  for (const folder of [join(dirname(file), 'memory'), dirname(file)])
    attempt(() => rmdirSync(folder), undefined);
}

function timeOf(line: string): string | null {
  const row = parseAs(isRecord, line) ?? {};
  return row['isSidechain'] === true ? null : textOrNull(row['timestamp']);
}

/** Rows that the host itself made up carry a name in angle brackets. */
const MODEL = /^[\w.:@/-]{1,80}$/;

function modelOf(line: string): string | null {
  if (!line.includes('"model"')) return null;
  const row = parseAs(isRecord, line);
  const model = (isRecord(row?.['message']) ? row['message'] : row)?.['model'];
  return typeof model === 'string' && MODEL.test(model) ? model : null;
}
