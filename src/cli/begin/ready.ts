/**
 * `dacapo ready`: makes a loop that begins when a session gets exactly its prompt, and prints the command that does
 * so.
 */
import { relative } from 'node:path';
import { topFrame } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayWarnings, title } from '../../text/to-person.ts';
import { promptPlace } from '../../store/prompts.ts';
import { readPrompt } from '../../operations/look/loops.ts';
import { start, startedOnce, type StartRefused } from '../../operations/begin/start.ts';
import { chosenNames } from '../../hosts/names.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import { LOOP_FILES, loopFolderOf } from '../../views/places.ts';
import { waitingStates } from '../../views/waiting-states.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findLoops } from '../loops.ts';
import { here, shownPath } from '../project.ts';
import { refuseNewCommands } from './agent-commands.ts';
import { readReadyLine } from './ready-line.ts';
import { shellText, shellWord } from '../../core/words/shell-quote.ts';
import { fail, failFor, paint, say, sayJson, verbatim } from '../terminal/terminal.ts';
import { cliRuntime, actor, sayingChecks } from '../runtime.ts';

/** Longer prompts are hard to read on a command line, so the command reads them from a file. */
const TYPED = 200;

/** `words`: as the shell passed them. */
export async function runReady(words: readonly string[]): Promise<number> {
  const runtime = cliRuntime();
  const line = readReadyLine(words);
  if (!line.ok) return line.code === 'no-prompt' ? failWithoutPrompt(runtime) : failFor(line, EXIT.usage);
  const { request, file, imported, json } = line.value;
  const project = here();
  if (request.nest)
    return fail(
      'a loop that waits is inside no other.',
      'leave --nest out; dacapo start --nest puts a task inside a loop that runs.',
      EXIT.usage,
    );
  const refused = await refuseNewCommands([...request.checks, request.itemsFrom], runtime);
  if (refused !== null) return failFor(refused);
  const host = chosenNames().name;
  const order = { request, project, host, actor: actor(), from: null, owns: null, view: true };
  const started = startedOnce(
    await start({ ...order, ...(imported === undefined ? {} : { imported }) }, sayingChecks(runtime)),
  );
  if (started.is === 'refused') return failFor(ownNext(started));
  const { open } = started;
  const loop = open.loop();
  const prompt = readPrompt(open);
  open.close();
  const fresh = loop.driver === 'fresh';
  // The prompt of a list's first item is in none of the person's files.
  const typed = file !== null && topFrame(loop).item === null ? relative(process.cwd(), file) || file : null;
  const type = fresh
    ? `dacapo run --loop ${loop.id}`
    : `${chosenNames().word} ${typed === null ? promptWord(prompt, promptPlace(open.blobs, topFrame(loop).prompt)) : fileWord(typed)}`;
  if (json) sayJson({ ...report(loop, runtime.now()), type });
  else
    say(
      `Da Capo: loop ${title(loop)} is ready. ${fresh ? 'Run it in a terminal:' : 'It begins when a session in this folder gets its prompt first:'}`,
      '',
      verbatim(`  ${paint.bold(type)}`),
      ...paragraph(sayWarnings(loop)),
      ...(fresh ? [] : sayNeedsHook()),
    );
  return EXIT.ok;
}

/** Names the folder that was looked in, and those that have a prompt. */
function failWithoutPrompt(runtime: Runtime): number {
  const asked = process.env['RALPH_LOOP_DIR'];
  const folders = waitingStates(here(), runtime, findLoops(false, runtime)).filter(({ command }) =>
    command.startsWith('dacapo ready '),
  );
  return fail(
    asked
      ? `there is no prompt: RALPH_LOOP_DIR names ${shownPath(loopFolderOf(here(), process.env))}, which has no ${LOOP_FILES.prompt}.`
      : 'there is no prompt.',
    [
      'say what to do: dacapo ready "PROMPT", or --prompt-file FILE',
      ...folders.map(({ command }) => command),
    ].join('; or ') + '.',
    EXIT.usage,
  );
}

function paragraph(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Without the hook, the session that gets the prompt would work on it without a loop. */
export function sayNeedsHook(): string[] {
  const words =
    'That session needs the hook of Da Capo: the plugin or dacapo init. dacapo doctor checks that.';
  return ['', paint.dim(words)];
}

/** The loop that has claimed the file is most likely waiting too, and begins when it gets its prompt. */
function ownNext(refused: StartRefused): Refusal {
  return refused.code === 'file-taken' && refused.inTheWay !== null
    ? { ...refused, next: `give its prompt, or end it first: dacapo cancel ${refused.inTheWay.id}` }
    : refused;
}

/** Puts a short prompt on the command line and reads a longer one from the file that holds it. */
export function promptWord(prompt: string, stored: string): string {
  if (prompt.length <= TYPED && !prompt.includes('\n'))
    return (prompt.startsWith('-') ? '-- ' : '') + shellText(prompt);
  return fileWord(stored);
}

function fileWord(file: string): string {
  return `"$(cat ${shellWord(file)})"`;
}
