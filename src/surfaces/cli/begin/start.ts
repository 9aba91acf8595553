/**
 * `dacapo start`: makes a loop and starts the host for it here. If anything fails, no loop is left that
 * claims to run.
 */
import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { startRequest, type StartRequest } from '#input/arguments.ts';
import type { Reading } from '#input/values.ts';
import { splitAtDashes } from '#input/words.ts';
import { refuseBareFlag } from './run-line.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { paragraphs } from '#telling/agent/continuation.ts';
import { shortBrief } from '#telling/agent/to-agent.ts';
import { sayPushed, sayStarted } from '#telling/person/to-person.ts';
import { cancelLoop } from '#engine/steer/control.ts';
import { readPrompt } from '#engine/look/loops.ts';
import { senderFor } from '#engine/look/tool-session.ts';
import { nest } from '#engine/begin/push.ts';
import { start, startedOnce } from '#engine/begin/start.ts';
import { sayBadConfig, sayNeighbours } from '#engine/begin/run.ts';
import { hostOf, sessionOf } from '#hosts/tables/adapters.ts';
import { findProgram } from '#hosts/port/program.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import type { Runtime } from '#store/runtime.ts';
import type { CommandCall } from '../command.ts';
import { refuseNewCommands } from './agent-commands.ts';
import { forgetting, showDry } from './dry-run.ts';
import { hideHeldOut, noteHeldOut } from './held-out.ts';
import { openHost, promptArguments, settleSession } from './open-host.ts';
import { START_FLAGS } from './flags.ts';
import { isStdin, readPromptLine, readPromptSource, type PromptLine } from './prompt-line.ts';
import { out } from '../terminal/output.ts';
import { EXIT, fail, failFor, failToBegin, printNote, printLines, failUsage } from '../terminal/terminal.ts';
import { refuseHost } from '#engine/trust/trust.ts';
import { PLUGIN } from '#base/process/package.ts';
import { here, noteRedChecks, placeOf, projectRoot, actor, sayingChecks } from '../context.ts';

export async function runStart({ words, runtime }: CommandCall): Promise<number> {
  const { ours, hosts } = splitAtDashes(words);
  const asked = readStartLine(ours);
  if (!asked.ok) return failFor({ ...asked, next: nextFor(asked) }, EXIT.usage);
  const { request, dryRun, json } = asked.value;
  hideHeldOut(request, 'dacapo start');
  const host = hostOf({ host: asked.value.host ?? '' });
  if (host.program.noSession !== undefined) return failFor(host.program.noSession, EXIT.usage);
  const taken = hosts.find((word) => host.program.sessionFlags.includes(word.replace(/=[^]*$/, '')));
  if (taken !== undefined) {
    const inSession =
      host.commands === null
        ? ''
        : `; in an open session, start the loop with ${host.commands.start} instead`;
    return failUsage(
      `${taken} can't be passed on: dacapo start chooses the session itself.`,
      `leave it out${inSession}.`,
    );
  }
  const bare = refuseBareFlag(host, hosts);
  if (bare !== null) return failFor(bare, EXIT.usage);
  const refused = await refuseNewCommands(ours, request.checks, runtime);
  if (refused !== null) return failFor(refused);
  if (request.nest && !dryRun) return nestHere(request, runtime);
  if (request.nest) return failUsage('--dry-run does not work with --nest.', 'leave one of them out.');
  if (request.driver === 'fresh')
    return failUsage(
      '--mode fresh does not work here: dacapo start works in one session.',
      'leave it out, or use dacapo run.',
    );
  // Where no flag brings the hook along, it has to be in the settings.
  const isBrought = host.program.sessionArguments(PLUGIN).length > 0;
  const [silent] = isBrought ? [] : (host.settings.silencedBy?.(placeOf(here())) ?? []);
  if (silent !== undefined)
    return fail(`${silent}.`, `run dacapo init --host ${host.name}, then dacapo start again.`);
  const found = findProgram(host, process.env);
  if (!found.ok) return failFor(found);
  const untrusted = refuseHost(host.headless, here(), runtime);
  if (untrusted !== null) return failFor(untrusted);
  const stdin = isStdin(asked.value) ? terminal() : ('inherit' as const);
  const order = { host, program: found.program, extra: hosts, stdin };
  if (!dryRun) return startInHost(request, { ...order, show: null }, runtime);
  const show = json ? 'json' : 'words';
  return forgetting(runtime, (forgetful) => startInHost(request, { ...order, show }, forgetful));
}

