/** `dacapo ready`: a loop that waits for the first prompt that equals its own, and what to type to give it. */
import { join, relative } from 'node:path';
import { topFrame } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayWarnings, title } from '../../text/to-person.ts';
import { keepReady, readyLoop } from '../../store/file/ready.ts';
import { configuredFor } from '../../proofs/stop-hooks/configured-for.ts';
import { firstItem } from '../../operations/items.ts';
import { protectionFor } from '../../operations/protection.ts';
import { startLoop, type Started, type StartOrder } from '../../operations/start.ts';
import type { World } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { withLoop } from '../loops.ts';
import { DEFAULT_NAME } from '../../hosts/names.ts';
import { here } from '../project.ts';
import { readReadyLine } from './ready-line.ts';
import { shellText, shellWord } from '../terminal/shell.ts';
import { fail, failFor, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld, hand } from '../runtime.ts';

/** Up to here a prompt is pleasant to see on a command line. */
const TYPED = 200;

/** The words as the shell gave them. */
export async function runReady(words: readonly string[]): Promise<number> {
  const world = cliWorld();
  const line = readReadyLine(words);
  if (!line.ok)
    return line.code === 'no-prompt'
      ? fail(
          'there is no prompt.',
          'say what is to be done: dacapo ready "PROMPT", or --prompt-file FILE.',
          EXIT.usage,
        )
      : failFor(line, EXIT.usage);
  const { request, file, begun, json } = line.value;
  const project = here();
  if (request.nest)
    return fail(
      'a loop that waits is inside no other.',
      'leave --nest out; dacapo start --nest puts a task inside a loop that runs.',
      EXIT.usage,
    );
  const first = await firstItem(request, project, world);
  if (!first.ok) return failFor(first);
  const { item } = first;
  const prompt = item?.text ?? request.prompt;
  const waiting = pendingTwin(project, prompt, world);
  if (waiting !== null)
    return fail(
      `loop ${waiting} waits for this very prompt already.`,
      `give the prompt, or end it first: dacapo cancel ${waiting}`,
    );
  const configured = await configuredFor({ project, config: request.config }, world);
  if (configured?.ok === false) return failFor(configured);
  const protection = protectionFor(request, project);
  if (protection?.ok === false) return failFor(protection);
  const wanted = { request, item, configured, protection, ...(begun === undefined ? {} : { begun }) };
  const started = makeReady(wanted, project, world);
  if (started.is === 'refused')
    return fail(`${started.why}.`, `give its prompt, or end it first: dacapo cancel ${started.loop.id}`);
  const { open } = started;
  const loop = open.loop();
  open.close();
  const fresh = loop.driver === 'fresh';
  const type = fresh
    ? `dacapo run --loop ${loop.id}`
    : `claude ${promptWord(prompt, item === null ? file : null, open)}`;
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

function pendingTwin(project: string, prompt: string, world: World): string | null {
  const id = readyLoop(world.home, project, prompt);
  const pending = id !== null && withLoop(id, world, (open) => open.loop().status.is === 'pending');
  return pending === true ? id : null;
}

function makeReady(
  wanted: Pick<StartOrder, 'request' | 'item' | 'configured' | 'protection' | 'begun'>,
  project: string,
  world: World,
): Exclude<Started, { is: 'again' }> {
  const started = startLoop(
    { ...wanted, project, host: DEFAULT_NAME, hand: hand(), from: null, owns: null, view: true },
    world,
  );
  if (started.is === 'again') throw new Error('a start without a session is never delivered twice');
  const { request, item } = wanted;
  if (started.is === 'started' && request.driver === 'hook')
    keepReady(world.home, project, item?.text ?? request.prompt, started.open.loop().id);
  return started;
}

/** A short prompt is typed; a longer one is read from where it stands. */
export function promptWord(prompt: string, file: string | null, open: OpenLoop): string {
  if (file === null && prompt.length <= TYPED && !prompt.includes('\n'))
    return (prompt.startsWith('-') ? '-- ' : '') + shellText(prompt);
  const stored = join(open.dir, 'prompts', `${topFrame(open.loop()).prompt}.md`);
  return `"$(cat ${shellWord(file === null ? stored : relative(process.cwd(), file) || file)})"`;
}
