/**
 * `dacapo doctor --probe`: checks that the host really calls the hook. It runs the host once, headless, against the
 * scripted model, in a temporary project with the person's own registration of Da Capo and nothing else of theirs: no
 * account, no other hook.
 */
import { watchJournal } from '../../demo/demo-event.ts';
import { replies, startModel } from '../../demo/model.ts';
import { runHost } from '../../demo/real-agent.ts';
import { setStage, type Stage } from '../../demo/stage.ts';
import { chosenHost } from '../../hosts/adapters.ts';
import { ok, problem, type Finding, type SettingsPlace } from '../../hosts/headless.ts';
import { chosenNames } from '../../hosts/names.ts';

export interface Probe {
  readonly place: SettingsPlace;
  readonly plugin: string;
  /** If the host is not on the PATH, look in a `node_modules` of this folder or of one above it. */
  readonly start: string;
}

const LONGEST_MS = 30_000;

export async function probeHook(probe: Probe): Promise<Finding> {
  const { env, platform } = probe.place;
  const found = chosenHost().program.find(env);
  const program = found.ok
    ? found.program
    : chosenHost().program.findBeside(probe.start, platform, process.arch);
  if (program === null) return problem('probe', 'The host could not be run.', found.ok ? '' : found.next);
  const stage = setStage({}, env);
  const model = await startModel(replies(['Probed.']));
  try {
    const there = { project: stage.project, env: stage.env, platform };
    chosenHost().rehearsal.copyRegistration(probe.place, there, probe.plugin);
    const args = chosenHost().rehearsal.asRegistered(probe.place, 'Say one word --max-iterations 1');
    await runHost(program, args, {
      stage,
      model: model.url,
      signal: AbortSignal.timeout(LONGEST_MS),
      heard: () => undefined,
    });
    return judge(stage);
  } finally {
    await model.close();
    stage.clear();
  }
}

function judge(stage: Stage): Finding {
  const journal = watchJournal(stage.dacapoHome, () => undefined);
  const remedy = `See the other findings; an organisation may also forbid hooks (/status in ${chosenNames().word} shows its settings).`;
  if (journal.events().length === 0)
    return problem('probe', 'The host was run, and did not call the hook for the start command.', remedy);
  return journal.events().some(({ type }) => type === 'verdict')
    ? ok('probe', 'The host was run, and called the hook: a loop was started and its stop was judged')
    : problem('probe', 'The host was run, and did not call the hook for its stop.', remedy);
}
