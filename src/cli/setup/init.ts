/** `dacapo init`: gives Claude Code the hooks, the plain `/ralph` and its like, and lifts its cap on stops. */
import { createInterface } from 'node:readline/promises';
import {
  environmentFindings,
  rivalFindings,
  warning,
  type Finding,
} from '../../hosts/claude-code/setup/health.ts';
import {
  install,
  planInstall,
  type InstallOrder,
  type InstallPlan,
} from '../../hosts/claude-code/setup/install.ts';
import { layersOf } from '../../hosts/claude-code/setup/layers.ts';
import { placeHere, settingsPath, type Place, type Scope } from '../../hosts/claude-code/setup/places.ts';
import { recordIn } from '../../hosts/claude-code/setup/record.ts';
import { isTemporary } from '../../hosts/claude-code/setup/shipped.ts';
import { ourStatusLine, shownStatusLine } from '../../hosts/claude-code/setup/status-line.ts';
import { findHome } from '../../store/file/home.ts';
import { excludeFile } from '../../views/exclude.ts';
import { findClaude } from './claude.ts';
import { editLines, editReports } from './edits.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findingLines } from './findings.ts';
import { CLI, PLUGIN } from '../package.ts';
import { here, shownPath } from '../project.ts';
import { fail, paint, say, sayJson } from '../terminal/terminal.ts';

export interface InitOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly guard: boolean;
  readonly cap: boolean;
  readonly statusline: boolean;
  readonly json: boolean;
}

export async function runInit(options: InitOptions): Promise<number> {
  if (options.guard && process.platform === 'win32')
    return fail(
      '--guard is a line of POSIX shell, which Windows does not have.',
      'run dacapo init without --guard',
      EXIT.usage,
    );
  const statusline = options.statusline || (await wantsStatusLine(options));
  const order = orderHere({ ...options, statusline });
  const plan = planInstall(order);
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!options.dryRun) install(plan, order.record);
  const findings = [
    ...environmentFindings(process.env, process.version, findClaude(process.env)),
    ...look(order),
  ];
  if (options.json) sayJson(reportOf(options, plan, findings));
  else say(...tell(options, order.place, plan, findings));
  return EXIT.ok;
}

export function orderHere({
  scope,
  guard = false,
  cap = true,
  statusline = false,
}: {
  scope: Scope;
  guard?: boolean;
  cap?: boolean;
  statusline?: boolean;
}): InstallOrder {
  const place = placeHere(here(), process.env, process.platform);
  const record = recordIn(findHome(process.env, process.platform).dir);
  const statusLine = statusline ? { program: CLI, shown: shownStatusLine(layersOf(place)) } : null;
  return {
    scope,
    guard,
    cap,
    statusLine,
    place,
    plugin: PLUGIN,
    record,
    exclude: excludeFile(place.project),
  };
}

/** Asked in a terminal only, and only where it is not there yet. */
async function wantsStatusLine({ dryRun, json }: InitOptions): Promise<boolean> {
  if (dryRun || json || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const shown = shownStatusLine(layersOf(placeHere(here(), process.env, process.platform)));
  if (ourStatusLine(shown) !== null) return false;
  const beside = shown === undefined ? '' : ', in front of your own line';
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Show a running loop in the status bar of Claude Code${beside}? [Y/n] `,
    );
    return !/^\s*n/i.test(answer);
  } finally {
    terminal.close();
  }
}

/** What may stand in the way later, said now. */
function look({ plugin, place, scope }: InstallOrder): Finding[] {
  const findings = rivalFindings(layersOf(place));
  if (isTemporary(plugin))
    findings.push(
      warning(
        'temporary',
        `The hook program is in a temporary folder (${plugin}), which npx and its like empty again.`,
        'Clone Da Capo, run `npm install -g .` in its folder, then `dacapo init` again.',
      ),
    );
  else if (scope === 'project')
    findings.push(
      warning(
        'shared',
        `.claude/settings.json is shared, but names a folder of this machine (${plugin}).`,
        'For a team the plugin is better: claude plugin install dacapo@dacapo --scope project',
      ),
    );
  return findings;
}

function reportOf(
  { scope, dryRun, guard }: InitOptions,
  plan: InstallPlan,
  findings: readonly Finding[],
): object {
  const { settings, edits, notes } = plan;
  return { scope, dry_run: dryRun, guard, settings, edits: editReports(edits), notes, findings };
}

function tell(
  { scope, dryRun }: InitOptions,
  place: Place,
  plan: InstallPlan,
  findings: readonly Finding[],
): string[] {
  const where = `${FOR_WHOM[scope]} (${shownPath(settingsPath(scope, place))})`;
  const head =
    plan.edits.length === 0
      ? `Da Capo is installed ${where} already. Nothing to do.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} installed ${where}.`;
  return [
    paint.bold(head),
    ...(plan.edits.length === 0 ? [] : ['', ...editLines(plan.edits, dryRun)]),
    ...(dryRun ? [paint.bold('Nothing was changed.')] : []),
    ...plan.notes.flatMap((note) => ['', `${paint.yellow('!')} ${note}`]),
    '',
    ...findingLines(findings),
    '',
    `Next: start claude ${scope === 'user' ? 'anywhere' : 'in this folder'} and type  ${paint.bold('/ralph PROMPT --check "npm test"')}`,
    paint.dim('dacapo doctor looks whether all is well; dacapo uninstall takes everything back.'),
  ];
}

const FOR_WHOM: Readonly<Record<Scope, string>> = {
  local: 'for you, in this project',
  project: 'for everyone, in this project',
  user: 'for you, in every project',
};
