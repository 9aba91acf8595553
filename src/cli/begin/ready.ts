/** `dacapo ready`: a loop that waits for the first prompt that equals its own, and what to type to give it. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseStartWords, type StartRequest } from '../../flags/arguments.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { topFrame } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayWarnings, title } from '../../text/to-person.ts';
import { promptPath } from '../../store/file/prompts.ts';
import type { Begun } from '../../views/begun.ts';
import { foreignProgress } from '../../views/progress/import.ts';
import { isLoopFolder } from '../../views/import.ts';
import { readPrompt } from '../../operations/find.ts';
import { start, startedOnce, type Refused } from '../../operations/start.ts';
import { claudeCode } from '../../hosts/claude-code/hook/host.ts';
import { PROGRESS_FILES } from '../../views/progress/format.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { here } from '../project.ts';
import { shellText, shellWord } from '../terminal/shell.ts';
import { fail, failFor, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld, hand } from '../runtime.ts';

/** Up to here a prompt is pleasant to see on a command line. */
const TYPED = 200;
const FILE_FLAG = '--prompt-file';

/** The words as the shell gave them. */
export async function runReady(words: readonly string[]): Promise<number> {
  const world = cliWorld();
  const json = words.includes('--json');
  const read = readWords(words.filter((word) => word !== '--json'));
  if (!read.ok)
    return read.code === 'no-prompt'
      ? fail(
          'there is no prompt.',
          'say what is to be done: dacapo ready "PROMPT", or --prompt-file FILE.',
          EXIT.usage,
        )
      : failFor(read, EXIT.usage);
  const { request, file, begun } = read;
  const project = here();
  if (request.nest)
    return fail(
      'a loop that waits is inside no other.',
      'leave --nest out; dacapo start --nest puts a task inside a loop that runs.',
      EXIT.usage,
    );
  const order = { request, project, host: claudeCode.name, hand: hand(), from: null, owns: null, view: true };
  const started = startedOnce(await start({ ...order, ...(begun === undefined ? {} : { begun }) }, world));
  if (started.is === 'refused') return failFor(ownNext(started));
  const { open } = started;
  const loop = open.loop();
  const prompt = readPrompt(open);
  open.close();
  const fresh = loop.driver === 'fresh';
  // The prompt of a list's first item stands in no file of the person's.
  const typed = file !== null && topFrame(loop).item === null ? relative(process.cwd(), file) || file : null;
  const type = fresh
    ? `dacapo run --loop ${loop.id}`
    : `claude ${typed === null ? promptWord(prompt, promptPath(open.dir, topFrame(loop).prompt)) : fileWord(typed)}`;
  if (json) sayJson({ ...report(loop, world.now()), type });
  else
    say(
      `Da Capo: loop ${title(loop)} is ready. ${fresh ? 'Run it in a terminal:' : 'It begins when a session in this folder gets its prompt first:'}`,
      '',
      `  ${paint.bold(type)}`,
      ...paragraph(sayWarnings(loop)),
      ...paragraph(
        fresh
          ? []
          : [
              paint.dim(
                'That session needs the hook of Da Capo: the plugin or dacapo init. dacapo doctor looks.',
              ),
            ],
      ),
    );
  return EXIT.ok;
}

function paragraph(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

type Order =
  | {
      readonly ok: true;
      readonly request: StartRequest;
      readonly file: string | null;
      readonly begun: Begun | undefined;
    }
  | Refusal;

function readWords(words: readonly string[]): Order {
  const folder = words.find((word) => !word.startsWith('-') && isFolder(word) && isLoopFolder(word));
  if (folder !== undefined && onlyPrompt(words) === folder) return readFolder(folder, words);
  const at = words.findIndex((word) => word === FILE_FLAG || word.startsWith(`${FILE_FLAG}=`));
  if (at === -1 || words.slice(0, at).includes('--')) return withFile(parseStartWords(words), null);
  const inline = words[at]?.startsWith(`${FILE_FLAG}=`) ?? false;
  const file = inline ? words[at]?.slice(FILE_FLAG.length + 1) : words[at + 1];
  if (!file)
    return refuse('missing-value', `${FILE_FLAG} has no value.`, `write ${FILE_FLAG} RALPH_PROMPT.md.`);
  const rest = [...words.slice(0, at), ...words.slice(at + (inline ? 1 : 2))];
  const read = readPromptFile(file);
  if (!read.ok) return read;
  const alone = parseStartWords(rest);
  if (alone.ok || alone.code !== 'no-prompt')
    return alone.ok
      ? refuse('two-prompts', `there is a prompt beside ${FILE_FLAG}.`, 'give one of the two.')
      : alone;
  return withFile(parseStartWords([...rest.filter((word) => word !== '--'), '--', read.content]), file);
}

/** The prompt among these words; null where there is none, or something is wrong with them. */
function onlyPrompt(words: readonly string[]): string | null {
  const request = parseStartWords(words);
  return request.ok ? request.prompt : null;
}

/** A loop folder of seed 000: what it says holds where no flag says otherwise. */
function readFolder(folder: string, words: readonly string[]): Order {
  const found = foreignProgress(realpathSync(folder), here());
  if (!found.ok) return found;
  if (found.project !== here())
    return refuse(
      'elsewhere',
      `${folder} belongs to ${found.project}.`,
      `go there first: cd ${shellWord(found.project)}`,
    );
  const given = words.filter((word) => word !== folder && word !== '--');
  const named = (flag: string) => given.some((word) => word.replace(/=[^]*$/, '') === flag);
  const flags = found.flags.filter((flag) => !named(flag.replace(/=[^]*$/, '')));
  const request = parseStartWords([...flags, ...given, '--', found.prompt]);
  return withFile(request, join(folder, PROGRESS_FILES.prompt), found.begun);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function withFile(request: StartRequest | Refusal, file: string | null, begun?: Begun): Order {
  return request.ok ? { ok: true, request, file, begun } : request;
}

function readPromptFile(file: string): { readonly ok: true; readonly content: string } | Refusal {
  try {
    const content = readFileSync(file, 'utf8');
    if (content.trim() !== '') return { ok: true, content };
    return refuse('empty-file', `${file} is empty.`, 'write the task into it.');
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'is not there' : "can't be read";
    return refuse('no-file', `${file} ${why}.`, 'name a file that holds the prompt.');
  }
}

/** The loop that keeps the file most likely waits too, and its prompt begins it. */
function ownNext(refused: Refused): Refusal {
  return refused.code === 'file-taken' && refused.inTheWay !== null
    ? { ...refused, next: `give its prompt, or end it first: dacapo cancel ${refused.inTheWay.id}` }
    : refused;
}

/** A short prompt is typed; a longer one is read from the file that holds it. */
export function promptWord(prompt: string, stored: string): string {
  if (prompt.length <= TYPED && !prompt.includes('\n'))
    return (prompt.startsWith('-') ? '-- ' : '') + shellText(prompt);
  return fileWord(stored);
}

function fileWord(file: string): string {
  return `"$(cat ${shellWord(file)})"`;
}
