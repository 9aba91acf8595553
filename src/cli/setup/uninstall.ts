/** `dacapo uninstall`: takes back what `dacapo init` added, and leaves everything else as it is. Loops stay. */
import { HOST } from '../../hosts/default-host.ts';
import type { Scope, SettingsPlan } from '../../hosts/settings.ts';
import { editLines, editReports } from './edits.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { orderHere } from './init.ts';
import { shownPath } from '../project.ts';
import { fail, paint, say, sayJson } from '../terminal/terminal.ts';

export interface UninstallOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export async function runUninstall(options: UninstallOptions): Promise<number> {
  const plan = HOST.settings.planUninstall(orderHere(options));
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!options.dryRun) plan.apply();
  if (options.json) sayJson(reportOf(options, plan));
  else say(...tell(options, plan));
  return EXIT.ok;
}

function reportOf({ scope, dryRun }: UninstallOptions, { settings, edits, notes }: SettingsPlan): object {
  return { scope, dry_run: dryRun, settings, edits: editReports(edits), notes };
}

function tell({ dryRun }: UninstallOptions, { settings, edits, notes }: SettingsPlan): string[] {
  const head =
    edits.length === 0
      ? `There is nothing of Da Capo's in ${shownPath(settings)}.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} taken out of ${shownPath(settings)}.`;
  return [
    paint.bold(head),
    ...(edits.length === 0 ? [] : ['', ...editLines(edits, dryRun)]),
    ...(dryRun ? [paint.bold('Nothing was changed.')] : []),
    ...notes.flatMap((note) => ['', `${paint.yellow('!')} ${note}`]),
  ];
}
