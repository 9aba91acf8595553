/** `dacapo doctor`: checks the installation. Each finding comes with its remedy. It is read-only. */
import { chosenHost } from '../../hosts/adapters.ts';
import { errorMessage } from '../../core/thrown.ts';
import { problem, type Finding } from '../../hosts/headless.ts';
import type { Runtime } from '../../store/runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findingLines } from './findings.ts';
import {
  homeFinding,
  hookLogFinding,
  leftoverFindings,
  stateFileFindings,
  unsentFindings,
  userConfigFindings,
  waitingFindings,
} from './home-findings.ts';
import { PACKAGE, PLUGIN } from '../../process/package.ts';
import { probeHook } from './probe.ts';
import { here } from '../project.ts';
import { paint, say, sayJson } from '../terminal/terminal.ts';
import { cliRuntime } from '../runtime.ts';

export interface DoctorOptions {
  readonly json: boolean;
  /** Also run the host once against the scripted model and check that it calls the hook. */
  readonly probe: boolean;
}

export async function runDoctor({ json, probe }: DoctorOptions): Promise<number> {
  const place = { project: here(), env: process.env, platform: process.platform };
  const { settings } = chosenHost();
  const runtime = cliRuntime();
  const probed = probe ? await probeHook({ place, plugin: PLUGIN, start: PACKAGE }) : null;
  const findings: Finding[] = [
    ...settings.environmentFindings(process.env, process.version),
    ...settings.registrationFindings(place),
    ...(probed === null ? [hookLogFinding(runtime)] : [probed]),
    ...settings.habitFindings(place),
    ...settings.rivalFindings(place),
    homeFinding(runtime.store.place(), process.platform),
    ...loopFindings(place.project, runtime),
  ];
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (json) sayJson({ ok: problems === 0, findings });
  else say(...findingLines(findings), '', summary(problems, warnings));
  return problems === 0 ? EXIT.ok : EXIT.failed;
}

/** A state folder that can't be read is a finding. Other commands send people here because of it. */
function loopFindings(project: string, runtime: Runtime): Finding[] {
  try {
    return [
      ...stateFileFindings(project, runtime),
      ...waitingFindings(project, runtime),
      ...userConfigFindings(runtime),
      ...unsentFindings(runtime),
      ...leftoverFindings(runtime),
    ];
  } catch (error) {
    return [
      problem(
        'home',
        `The loops can't be read: ${errorMessage(error)}.`,
        'Make that path yours, or set DACAPO_HOME to another folder.',
      ),
    ];
  }
}

function summary(problems: number, warnings: number): string {
  const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  if (problems > 0) return paint.red(`${count(problems, 'problem')}, ${count(warnings, 'warning')}.`);
  return warnings > 0
    ? paint.yellow(`No problem, ${count(warnings, 'warning')}.`)
    : paint.green('All is well.');
}
