/** `dacapo doctor`: checks the installation. Each finding comes with its remedy. It is read-only. */
import { hostOf } from '#hosts/tables/adapters.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { environmentFindings, findBeside, findProgram, gitFinding } from '#hosts/port/program.ts';
import { plural } from '#law/words/phrases.ts';
import { problem, type Finding, ok, warning, type SettingsPlace } from '#hosts/port/headless.ts';
import { EXIT, paint, printLines, sayJson } from '../terminal/terminal.ts';
import { calledFinding, findingLines, homeFinding, hookLogFinding, loopFindings } from './home-findings.ts';
import { PACKAGE, PLUGIN } from '#base/process/package.ts';
import { here, placeOf } from '../context.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { watchJournal } from '#surfaces/demo/demo-event.ts';
import { runHost } from '#surfaces/demo/agents.ts';
import { setStage, type Stage } from '#surfaces/demo/stage.ts';
import { chosenNames } from '#hosts/tables/names.ts';

export async function runDoctor(
  { json, probe, host: name }: GivenFlags<'probe' | 'json'> & { readonly host: string },
  { runtime }: CommandCall,
): Promise<number> {
  const place = placeOf(here());
  const host = hostOf({ host: name });
  const { settings } = host;
  const probed = probe ? await probeHook(host, place) : null;
  const findings: Finding[] = [
    ...environmentFindings(host, process.env, process.version),
    gitFinding(process.env),
    ...settings.registrationFindings(place),
    ...(host.rehearsal === null ? [calledFinding(host, runtime)] : []),
    ...(probed === null ? [hookLogFinding(host.rehearsal !== null, runtime)] : [probed]),
    ...(settings.habitFindings?.(place) ?? []),
    ...(settings.rivalFindings?.(place) ?? []),
    homeFinding(runtime.store.place(), process.platform),
    ...loopFindings(place.project, runtime),
  ];
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (json) sayJson({ ok: problems === 0, findings });
  else printLines(...findingLines(findings), '', summary(problems, warnings));
  return problems === 0 ? EXIT.ok : EXIT.failed;
}

function summary(problems: number, warnings: number): string {
  const also = plural(warnings, 'warning');
  if (problems > 0) return paint.red(`${plural(problems, 'problem')}, ${also}.`);
  return warnings > 0 ? paint.yellow(`No problem, ${also}.`) : paint.green('All is well.');
}

const MAX_REHEARSAL_MS = 30_000;

/**
 * Checks that the host really calls the hook: runs it once, headless, against the scripted model, in a
 * temporary project with the person's own registration of Da Capo and nothing else of theirs, so with no
 * account and no other hook.
 */
async function probeHook(host: HostAdapter, place: SettingsPlace): Promise<Finding> {
  const { env, platform } = place;
  const { rehearsal, title } = host;
  const watch = 'Start a loop in it; dacapo doctor then says whether the hook was called.';
  if (rehearsal === null) return warning('probe', `${title} can't be run against a scripted model.`, watch);
  const found = findProgram(host, env);
  const program = found.ok ? found.program : findBeside(host, PACKAGE);
  if (program === null) return problem('probe', 'The host could not be run.', found.ok ? '' : found.next);
  const stage = setStage({}, env);
  try {
    const there = { project: stage.project, env: stage.env, platform };
    rehearsal.copyRegistration(place, there, PLUGIN);
    const args = rehearsal.asRegistered(place, 'Say one word --max-iterations 1');
    const signal = AbortSignal.timeout(MAX_REHEARSAL_MS);
    const all = (own: readonly string[]) => [...own, ...args];
    await runHost(program, all, { stage, script: [[{ text: 'Probed.' }]], signal, heard: () => undefined });
    return judge(stage);
  } finally {
    stage.clear();
  }
}

function judge(stage: Stage): Finding {
  const journal = watchJournal(stage.dacapoHome, () => undefined);
  const remedy =
    `See the other findings; an organisation may also forbid hooks (/status in ${chosenNames().word} ` +
    'shows its settings).';
  if (journal.events().length === 0)
    return problem('probe', 'The host was run, and did not call the hook for the start command.', remedy);
  return journal.events().some(({ type }) => type === 'verdict')
    ? ok('probe', 'The host was run, and called the hook: a loop was started and its stop was judged')
    : problem('probe', 'The host was run, and did not call the hook for its stop.', remedy);
}
