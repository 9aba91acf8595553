/**
 * `dacapo ready`: makes a loop that begins when a session gets exactly its prompt, and prints the command for
 * that.
 */
import { relative, join } from 'node:path';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { statusOf } from '#telling/loop-status.ts';
import { sayWarnings } from '#telling/person/to-person.ts';
import { title } from '#telling/person/status.ts';
import { promptPlace } from '#store/prompts.ts';
import { readPrompt } from '#engine/look/loops.ts';
import { start, startedOnce, type StartRefused } from '#engine/begin/start.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { chosenNames, type HostNames } from '#hosts/tables/names.ts';
import { type Refusal, refuse } from '#base/refusal.ts';
import type { Runtime } from '#store/runtime.ts';
import { LOOP_FILES, loopFolderOf } from '#evidence/views/places.ts';
import { waitingStates } from '#evidence/views/waiting-states.ts';
import { EXIT, failFor, paint, verbatim, reply, failUsage } from '../terminal/terminal.ts';
import { findLoops, here, shownPath, actor, sayingChecks } from '../context.ts';
import type { CommandCall } from '../command.ts';
import { refuseNewCommands } from './agent-commands.ts';
import { shellText, shellWord } from '#base/words/shell-quote.ts';
import { readStartFields, startRequest, type StartRequest } from '#input/arguments.ts';
import type { Reading } from '#input/values.ts';
import type { ImportedStart } from '#evidence/views/imported.ts';
import { importProgress, isLoopFolder } from '#evidence/views/progress/import.ts';
import { READY_FLAGS } from './flags.ts';
import { readPromptLine, readPromptSource, type PromptLine } from './prompt-line.ts';

/** Longer prompts are hard to read on a command line, so the command reads them from a file. */
const MAX_TYPED_CHARS = 200;

export async function runReady({ words, runtime }: CommandCall): Promise<number> {
  const line = readReadyLine(words);
  if (!line.ok) return line.code === 'no-prompt' ? failWithoutPrompt(runtime) : failFor(line, EXIT.usage);
  const { request, file, host: chosen, json, ...imported } = line.value;
  if (request.nest)
    return failUsage(
      '--nest does not work here: a loop that waits is inside no other loop.',
      'leave it out; dacapo start --nest puts a task inside a running loop.',
    );
  const refused = await refuseNewCommands(words, request.checks, runtime);
  if (refused !== null) return failFor(refused);
  const host = hostOf({ host: chosen ?? '' });
  if (host.program.noSession !== undefined && request.driver !== 'fresh')
    return failFor(host.program.noSession, EXIT.usage);
  const by = { host: host.name, actor: actor(), from: null, owns: null, view: true };
  const order = { request, project: here(), ...by, ...imported };
  const started = startedOnce(await start(order, sayingChecks(runtime)));
  if (started.is === 'refused') return failFor(ownNext(started));
  const { open } = started;
  const loop = open.loop();
  const prompt = readPrompt(open);
  open.close();
  const fresh = loop.driver === 'fresh';
  // The prompt of a list's first item is in none of the person's files.
  const typed = file !== null && loop.frame.item === null ? relative(process.cwd(), file) || file : null;
  const stored = promptPlace(open.blobs, loop.frame.prompt);
  const word = typed === null ? promptWord(prompt, stored) : fileWord(typed);
  const type = fresh ? `dacapo run --loop ${loop.id}` : `${host.word} ${word}`;
  const warnings = sayWarnings(loop);
  return reply(
    json,
    { ...statusOf(loop, runtime.now()), type },
    `Da Capo: loop ${title(loop)} is ready. ` +
      `${fresh ? 'Run it in a terminal:' : 'It begins when a session in this folder gets its prompt first:'}`,
    '',
    verbatim(`  ${paint.bold(type)}`),
    ...(warnings.length === 0 ? [] : ['', ...warnings]),
    ...(fresh ? [] : sayNeedsHook(host)),
  );
}

function failWithoutPrompt(runtime: Runtime): number {
  const asked = process.env['RALPH_LOOP_DIR'];
  const folder = shownPath(loopFolderOf(here(), process.env));
  const why = asked ? `: RALPH_LOOP_DIR names ${folder}, which has no ${LOOP_FILES.prompt}` : '';
  const commands = waitingStates(here(), runtime, findLoops(false, runtime))
    .map(({ command }) => command)
    .filter((command) => command.startsWith('dacapo ready '));
  const next = ['give a prompt: dacapo ready "PROMPT", or --prompt-file FILE', ...commands].join('; or ');
  return failUsage(`there is no prompt${why}.`, `${next}.`);
}

/** Without the hook, the session that gets the prompt would work on it without a loop. */
export function sayNeedsHook({ name }: HostNames): string[] {
  const flag = name === chosenNames().name ? '' : ` --host ${name}`;
  const words =
    `That session needs the hook of Da Capo: the plugin or dacapo init${flag}. dacapo doctor${flag} ` +
    'checks that.';
  return ['', paint.dim(words)];
}

/** The loop that has claimed the file is most likely waiting too, and begins when it gets its prompt. */
function ownNext(refused: StartRefused): Refusal {
  return refused.code === 'file-taken' && refused.inTheWay !== null
    ? { ...refused, next: `give its prompt, or end it first: dacapo cancel ${refused.inTheWay.id}` }
    : refused;
}

export function promptWord(prompt: string, stored: string): string {
  if (prompt.length <= MAX_TYPED_CHARS && !prompt.includes('\n'))
    return (prompt.startsWith('-') ? '-- ' : '') + shellText(prompt);
  return fileWord(stored);
}

function fileWord(file: string): string {
  return `"$(cat ${shellWord(file)})"`;
}

interface ReadyLine extends Pick<PromptLine, 'file' | 'host' | 'json'> {
  readonly request: StartRequest;
  readonly imported?: ImportedStart;
}

export function readReadyLine(words: readonly string[]): Reading<ReadyLine> {
  const read = readPromptLine(READY_FLAGS, words);
  if (!read.ok) return read;
  const line = read.value;
  const prompt = readPromptSource(line);
  if (!prompt.ok) return prompt;
  const [word = '', ...more] = line.words;
  if (prompt.value === undefined) {
    if (more.length === 0 && isFolder(word) && isLoopFolder(word)) return fromFolder(word, line);
    const usual = loopFolderOf(here(), process.env);
    // With nothing said at all, the loop folder is meant if there is one.
    if (word === '' && existsSync(join(usual, LOOP_FILES.prompt))) return fromFolder(usual, line);
  }
  const request = startRequest(line, prompt.value);
  const { file, host, json } = line;
  return request.ok ? { ok: true, value: { request, file, host, json } } : request;
}

/** The settings in another tool's folder apply unless a flag overrides them. */
function fromFolder(folder: string, { given, host, json }: PromptLine): Reading<ReadyLine> {
  const found = importProgress(realpathSync(folder), here());
  if (!found.ok) return found;
  if (found.project !== here())
    return refuse(
      'elsewhere',
      `${folder} belongs to ${found.project}.`,
      `go there first: cd ${shellWord(found.project)}`,
    );
  const request = readStartFields(found.prompt, found.fields, given);
  const file = join(folder, LOOP_FILES.prompt);
  return request.ok ? { ok: true, value: { request, file, host, imported: found.imported, json } } : request;
}

/** `existsSync` comes first because `statSync` throws on a prompt that is too long to be a path. */
function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
