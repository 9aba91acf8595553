/** Factory's droid as the command line knows it (0.225.2). */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLUGIN } from '../../process/package.ts';
import type { HostAdapter, HostProgram } from '../command-line.ts';
import { EVENTS } from '../family.ts';
import { fateOf, statusFate } from '../fate.ts';
import { flag, ok, problem, RESUME_ONLY, type Finding, type HeadlessHost } from '../headless.ts';
import { toolsFindings, versionFinding } from '../program.ts';
import { hookEvents, hooksSettings } from '../setup/hooks-settings.ts';
import { jsonLines, tokensSpent } from '../stream-lines.ts';
import { transcriptsOf } from '../transcripts.ts';
import { droid, tokensIn } from './hook.ts';
import { DROID } from './names.ts';
import { readLine, readRow } from './stream.ts';

/** Hooks for one process. They find our program beside this very file. */
const hooksOf = (folder: string) => ['--settings', join(folder, 'hooks', 'droid.json')];

const program: HostProgram = {
  // The first version with which this was tried.
  oldest: '0.225.2',
  install: 'npm install -g @factory/cli',
  update: 'droid update',
  sessionFlags: ['exec', 'resume', '-r', '--resume', '--last', '--fork', '--settings'],
  sessionArguments: hooksOf,
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['--resume', id],
  sessionOf: () => null,
};

const transcripts = transcriptsOf(DROID, (session) => `${session}.jsonl`, readRow);

const headless: HeadlessHost = {
  name: DROID.name,
  can: RESUME_ONLY,
  login: 'droid, then /login',
  gentle: 'SIGINT',
  permissionModes: ['low', 'medium', 'high'],
  // A person's settings may allow more than reading, where no mode is named.
  readOnly: { extra: ['--only-tools', 'Read,LS,Grep,Glob'] },
  ownFlags: [
    '-o',
    '--output-format',
    '--input-format',
    '-f',
    '--file',
    '-s',
    '--session-id',
    '--fork',
    '--settings',
  ],
  command: ({ resume, model, permissionMode, prompt, extra }) => ({
    args: [
      'exec',
      '-o',
      'stream-json',
      ...hooksOf(join(PLUGIN, 'guard')),
      // To go on in the session itself, it would ask its maker's servers for it.
      ...flag('--fork', resume),
      ...flag('--model', model),
      ...flag('--auto', permissionMode),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  }),
  openStream: () => jsonLines(readLine),
  classify: (end) => fateOf(end, ({ status, error }) => statusFate(status, end.record, error ?? 'failed')),
  // A fork counts from zero.
  spentSince: (session, _since, env) =>
    tokensSpent({ input_tokens: tokensIn(transcripts.fileOf(session, env) ?? '') }, ''),
  // Without a mode it may only read.
  unattendedMode: () => 'low',
  preflight: ({ program: path, env, pass }) => [
    versionFinding({ ...DROID, program }, path, env),
    ...toolsFindings(DROID, pass),
  ],
};

/** A file for hooks alone makes it ignore those in the settings beside it. */
function shadowFindings(settings: string): Finding[] {
  const file = join(dirname(settings), 'hooks.json');
  const says = `droid reads the hooks in ${file}, and so ignores those in ${settings}.`;
  return existsSync(file)
    ? [problem('shadowed', says, `Move what is in ${file} to "hooks" in ${settings}.`)]
    : [];
}

const pathOf: Parameters<typeof hooksSettings>[1]['path'] = (scope, { env, project }) =>
  join(scope === 'user' ? DROID.home(env) : join(project, DROID.folder), 'settings.json');

export const droidAdapter: HostAdapter = {
  ...DROID,
  hook: droid,
  commands: null,
  headless,
  program,
  settings: hooksSettings(DROID, {
    path: pathOf,
    registration: hookEvents(Object.keys(EVENTS), (event) => (event === 'SessionEnd' ? 3 : 600)),
    stop: 'Stop',
    findings: ({ path }) => shadowFindings(path),
    afterInstall: ({ scope, place }) => [
      ...shadowFindings(pathOf(scope, place)),
      ok('mcp', 'The tools of Da Capo for its agents: droid mcp add dacapo "dacapo mcp"'),
    ],
    // It runs the hooks of a plugin as shell lines, and from a file in which ours are none.
    plugin: () => [],
  }),
  rehearsal: null,
  transcripts,
};
