/** `dacapo ready`: a loop that waits for the first prompt that equals its own, and what to type to give it. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseStartWords, type StartRequest } from '../core/arguments.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { topFrame } from '../core/loop.ts';
import { report } from '../core/report.ts';
import { sayWarnings, title } from '../core/words-to-person.ts';
import { keepReady, readyLoop } from '../journal/ready.ts';
import { protectionFor } from '../hearing/protection.ts';
import { startLoop } from '../hearing/start.ts';
import type { World } from '../hearing/world.ts';
import type { Listed } from '../proofs/protected.ts';
import type { OpenLoop } from '../journal/store.ts';
import { EXIT } from './exit-codes.ts';
import { withLoop } from './loops.ts';
import { here } from './project.ts';
import { shellText, shellWord } from './shell.ts';
import { fail, failFor, paint, say, sayJson } from './terminal.ts';
import { cliWorld, hand } from './world.ts';

/** Up to here a prompt is pleasant to see on a command line. */
const TYPED = 200;
const FILE_FLAG = '--prompt-file';

/** The words as the shell gave them. */
export async function runReady(words: readonly string[]): Promise<number> {
  const world = cliWorld();
  const json = words.includes('--json');
  const order = readWords(words.filter((word) => word !== '--json'));
  if (!order.ok)
    return order.code === 'no-prompt'
      ? fail(
          'there is no prompt.',
          'say what is to be done: dacapo ready "PROMPT", or --prompt-file FILE.',
          EXIT.usage,
        )
      : failFor(order, EXIT.usage);
  const { request, file } = order;
  const project = here();
  const waiting = pendingTwin(project, request.prompt, world);
  if (waiting !== null)
    return fail(
      `loop ${waiting} waits for this very prompt already.`,
      `give the prompt, or end it first: dacapo cancel ${waiting}`,
    );
  const protection = protectionFor(request, project);
  if (protection?.ok === false) return failFor(protection);
  const open = makeReady(request, project, protection, world);
  const loop = open.loop();
  open.close();
  const fresh = loop.driver === 'fresh';
  const type = fresh ? `dacapo run --loop ${loop.id}` : `claude ${promptWord(request.prompt, file, open)}`;
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

type Order = { readonly ok: true; readonly request: StartRequest; readonly file: string | null } | Refusal;

function readWords(words: readonly string[]): Order {
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

function withFile(request: StartRequest | Refusal, file: string | null): Order {
  return request.ok ? { ok: true, request, file } : request;
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

function pendingTwin(project: string, prompt: string, world: World): string | null {
  const id = readyLoop(world.home, project, prompt);
  const pending = id !== null && withLoop(id, world, (open) => open.loop().status.is === 'pending');
  return pending === true ? id : null;
}

function makeReady(
  request: StartRequest,
  project: string,
  protection: Listed | null,
  world: World,
): OpenLoop {
  const started = startLoop(
    { request, project, host: 'claude-code', hand: hand(), from: null, owns: null, view: true, protection },
    world,
  );
  if (started.is !== 'started') throw new Error(`a loop without an owner can't be refused: ${started.is}`);
  if (request.mode === 'hook') keepReady(world.home, project, request.prompt, started.open.loop().id);
  return started.open;
}

/** A short prompt is typed; a longer one is read from where it stands. */
export function promptWord(prompt: string, file: string | null, open: OpenLoop): string {
  if (file === null && prompt.length <= TYPED && !prompt.includes('\n'))
    return (prompt.startsWith('-') ? '-- ' : '') + shellText(prompt);
  const stored = join(open.dir, 'prompts', `${topFrame(open.loop()).prompt}.md`);
  return `"$(cat ${shellWord(file === null ? stored : relative(process.cwd(), file) || file)})"`;
}
