/**
 * Any agent that speaks the Agent Client Protocol, started by a command that a person gives: `acp:COMMAND`. A
 * pass is our own program `acp`, which starts that command and talks to it.
 */
import { runToAnswer } from '../port/program.ts';
import { ACP } from '#base/process/package.ts';
import { isRecord, parseAs, recordAt, textOrNull } from '#base/shape.ts';
import { refuse } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { adapterOf } from '../kit/adapter.ts';
import { classifyBy } from '../kit/pass-outcome.ts';
import { jsonHost } from '../json/host.ts';
import { permissionFinding } from '../port/program.ts';
import type { Environment } from '../port/arrival.ts';
import type { HostAdapter, HostSettings } from '../port/command-line.ts';
import {
  flagWith,
  modelFlag,
  ok,
  problem,
  type Finding,
  type OfProject,
  type SettingsPlace,
} from '../port/headless.ts';
import type { FatalKind, Result } from '../port/stream.ts';
import { acpNames, type AcpNames } from '../tables/acp-names.ts';
import { GREETING_MS, TOO_LATE } from './connection.ts';
import { KINDS, MODES } from './permission.ts';
import { openAcpStream } from './stream.ts';

/** `brought`: what a project brings along for any host, since nobody knows which of it this agent obeys. */
export function acpAdapter(
  name: string,
  brought: (place: SettingsPlace) => OfProject | null,
): HostAdapter | null {
  const names = acpNames(name);
  if (names === null) return null;
  const { starts } = names;
  const adapter = adapterOf({
    ...names,
    home: () => '',
    folder: '',
    ground: [],
    sessions: '',
    hook: jsonHost(names),
    program: { oldest: '', install: `install ${starts[0]}`, sessionFlags: [], noSession: NO_SESSION },
    can: { tools: true },
    args: ({ resume, model, permissionMode, allowedTools }) => [
      ACP,
      ...flagWith('--resume', resume),
      ...modelFlag('--model', model),
      ...flagWith('--mode', permissionMode),
      ...flagWith('--tools', allowedTools.length === 0 ? null : JSON.stringify(allowedTools)),
      '--',
      ...starts,
    ],
    headless: {
      login: `with ${names.word} itself`,
      gentle: 'SIGTERM',
      permissionModes: MODES,
      readOnly: { permissionMode: 'reads' },
      ownFlags: [],
      openStream: openAcpStream,
      classify: classifyBy(kindOf),
      unattendedMode: () => 'edits',
      brought,
      untrusted: brought,
      preflight: ({ env, pass }) => [
        greetingFinding(names, env),
        ...pass.allowedTools.filter((tool) => !isTool(tool)).map(unknownTool),
        permissionFinding(names, pass, { mode: pass.permissionMode ?? 'edits', edits: 'edits', all: 'all' }),
      ],
    },
    findings: () => [],
    settings: NO_SETTINGS,
  });
  return adapter;
}

/** What failed before the prompt was sent would fail again, unless the agent was only slow. */
function kindOf({ subtype, code, status }: Result): FatalKind | undefined {
  if (status !== null || subtype === null || subtype === 'session/prompt') return undefined;
  if (code === String(TOO_LATE)) return undefined;
  return subtype === 'session/set_model' ? 'model' : 'config';
}

function isTool(tool: string): boolean {
  return KINDS.includes(tool) || /^execute\(.+\)$/s.test(tool);
}

function unknownTool(tool: string): Finding {
  const says = `An agent by ACP has kinds of calls, and ${oneLine(tool, 100)} is none.`;
  return problem('permissions', says, `Name kinds (${KINDS.join(', ')}), or a command: execute(npm test).`);
}

/** Our program says itself that an agent does not answer. This is for its start and its end. */
const GREET_MS = GREETING_MS + 20_000;

const GIVE_COMMAND =
  'Give the whole command that starts the agent as a server, in quotes and with full paths, such as ' +
  '"acp:gemini --acp".';

/** It is started once, in our own folder, and says who it is and which protocol it speaks. */
function greetingFinding({ title, starts }: AcpNames, env: Environment): Finding {
  const shown = oneLine(title, 200);
  const asked = { mostMs: GREET_MS, stderr: 'inherit' } as const;
  const told = runToAnswer(process.execPath, [ACP, '--greet', '--', ...starts], env, asked);
  const lines = told.split('\n').filter((line) => line.trim() !== '');
  // The agent may say more while it ends.
  const line = lines.map((one) => parseAs(isRecord, one)).findLast((one) => one?.['method'] === 'initialize');
  const result = recordAt(line ?? {}, 'result');
  const { protocolVersion } = result;
  const agent = recordAt(result, 'agentInfo');
  if (protocolVersion === 1) {
    const words = [agent['title'] ?? agent['name'], agent['version']].map(textOrNull).filter(Boolean);
    return ok('host', `${words.join(' ') || shown} (ACP 1: ${shown})`);
  }
  const said = oneLine(lines.find((one) => /\berror\b/i.test(one)) ?? lines.at(-1) ?? '', 300);
  const why = textOrNull(recordAt(line ?? {}, 'error')['message']) ?? (said || 'it ended without a word');
  const says =
    typeof protocolVersion === 'number'
      ? `\`${shown}\` speaks version ${protocolVersion} of the Agent Client Protocol, and Da Capo version 1.`
      : `\`${shown}\` does not speak the Agent Client Protocol: ${why.replace(/\.$/, '')}.`;
  return problem('host', says, GIVE_COMMAND);
}

const NO_SESSION = refuse(
  'no-session-of-acp',
  'An agent by ACP is a server without a screen and without hooks of ours, so a loop has no session of it.',
  'Use dacapo run with the same flags.',
);

const NO_SETTINGS: HostSettings = {
  planInstall: () => NO_SESSION,
  planUninstall: () => NO_SESSION,
  installed: () => new Map(),
  registrationFindings: () => [],
  installFindings: () => [],
};
