/**
 * `dacapo adopt`: makes a loop of a state file that a person or another tool wrote, and keeps the file as
 * evidence.
 */
import { basename, join, resolve, sep } from 'node:path';
import { type Loop } from '#law/loop.ts';
import type { Refusal } from '#base/refusal.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayWarnings } from '#telling/person/to-person.ts';
import { chosenHost } from '#hosts/tables/adapters.ts';
import { adoptPath } from '#engine/begin/adopt.ts';
import { readPrompt, knownLoop } from '#engine/look/loops.ts';
import { promptPlace } from '#store/prompts.ts';
import { evidencePlace } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { readRegular } from '#base/files/read.ts';
import { STACK_TOPIC, STATE_FILE } from '#evidence/views/places.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { EXIT, fail, printNote, paint, verbatim, linesWhen, type Line } from '../terminal/terminal.ts';
import { PLUGIN } from '#base/process/package.ts';
import { replyFor, here, projectRoot, shownPath } from '../context.ts';
import { promptWord, sayNeedsHook } from './ready.ts';
import { shellWord } from '#base/words/shell-quote.ts';

export async function runAdopt(
  {
    path: file,
    session,
    promptFile: promptFiles,
    json,
  }: GivenFlags<'json', 'path' | 'session'> & { readonly promptFile: readonly string[] },
  { runtime }: CommandCall,
): Promise<number> {
  const path = file === undefined ? defaultFile() : resolve(file);
  const called = file === STACK_TOPIC ? `the topic ${file}` : shownPath(path);
  const { name: host, word, program } = chosenHost();
  const reopen = (id: string) => [word, ...program.resumeSession(id)].join(' ');
  const where = { path, called, isUsual: file === undefined, here: here() };
  const order = { ...where, session: session ?? null, promptFiles, host, reopen };
  const adopted = await adoptPath(order, runtime);
  if (!adopted.ok) return failAdopting(adopted);
  const { open, files, notes } = adopted;
  const loop = knownLoop(open, runtime);
  for (const line of notes) printNote(line);
  const lines = adoptedLines(open, loop, files);
  open.close();
  return replyFor(loop, json, runtime, ...lines);
}

function defaultFile(): string {
  const near = join(here(), STATE_FILE);
  return readRegular(near).is === 'gone' ? join(projectRoot(), STATE_FILE) : near;
}

function failAdopting({ code, message, next }: Refusal): number {
  const template = join(PLUGIN, 'templates', basename(STATE_FILE));
  return fail(
    shorter(message),
    code === 'not-there'
      ? 'name the file that holds the loop: dacapo adopt FILE; to begin a new loop: dacapo start ' +
          `"PROMPT"; ${template} is a template for a file of your own.`
      : shorter(next),
    code === 'no-session-id' ? EXIT.usage : EXIT.failed,
  );
}

function shorter(words: string): string {
  return words.replaceAll(`${here()}${sep}`, '');
}

/** The innermost task comes first, which may surprise, and the fallback file has room for one frame only. */
function sayFrames({ around, files: { views } }: Loop): string[] {
  if (around.length === 0) return [];
  const file = views.find(({ kind }) => kind === 'stack')?.file ?? STACK_TOPIC;
  const shows =
    file === STACK_TOPIC ? '' : ` ${file} shows only the active one; dacapo status shows all of them.`;
  return [
    `All ${around.length + 1} frames of its stack were imported. The innermost is active; the one ` +
      `around it continues when it is done.${shows}`,
  ];
}

function adoptedLines(open: OpenLoop, loop: Loop, files: readonly string[]): Line[] {
  const away = loop.project === here() ? '' : `cd ${shellWord(loop.project)} && `;
  const prompt = promptWord(readPrompt(open), promptPlace(open.blobs, loop.frame.prompt));
  return [
    `Da Capo: ${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} now loop ${title(loop)}: ` +
      `it ${sayStatus(loop)}.`,
    ...sayWarnings(loop),
    ...sayFrames(loop),
    `What was written is kept in ${evidencePlace(open.blobs)}.`,
    ...linesWhen<Line>(
      loop.session.owner === null,
      `It begins when a session in ${away === '' ? 'this folder' : 'its folder'} gets its prompt first:`,
      '',
      verbatim(`  ${paint.bold(`${away}${chosenHost().word} ${prompt}`)}`),
      ...sayNeedsHook(chosenHost()),
    ),
  ];
}
