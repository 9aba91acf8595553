/** `dacapo init`: gives the host the hooks, the plain `/ralph` and its like, and lifts its cap on stops. */
import { HOST } from '../../hosts/default-host.ts';
import type { Finding } from '../../hosts/finding.ts';
import { DEFAULT_WORD } from '../../hosts/names.ts';
import type { Scope, SettingsOrder, SettingsPlan } from '../../hosts/settings.ts';
import { findHome } from '../../store/file/home.ts';
import { excludeFile } from '../../views/exclude.ts';
import { editLines, editReports } from './edits.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findingLines } from './findings.ts';
import { PLUGIN } from '../package.ts';
import { here, shownPath } from '../project.ts';
import { fail, paint, say, sayJson } from '../terminal/terminal.ts';

export interface InitOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly guard: boolean;
  readonly cap: boolean;
  readonly json: boolean;
}

export async function runInit(options: InitOptions): Promise<number> {
  if (options.guard && process.platform === 'win32')
    return fail(
      '--guard is a line of POSIX shell, which Windows does not have.',
      'run dacapo init without --guard',
      EXIT.usage,
    );
  const order = orderHere(options);
  const plan = HOST.settings.planInstall(order);
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!options.dryRun) plan.apply();
  const findings = [
    ...HOST.settings.environmentFindings(process.env, process.version),
    // What may stand in the way later, said now.
    ...HOST.settings.rivalFindings(order.place),
    ...HOST.settings.installFindings(order),
  ];
  if (options.json) sayJson(reportOf(options, plan, findings));
  else say(...tell(options, plan, findings));
  return EXIT.ok;
}

export function orderHere({
  scope,
  guard = false,
  cap = true,
}: {
  scope: Scope;
  guard?: boolean;
  cap?: boolean;
}): SettingsOrder {
  const place = { project: here(), env: process.env, platform: process.platform };
  const home = findHome(process.env, process.platform).dir;
  return { scope, guard, cap, place, plugin: PLUGIN, home, exclude: excludeFile(place.project) };
}

function reportOf(
  { scope, dryRun, guard }: InitOptions,
  plan: SettingsPlan,
  findings: readonly Finding[],
): object {
  const { settings, edits, notes } = plan;
  return { scope, dry_run: dryRun, guard, settings, edits: editReports(edits), notes, findings };
}

function tell({ scope, dryRun }: InitOptions, plan: SettingsPlan, findings: readonly Finding[]): string[] {
  const where = `${FOR_WHOM[scope]} (${shownPath(plan.settings)})`;
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
    `Next: start ${DEFAULT_WORD} ${scope === 'user' ? 'anywhere' : 'in this folder'} and type  ${paint.bold('/ralph PROMPT --check "npm test"')}`,
    paint.dim('dacapo doctor looks whether all is well; dacapo uninstall takes everything back.'),
  ];
}

const FOR_WHOM: Readonly<Record<Scope, string>> = {
  local: 'for you, in this project',
  project: 'for everyone, in this project',
  user: 'for you, in every project',
};
