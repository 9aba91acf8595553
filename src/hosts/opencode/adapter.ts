/** OpenCode as the command line knows it (1.18.33). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord, parseAs } from '#base/shape.ts';
import { PLUGIN } from '#base/process/package.ts';
import { adapterOf } from '../kit/adapter.ts';
import { classifyBy } from '../kit/pass-outcome.ts';
import { flagWith, modelFlag } from '../port/headless.ts';
import { jsonHost } from '../json/host.ts';
import { OPENCODE } from '../tables/names.ts';
import { toolsFindings } from '../port/program.ts';
import { pluginSettings } from '../setup/plugin-file.ts';
import type { FatalKind } from '../port/stream.ts';
import { openStream } from './stream.ts';

/** Its words for errors without a status that no retry can fix. */
const FATAL: Readonly<Record<string, FatalKind>> = {
  ProviderAuthError: 'auth',
  ProviderModelNotFoundError: 'model',
  ProviderInitError: 'config',
};

/** No mode that a person can name: it has none. Its plan agent runs commands. */
const READ_ONLY = 'read-only';

const RULES = '"permission" in opencode.json says what may run, and -- --auto allows the rest.';

/** Settings that come on top of those in its files. */
const SETTINGS = 'OPENCODE_CONFIG_CONTENT';

export const opencodeAdapter = adapterOf({
  ...OPENCODE,
  hook: jsonHost(OPENCODE),
  program: {
    oldest: '1.18.33',
    install: 'npm install -g opencode-ai',
    update: 'opencode upgrade',
    sessionFlags: ['run', 'serve', 'attach', '-s', '--session', '-c', '--continue', '--fork', '--prompt'],
    resumeSession: (id) => ['--session', id],
    promptFlag: '--prompt',
  },
  can: { cost: true },
  args: ({ resume, model }) => [
    'run',
    '--format',
    'json',
    ...flagWith('--session', resume),
    ...modelFlag('--model', model),
  ],
  variables: ({ permissionMode }) => ({ [SETTINGS]: settingsFor(permissionMode) }),
  headless: {
    login: 'opencode auth login',
    readOnly: { permissionMode: READ_ONLY },
    ownFlags: '--format -s --session -c --continue --fork --attach -i --interactive'.split(' '),
    openStream,
    classify: classifyBy(({ code }) => FATAL[code ?? '']),
  },
  asks: {},
  findings: ({ pass }) => toolsFindings(OPENCODE, pass, RULES),
  // No record: it keeps its sessions in a database.
  settings: pluginSettings(OPENCODE, 'plugins', 'The plugin includes the tools of Da Capo'),
});

function settingsFor(mode: string | null): string {
  const own = parseAs(isRecord, process.env[SETTINGS] ?? '') ?? {};
  const plugins: unknown[] = Array.isArray(own['plugin']) ? own['plugin'] : [];
  const ours = pathToFileURL(join(PLUGIN, 'extensions', OPENCODE.name, 'dacapo.js')).href;
  const permission = mode === READ_ONLY && { permission: { edit: 'deny', bash: 'deny' } };
  return JSON.stringify({ ...own, plugin: [...plugins, ours], ...permission });
}
