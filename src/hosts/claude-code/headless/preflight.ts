/**
 * What would go wrong with Claude Code unattended: its version, its login, and tools that need a person's
 * permission.
 */
import { parseAs, isRecord, recordAt } from '#base/shape.ts';
import {
  ok,
  problem,
  warning,
  type Finding,
  type PreflightRequest,
  type SettingsPlace,
} from '#hosts/port/headless.ts';
import { runToAnswer, versionFinding } from '#hosts/port/program.ts';
import { CLAUDE_CODE } from '../names.ts';
import { defaultMode, hooksOffFindings } from '../setup/host-settings.ts';
import { program } from '../setup/program.ts';
import { layersOf, strongest, type Layer } from '../setup/layers.ts';

/**
 * Allows edits in the project. The host denies anything else that the person has not allowed, at once, tells
 * the agent and lists it in the result. So nothing stalls, and nothing runs without a person's consent
 * (docs/internals/decisions/004).
 */
const UNATTENDED = 'acceptEdits';

/**
 * Those that its help lists, and `default`, the older name of `manual`, which it accepts but does not list.
 */
export const PERMISSION_MODES: readonly string[] = [
  'acceptEdits',
  'auto',
  'bypassPermissions',
  'dontAsk',
  'plan',
  'manual',
  'default',
];

/**
 * We keep the mode that a person has set, even if it is too narrow to work. Then we report that and override
 * nothing.
 */
export function unattendedMode(where: SettingsPlace): string | null {
  return settingsMode(where) === null ? UNATTENDED : null;
}

/** A project never chooses what an agent may do there without being asked. */
function settingsMode(place: SettingsPlace): string | null {
  const own = layersOf(place).filter(({ name }) => name === 'user' || name === 'managed');
  return strongest(own, defaultMode)?.value ?? null;
}

export function preflight(asked: PreflightRequest): Finding[] {
  const version = versionFinding({ ...CLAUDE_CODE, program }, asked.program, asked.env);
  // If the program can't even report its version, we do not ask it about the login.
  return version.level === 'problem'
    ? [version, permissionFinding(asked)]
    : [version, loginFinding(asked), permissionFinding(asked), ...guardFindings(asked)];
}

/** Flags that switch off every hook, including those of a plugin on the command line. */
const WITHOUT_HOOKS = ['--bare', '--safe-mode'];

/** The guard is a hook. A pass works without it, but the person should know. */
function guardFindings({ pass, ...place }: PreflightRequest): Finding[] {
  const flag = pass.extra.find((word) => WITHOUT_HOOKS.includes(word));
  const off =
    flag === undefined
      ? hooksOffFindings(layersOf(place)).find(({ level }) => level === 'problem')
      : problem('guard', `${flag} switches off every hook.`, 'Leave it out.');
  if (off === undefined) return [];
  const lost = 'So the guard refuses nothing: a write to a protected file shows only at the stop.';
  return [warning('guard', `${off.says} ${lost}`, off.remedy ?? '')];
}

/** We ask the host whether it is logged in. Whether a key is still valid shows only when it is used. */
function loginFinding({ program, env, project }: PreflightRequest): Finding {
  const status = parseAs(isRecord, runToAnswer(program, ['auth', 'status'], env, { cwd: project }));
  const method = status?.['authMethod'];
  switch (status?.['loggedIn']) {
    case true:
      return ok('login', `Claude Code has an account${typeof method === 'string' ? ` (${method})` : ''}`);
    case false: {
      const remedy = 'Run `claude auth login`, or set ANTHROPIC_API_KEY.';
      return problem('login', 'Claude Code is not logged in: every pass would fail.', remedy);
    }
    default:
      return ok('login', 'This version of Claude Code does not report whether it is logged in');
  }
}

/** A headless host never asks: it denies a call that needs permission, and tells the agent. */
function permissionFinding(asked: PreflightRequest): Finding {
  const mode = modeInForce(asked);
  const is = `The permission mode is ${mode}`;
  const denied = `${is}, and nobody is there to answer: Claude Code denies every edit and most commands.`;
  switch (mode) {
    case 'manual':
    case 'default':
      return problem('permissions', denied, ALLOW);
    case 'plan':
      return problem('permissions', `${is}: the host plans and changes nothing.`, ALLOW);
    case 'auto':
      return autoFinding(is, asked);
    case 'bypassPermissions':
      return bypassFinding(is, asked);
    default:
      return allowedFinding(mode, asked);
  }
}

const ALLOW = 'Use the permission mode acceptEdits, and name the tools that the task needs as allowed tools.';

/** The flags that the person passes on come last on the command line, so they win. */
function modeInForce(asked: PreflightRequest): string {
  const { extra, permissionMode } = asked.pass;
  if (extra.includes('--dangerously-skip-permissions')) return 'bypassPermissions';
  const words = extra.flatMap((word) => word.split(/(?<=^--permission-mode)=/));
  const at = words.lastIndexOf('--permission-mode');
  const passedOn = at < 0 ? undefined : words[at + 1];
  // Without any setting, the host uses its default, which asks.
  return passedOn ?? permissionMode ?? settingsMode(asked) ?? 'default';
}

function autoFinding(is: string, { env }: PreflightRequest): Finding {
  const elsewhere =
    `${is}, which asks the vendor's server, and ANTHROPIC_BASE_URL leads elsewhere: where it can't be ` +
    'asked, commands are denied.';
  return env['ANTHROPIC_BASE_URL']
    ? warning('permissions', elsewhere, ALLOW)
    : ok('permissions', `${is}: the vendor's server decides what may run`);
}

function bypassFinding(is: string, { uid, env }: PreflightRequest): Finding {
  const asUser = 'Run as another user; in a container that holds nothing of value, set IS_SANDBOX=1.';
  const contained = 'Let it run in a container, or use acceptEdits and name the tools that the task needs.';
  return uid === 0 && !env['IS_SANDBOX']
    ? problem('permissions', `${is}, which Claude Code refuses to root.`, asUser)
    : warning('permissions', `${is}: the agent may do whatever this user may.`, contained);
}

function allowedFinding(mode: string, { pass, ...place }: PreflightRequest): Finding {
  const rules = [
    ...pass.allowedTools,
    ...pass.extra.filter((word) => /^Bash\b/.test(word)),
    ...layersOf(place).flatMap(allowedIn),
  ];
  if (rules.some((rule) => /(?:^|[\s,])Bash\b/.test(rule)))
    return ok('permissions', `The permission mode is ${mode}, and commands are allowed by rules`);
  const can = mode === 'dontAsk' ? 'can only read' : 'can edit, but not build or test';
  return warning(
    'permissions',
    `The permission mode is ${mode}, and no rule allows a command: the agent ${can}.`,
    'Allow what the task needs: --allowed-tools "Bash(npm test *)", or permissions.allow in the settings.',
  );
}

function allowedIn({ settings }: Layer): string[] {
  const allow = recordAt(settings, 'permissions')['allow'];
  return Array.isArray(allow) ? allow.filter((rule) => typeof rule === 'string') : [];
}
