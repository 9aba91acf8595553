/** `dacapo demo`: plays one loop from its start to its proof, on this machine, without an account. */
import { basename } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { watchJournal, type Tell } from '#surfaces/demo/demo-event.ts';
import { playHost, playScripted } from '#surfaces/demo/agents.ts';
import { setStage, FILES, scriptFor } from '#surfaces/demo/stage.ts';
import { chosenHost } from '#hosts/tables/adapters.ts';
import { findBeside, findProgram, isProgramNamed, isRecent, versionOf } from '#hosts/port/program.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import { demoTeller } from './demo-screen.ts';
import { hearAll } from '../terminal/full-terminal.ts';
import { out } from '../terminal/output.ts';
import { EXIT, fail, printNote, paint, printLines, screenWidth, linesWhen } from '../terminal/terminal.ts';
import { CLI, PACKAGE } from '#base/process/package.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { sayEnded } from '#telling/person/ended.ts';
import type { GivenFlags } from '../command.ts';

type DemoOptions = GivenFlags<'keep' | 'json'> & { readonly agent: string };

/** The demo takes seconds. After this long something is wrong, and waiting longer does not help. */
const MAX_DEMO_MS = 50_000;
/** How long the model pretends to think when a person watches. */
const PACE_MS = 700;
const INTERRUPTED_EXIT = 130;

export async function runDemo(options: DemoOptions): Promise<number> {
  const cast = castFor(options.agent);
  if (!cast.ok) return fail(cast.message, cast.next);
  const tell: Tell = options.json
    ? (event) => printLines(JSON.stringify(event))
    : demoTeller(printLines, screenWidth());
  const stop = new AbortController();
  const interrupt = (): void => stop.abort('interrupted');
  const stopHearing = hearAll(
    [process, { SIGINT: interrupt, SIGTERM: interrupt, SIGHUP: interrupt }],
    // `dacapo demo | head` closes the pipe early. The processes that the demo started must still end.
    [out.stream(), { error: () => stop.abort('unread') }],
  );
  const late = setTimeout(() => stop.abort('late'), MAX_DEMO_MS);
  try {
    let outcome = await playDemo(cast, options, stop.signal, tell);
    if (outcome === 'no-loop' && !stop.signal.aborted && options.agent === 'auto' && cast.real !== null) {
      printNote(
        `${cast.real.program} did not call the hook here (dacapo doctor finds out why). The scripted ` +
          `agent plays instead.\n`,
      );
      outcome = await playDemo(SCRIPTED, options, stop.signal, tell);
    }
    return conclude(outcome, options, stop.signal);
  } finally {
    clearTimeout(late);
    stopHearing();
  }
}

type DemoOutcome = 'proven' | 'unproven' | 'no-loop';

type Cast = Extract<ReturnType<typeof castFor>, { ok: true }>;

const SCRIPTED = { ok: true as const, agent: 'scripted', real: null };

function castFor(wanted: DemoOptions['agent']) {
  if (wanted === 'scripted') return SCRIPTED;
  const host = chosenHost();
  const found = findProgram(host, process.env);
  const beside = findBeside(host, PACKAGE);
  // `npm run` puts npm's own wrapper first on the PATH, and that wrapper is an empty shell if install scripts
  // are disabled. A program that the person named is used without looking further.
  const isChosen = found.ok && isProgramNamed(host, process.env);
  const candidates = [found.ok ? found.program : null, isChosen ? null : beside];
  const asked = candidates.flatMap((program) =>
    program === null ? [] : [{ program, version: versionOf(program, process.env) }],
  );
  for (const { program, version } of asked)
    if (version !== null && isRecent(host, version))
      return { ok: true as const, agent: chosenNames().word, real: { program, version } };
  if (wanted === 'auto') return SCRIPTED;
  const [first] = asked;
  if (!found.ok && first === undefined) return found;
  const program = first?.program ?? chosenNames().word;
  const version = first?.version ?? null;
  const problem =
    version === null
      ? 'does not report its version'
      : `is version ${version}, and ${host.program.oldest} or newer is needed`;
  return {
    ok: false as const,
    message: `${program} ${problem}.`,
    next: 'update it, or run dacapo demo --agent scripted',
  };
}