function readStartLine(words: readonly string[]): Reading<PromptLine & { readonly request: StartRequest }> {
  const line = readPromptLine(START_FLAGS, words);
  if (!line.ok) return line;
  const { json, dryRun } = line.value;
  if (json && !dryRun) return refuse('json-of-a-session', '--json needs --dry-run.', 'Leave it out.');
  const prompt = readPromptSource(line.value);
  if (!prompt.ok) return prompt;
  const request = startRequest(line.value, prompt.value);
  return request.ok ? { ok: true, value: { ...line.value, request } } : request;
}

/** The prompt used up stdin, but the host needs the keyboard. */
function terminal(): number | 'inherit' {
  try {
    return openSync('/dev/tty', 'r');
  } catch {
    return 'inherit';
  }
}

/** With these the person asks for a session without a screen. */
const PRINTS: readonly string[] = ['-p', '--print'];

interface HostStart {
  readonly host: HostAdapter;
  readonly program: string;
  readonly extra: readonly string[];
  readonly stdin: number | 'inherit';
  /** Only shown, not started. */
  readonly show: 'words' | 'json' | null;
}

/**
 * The agent itself usually calls this in the middle of its pass; the host's environment then names the
 * session.
 */
async function nestHere(request: StartRequest, runtime: Runtime): Promise<number> {
  const session = sessionOf(runtime.env);
  const pushed = await nest({ request, by: actor(), session, root: projectRoot() }, runtime);
  if (!pushed.ok) return failFor(pushed);
  printLines(`${sayPushed(pushed.loop)} The agent gets it at its next stop.`);
  return EXIT.ok;
}

/** In a start, the host's flags come after `--`, so the parser's own advice would mislead. */
function nextFor({ code, next }: Refusal): string {
  if (code === 'no-prompt')
    return 'give a prompt: dacapo start "PROMPT". dacapo start --help all lists the flags.';
  if (code !== 'unknown-flag') return next;
  return (
    'flags of the agent go after --, as in dacapo start "PROMPT" -- --model opus, and the ' +
    'prompt in quotes. dacapo start --help all lists the flags of dacapo start.'
  );
}

async function startInHost(
  request: StartRequest,
  { host, program, extra, stdin, show }: HostStart,
  runtime: Runtime,
): Promise<number> {
  const session = randomUUID();
  const project = here();
  const { newSession } = host.program;
  // Where the host chooses the id of its session, the loop waits for its prompt.
  const from = newSession === null ? null : senderFor(session, { project, host: host.name }, null);
  const order = { request, project, host: host.name, actor: actor(), view: show === null };
  const started = startedOnce(await start({ ...order, from, owns: from && 'start' }, sayingChecks(runtime)));
  if (started.is === 'refused') {
    const { inTheWay: loop, next } = started;
    return failToBegin({ ...started, next: loop ? `end it first: dacapo cancel ${loop.id}` : next });
  }
  const { open, proofs } = started;
  try {
    const notes = [...sayBadConfig(runtime), ...sayNeighbours(open.loop(), runtime)];
    // After `--` the host can't take the prompt for a flag, or for a value of a flag that takes several
    // words.
    const ours = host.program.sessionArguments(PLUGIN, placeOf(project));
    const own = [...(newSession?.(session) ?? []), ...ours];
    const { promptFlag } = host.program;
    const prompt = promptArguments(promptFlag, readPrompt(open));
    const args = [...own, ...extra, ...prompt];
    if (show !== null) {
      const brief = paragraphs([readPrompt(open), shortBrief(open.loop())]);
      return showDry(
        open.loop(),
        { notes, proofs, brief, command: [program, ...args] },
        show === 'json',
        runtime,
      );
    }
    noteRedChecks(proofs, open.loop().project);
    noteHeldOut(open.loop().id, runtime);
    // A headless host does not show what the hook says, so we print it here.
    printNote(sayStarted(open.loop()));
    for (const words of notes) printNote(`Da Capo: ${words}`);
    if (from !== null) printNote(`Its session is ${session}.`);
    if (!out.isScreen() && !extra.some((word) => PRINTS.includes(word)))
      printNote(
        `Da Capo: no terminal here, so ${host.word} runs without its screen. dacapo run is made for that.`,
      );
    const ended = await openHost(host, { program, args, stdin, folder: project });
    if ('why' in ended) {
      cancelLoop(open, actor(), null, runtime);
      return fail(
        `${program} could not be started: ${ended.why}`,
        'the loop is cancelled; dacapo doctor finds the cause.',
      );
    }
    return settleSession(open, host, { how: ended.how, mustHear: true }, runtime);
  } finally {
    open.close();
  }
}
