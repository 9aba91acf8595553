/** Codex as the command line knows it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, parseAs, recordAt } from '../../core/shape.ts';
import { readTextIfAny } from '../../files/read.ts';
import type { Environment } from '../arrival.ts';
import type { HostAdapter } from '../command-line.ts';
import { ok, problem, warning, type Finding } from '../headless.ts';
import { timeOf } from '../rows.ts';
import { hookEvents, hooksSettings, type FoundHook } from '../setup/hooks-settings.ts';
import { jsonLines } from '../stream-lines.ts';
import { codexHeadless, readRow } from './headless.ts';
import { codex } from './hook.ts';
import { CODEX } from './names.ts';
import { codexHome } from './places.ts';
import { program } from './program.ts';
import { EVENTS, trustHash, trustKey } from './session-hooks.ts';

const TRUST =
  'Start codex: it asks whether to trust the new hooks. Or type /hooks there, and t on each of them.';

export const codexAdapter: HostAdapter = {
  ...CODEX,
  hook: codex,
  commands: null,
  headless: codexHeadless,
  program,
  settings: hooksSettings(CODEX, {
    path: (scope, { env, project }) =>
      join(scope === 'user' ? codexHome(env) : join(project, '.codex'), 'hooks.json'),
    registration: hookEvents(Object.keys(EVENTS), (event) => EVENTS[event]?.timeout),
    stop: 'Stop',
    findings: (found, { env }) => [trustFinding(found, env)],
    afterInstall: ({ scope }) => [
      warning('trust', 'Codex runs a new hook only after you trust it, and skips it without a word.', TRUST),
      ...(scope === 'user'
        ? []
        : [
            ok(
              'folder',
              'Codex reads the hooks of a project only where you trust the folder: it asks at its start',
            ),
          ]),
      ok('mcp', 'The tools of Da Capo for its agents: codex mcp add dacapo -- dacapo mcp'),
    ],
    plugin: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', 'dacapo@dacapo'],
    ],
  }),
  rehearsal: null,
  transcripts: { fileOf, timeOf, modelOf, openRows: () => jsonLines(readRow) },
};

/** Codex keeps in its config what a person has trusted. */
function trustFinding({ path, hooks }: FoundHook, env: Environment): Finding {
  const config = readTextIfAny(join(codexHome(env), 'config.toml')) ?? '';
  const isTrusted = ({ event, group, at, handler }: FoundHook['hooks'][number]) => {
    const begin = config.indexOf(`[hooks.state.${JSON.stringify(trustKey(path, event, group, at))}]`);
    const hash = trustHash(event, { command: handler['command'], timeout: handler['timeout'] });
    return begin !== -1 && config.slice(begin).split(/\n\[/, 1)[0]?.includes(`"${hash}"`) === true;
  };
  const untrusted = hooks.filter((one) => !isTrusted(one)).map(({ event }) => event);
  if (untrusted.length === 0) return ok('trust', `Codex trusts the hooks in ${path}`);
  return problem(
    'trust',
    `Codex skips hooks that you have not trusted: ${untrusted.join(', ')} (${path}).`,
    TRUST,
  );
}

/** Its sessions are in a folder for each day. */
function fileOf(session: string, env: Environment): string | null {
  const folder = join(codexHome(env), 'sessions');
  if (!/^[\w-]+$/.test(session) || !existsSync(folder)) return null;
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`-${session}.jsonl`),
  );
  return name === undefined ? null : join(folder, name);
}

function modelOf(line: string): string | null {
  if (!line.includes('"turn_context"')) return null;
  const { model } = recordAt(parseAs(isRecord, line) ?? {}, 'payload');
  return typeof model === 'string' ? model : null;
}
