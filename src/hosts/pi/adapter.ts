/** pi as the command line knows it (0.73.1). */
import { join } from 'node:path';
import { recordAt } from '../../core/shape.ts';
import { PLUGIN } from '../../process/package.ts';
import type { HostAdapter, HostProgram } from '../command-line.ts';
import { fateOf, statusFate } from '../fate.ts';
import { flag, ok, problem, RESUME_ONLY, type HeadlessHost } from '../headless.ts';
import { jsonHost } from '../json/host.ts';
import { versionFinding } from '../program.ts';
import { pluginSettings } from '../setup/plugin-file.ts';
import { jsonLines } from '../stream-lines.ts';
import { transcriptsOf } from '../transcripts.ts';
import { PI } from './names.ts';
import { readLine, readMessage } from './stream.ts';

const SESSION_FLAGS = '-p --print --mode -c --continue -r --resume --session --fork --no-session'.split(' ');

const program: HostProgram = {
  // The first version with which this was tried.
  oldest: '0.73.1',
  install: 'npm install -g @mariozechner/pi-coding-agent',
  update: 'pi update pi',
  sessionFlags: SESSION_FLAGS,
  sessionArguments: (plugin) => ['--extension', join(plugin, 'extensions', PI.name, 'dacapo.js')],
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['--session', id],
  promptFlag: '',
  sessionOf: () => null,
};

const headless: HeadlessHost = {
  name: PI.name,
  can: { ...RESUME_ONLY, cost: true, tools: true },
  login: 'pi, then /login',
  gentle: 'SIGTERM',
  permissionModes: [],
  readOnly: { extra: ['--tools', 'read,grep,find,ls'] },
  ownFlags: SESSION_FLAGS,
  command: ({ resume, model, allowedTools, prompt, extra }) => ({
    args: [
      '--mode',
      'json',
      ...program.sessionArguments(PLUGIN),
      ...flag('--session', resume),
      ...flag('--model', model),
      ...flag('--tools', allowedTools.join(',') || null),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  }),
  openStream: () => jsonLines(readLine),
  classify: (end) => {
    const { record, exit } = end;
    // It exits with 1 only where it did not get as far as a request: no model, no key, no such session.
    const isRefused = exit === 1 && record.result === null;
    return fateOf(isRefused ? { ...end, record: { ...record, session: null } } : end, (result) => {
      const why = result.error ?? 'failed';
      if (result.code === 'limit') return { is: 'limit', resetsAt: null, why };
      return statusFate(result.status, record, why);
    });
  },
  unattendedMode: () => null,
  preflight: ({ program: path, env, pass }) => [
    versionFinding({ ...PI, program }, path, env),
    ...pass.allowedTools
      .filter((tool) => /[^\w-]/.test(tool))
      .map((tool) =>
        problem(
          'permissions',
          `pi allows tools by their names, and ${tool} is none.`,
          'Name tools only: bash.',
        ),
      ),
  ],
};

export const piAdapter: HostAdapter = {
  ...PI,
  hook: jsonHost(PI, PI),
  commands: null,
  headless,
  program,
  settings: pluginSettings(PI, {
    folder: (scope, { env, project }) =>
      join(scope === 'user' ? PI.home(env) : join(project, PI.folder), 'extensions'),
    afterInstall: [ok('mcp', 'pi has no MCP')],
  }),
  rehearsal: null,
  transcripts: transcriptsOf(
    PI,
    (session) => `_${session}.jsonl`,
    (row) => readMessage(recordAt(row, 'message')),
  ),
};
