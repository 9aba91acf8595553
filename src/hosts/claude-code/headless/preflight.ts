/** What would go wrong with Claude Code unattended: its version, its login, and tools that need a person's permission. */
import { spawnSync } from 'node:child_process';
import { parseAs, isRecord, recordAt } from '../../../core/shape.ts';
import {
  ok,
  problem,
  warning,
  type Finding,
  type PreflightRequest,
  type SettingsPlace,
} from '../../headless.ts';
import { defaultMode, hooksOffFindings, versionFinding } from '../setup/health.ts';
import { layersOf, strongest, type Layer } from '../setup/layers.ts';

/**
 * Allows edits in the project. The host denies anything else that the person has not allowed, at once, tells the agent and
 * lists it in the result. So nothing stalls, and nothing runs without a person's consent (docs/decisions/004).
 */
const UNATTENDED = 'acceptEdits';

/** Those that its help lists, and `default`, the older name of `manual`, which it accepts but does not list. */
export const PERMISSION_MODES: readonly string[] = [
  'acceptEdits',
  'auto',
  'bypassPermissions',
  'dontAsk',
  'plan',
  'manual',
  'default',
];

const AUTH_MS = 20_000;

/** We keep the mode that a person has set, even if it is too narrow to work. Then we report that and override nothing. */
export function unattendedMode(where: SettingsPlace): string | null {
  return settingsMode(where) === null ? UNATTENDED : null;
}

/** A project never chooses what an agent may do there without being asked. */
function settingsMode({ project, env, platform }: SettingsPlace): string | null {
  const own = layersOf({ project, env, platform }).filter(
    ({ name }) => name === 'user' || name === 'managed',
  );
  return strongest(own, defaultMode)?.value ?? null;
}

export function preflight(asked: PreflightRequest): Finding[] {
  const version = versionFinding(asked.program, asked.env);
  // If the program can't even report its version, we do not ask it about the login.
  return version.level === 'problem'
    ? [version, ...permissionFindings(asked)]
    : [version, loginFinding(asked), ...permissionFindings(asked), ...guardFindings(asked)];
}

/** Flags that switch off every hook, including those of a plugin on the command line. */
const WITHOUT_HOOKS = ['--bare', '--safe-mode'];

/** The guard is a hook. A pass works without it, but the person should know. */
function guardFindings({ pass, project, env, platform }: PreflightRequest): Finding[] {
  const flag = pass.extra.find((word) => WITHOUT_HOOKS.includes(word));
  const off =
    flag === undefined
      ? hooksOffFindings(layersOf({ project, env, platform })).find(({ level }) => level === 'problem')
      : problem('guard', `${flag} switches off every hook.`, 'Leave it out.');
  if (off === undefined) return [];
  const lost = 'So the guard refuses nothing: a write to a protected file shows only at the stop.';
  return [warning('guard', `${off.says} ${lost}`, off.remedy ?? '')];
}

/** We ask the host whether it is logged in. Whether a key is still valid shows only when it is used. */
function loginFinding({ program, env, project }: PreflightRequest): Finding {
  const asked = spawnSync(program, ['auth', 'status'], {
    cwd: project,
    env: { ...env, DISABLE_AUTOUPDATER: '1' },
    encoding: 'utf8',
    timeout: AUTH_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const status = parseAs(isRecord, asked.stdout ?? '');
  const method = status?.['authMethod'];
  switch (status?.['loggedIn']) {
    case true:
      return ok('login', `Claude Code has an account${typeof method === 'string' ? ` (${method})` : ''}`);
    case false:
      return problem(
        'login',
        'Claude Code is not logged in: every pass would fail.',
        'Run `claude auth login`, or set ANTHROPIC_API_KEY.',
      );
    default:
      return ok('login', 'This version of Claude Code does not tell whether it is logged in');
  }
}

/** A headless host never asks: it denies a call that needs permission, and tells the agent. */
function permissionFindings(asked: PreflightRequest): Finding[] {
  const mode = modeInForce(asked);
  const allow =
    'Use the permission mode acceptEdits, and name the tools that the task needs as allowed tools.';
  switch (mode) {
    case 'manual':
    case 'default':
      return [
        problem(
          'permissions',
          `The permission mode is ${mode}, and nobody is there to be asked: Claude Code denies every edit and most commands.`,
          allow,
        ),
      ];
    case 'plan':
      return [
        problem('permissions', 'The permission mode is plan: the host plans and changes nothing.', allow),
      ];
    case 'auto':
      return [autoFinding(asked)];
    case 'bypassPermissions':
      return [bypassFinding(asked)];
    default:
      return [allowedFinding(mode, asked)];
  }
}

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

function autoFinding({ env }: PreflightRequest): Finding {
  return env['ANTHROPIC_BASE_URL']
    ? warning(
        'permissions',
        "The permission mode is auto, which asks the vendor's server, and ANTHROPIC_BASE_URL leads elsewhere: where it can't be asked, commands are denied.",
        'Use the permission mode acceptEdits, and name the tools that the task needs as allowed tools.',
      )
    : ok('permissions', "The permission mode is auto: the vendor's server decides what may run");
}

function bypassFinding({ uid, env }: PreflightRequest): Finding {
  return uid === 0 && !env['IS_SANDBOX']
    ? problem(
        'permissions',
        'The permission mode is bypassPermissions, which Claude Code refuses to root.',
        'Run as another user; in a container that holds nothing of value, set IS_SANDBOX=1.',
      )
    : warning(
        'permissions',
        'The permission mode is bypassPermissions: the agent may do whatever this user may.',
        'Let it run in a container, or use acceptEdits and name the tools that the task needs.',
      );
}

function allowedFinding(mode: string, { pass, project, env, platform }: PreflightRequest): Finding {
  const rules = [
    ...pass.allowedTools,
    ...pass.extra.filter((word) => /^Bash\b/.test(word)),
    ...layersOf({ project, env, platform }).flatMap(allowedIn),
  ];
  if (rules.some((rule) => /(?:^|[\s,])Bash\b/.test(rule)))
    return ok('permissions', `The permission mode is ${mode}, and commands are allowed by rules`);
  return warning(
    'permissions',
    mode === 'dontAsk'
      ? 'The permission mode is dontAsk, and no rule allows a command: the agent can only read.'
      : `The permission mode is ${mode}, and no rule allows a command: the agent can edit, but not build or test.`,
    'Allow what the task needs: --allowed-tools "Bash(npm test *)", or permissions.allow in the settings.',
  );
}

function allowedIn({ settings }: Layer): string[] {
  const allow = settings && recordAt(settings, 'permissions')['allow'];
  return Array.isArray(allow) ? allow.filter((rule) => typeof rule === 'string') : [];
}