async function playDemo(
  cast: Cast,
  options: DemoOptions,
  signal: AbortSignal,
  tell: Tell,
): Promise<DemoOutcome> {
  const stage = setStage(FILES, process.env);
  const paceMs = out.isScreen() && !options.json ? PACE_MS : 0;
  const script = scriptFor(stage.project);
  try {
    tell({ is: 'begun', agent: cast.agent, version: cast.real?.version ?? null, project: stage.project });
    const journal = watchJournal(stage.dacapoHome, tell);
    const play = { stage, script, paceMs, signal, tell, answered: journal.look };
    await (cast.real === null ? playScripted(play) : playHost(cast.real.program, play)).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
    journal.look();
    const loop = journal.loop();
    // `dacapo start` makes the loop before the host has called the hook.
    if (loop === null || loop.session.awaited || signal.aborted) return 'no-loop';
    tell({ is: 'journal', file: journal.file() ?? '', events: journal.events() });
    if (hasEnded(loop)) tell({ is: 'ended', status: loop.status.is, text: sayEnded(loop) });
    return loop.status.is === 'completed' ? 'proven' : 'unproven';
  } finally {
    if (options.keep)
      printNote(
        `\nKept: ${stage.root}\nLook at the loop: DACAPO_HOME=${shellWord(stage.dacapoHome)} ` +
          `${self()} watch --all (or ui, or report --html)`,
      );
    else stage.clear();
  }
}

function conclude(outcome: DemoOutcome, { json }: DemoOptions, signal: AbortSignal): number {
  if (signal.reason === 'interrupted') {
    printNote('\nThe demo was stopped. Everything that it started has ended.');
    return INTERRUPTED_EXIT;
  }
  if (signal.reason === 'unread') return EXIT.ok;
  const next =
    'dacapo doctor finds out what is wrong; dacapo demo --agent scripted needs no ' +
    `${chosenNames().title}.`;
  if (signal.reason === 'late')
    return fail(`the demo took longer than ${MAX_DEMO_MS / 1000} s and was ended.`, next);
  if (outcome === 'no-loop') return fail('the loop was not started: the hook was not called.', next);
  if (outcome === 'unproven') return fail('the loop ended without its proof.', next);
  if (!json) printLines(...nextSteps());
  return EXIT.ok;
}

/** `npm run demo` starts the built program itself, in a clone that may not be installed yet. */
function isLinkedCommand(): boolean {
  return basename(process.argv[1] ?? '') !== basename(CLI);
}

function self(): string {
  return isLinkedCommand() ? 'dacapo' : `node ${shellWord(CLI)}`;
}

function nextSteps(): string[] {
  const asPlugin = chosenHost().rehearsal.pluginCommands(PACKAGE);
  return [
    ...linesWhen(
      !isLinkedCommand(),
      '',
      paint.bold('Install the command'),
      `  ${paint.cyan(`npm install -g ${shellWord(PACKAGE)}`)}`,
    ),
    '',
    paint.bold('Now yours: in a project of your own'),
    `  ${paint.cyan('dacapo start "Make the tests pass" --check "npm test"')}`,
    '',
    'Or with commands in every session of a project:',
    `  ${paint.cyan('dacapo init')}`,
    `  then start ${chosenNames().word} there and type`,
    `  ${paint.cyan('/ralph Make the tests pass --check "npm test"')}`,
    ...linesWhen(
      asPlugin.length > 0,
      '',
      'Or as a plugin, for every project (the command is then /dacapo:ralph):',
      ...asPlugin.map((words) => `  ${paint.cyan(words.map(shellWord).join(' '))}`),
    ),
  ];
}
