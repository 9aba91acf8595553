/**
 * The agents of the demo: the real host by `dacapo start`, or a small one that calls the hook program like
 * the host.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '#base/shape.ts';
import { chosenHost } from '#hosts/tables/adapters.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { variableOf } from '#hosts/port/program.ts';
import type { PlayedCommand } from '#hosts/port/command-line.ts';
import type { Tell } from './demo-event.ts';
import { answerContent, startModel, type Block } from './model.ts';
import { endGently, endGroup } from '#base/process/family.ts';
import { cutLines } from '#base/process/output.ts';
import { CLI, HOOK } from '#base/process/package.ts';
import { FLAGS, TASK, TYPED, type Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  readonly script: readonly Block[][];
  readonly paceMs: number;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Called after each answer of the hook, when the journal has new events. */
  readonly answered: () => void;
}

/** Between asking the host to end and killing it. */
const GRACE_MS = 2_000;

/** Resolves when the host has ended for any reason. The result of the loop is in the journal. */
export async function playHost(program: string, play: Play): Promise<void> {
  const host = chosenHost();
  play.tell({ is: 'typed', text: TYPED.start });
  const stream = host.headless.openStream();
  const { mayEdit } = host.rehearsal;
  const start = (own: readonly string[]) => [CLI, 'start', TASK, ...FLAGS, '--', ...own, ...mayEdit];
  await runHost(process.execPath, start, {
    ...play,
    env: { [variableOf(host)]: program },
    heard: (line) => {
      play.answered();
      for (const event of stream.read(line)) {
        if (event.is === 'text') play.tell({ is: 'said', text: event.text });
        if (event.is === 'tool') play.tell({ is: 'used', tool: event.name, file: event.summary });
      }
    },
  });
}

export interface HostRun extends Pick<Play, 'stage' | 'script' | 'signal'> {
  readonly paceMs?: number;
  readonly env?: Environment;
  readonly heard: (line: string) => void;
}

/**
 * Runs the host headless on the demo's stage, against the scripted model, with no account. `argumentsWith`:
 * all arguments, from those that the host needs for that.
 */
export async function runHost(
  program: string,
  argumentsWith: (own: readonly string[]) => readonly string[],
  run: HostRun,
): Promise<void> {
  const model = await startModel(run.script, run.paceMs);
  const command = chosenHost().rehearsal.command(model.url);
  const child = spawn(program, argumentsWith(command.args), {
    cwd: run.stage.project,
    env: { ...run.stage.env, ...command.env, ...run.env },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // It may start the host in turn, and all of that ends together.
    detached: process.platform !== 'win32',
  });
  let cancelKill = () => {};
  const end = () => {
    cancelKill = endGently([() => endGroup(child, 'SIGTERM'), () => endGroup(child, 'SIGKILL')], GRACE_MS);
  };
  run.signal.addEventListener('abort', end, { once: true });
  const lines = cutLines(run.heard);
  child.stdout.on('data', lines.push).on('end', lines.end);
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  cancelKill();
  run.signal.removeEventListener('abort', end);
  await model.close();
}

/**
 * Plays the script itself, turn by turn. A turn that uses no tool ends a pass, and its words are the last
 * message.
 */
export async function playScripted(play: Play): Promise<void> {
  const { stage, script, paceMs, signal, tell } = play;
  const { root, project } = stage;
  const transcript = join(root, 'transcript.jsonl');
  writeFileSync(transcript, '');
  const host = chosenHost().rehearsal.play({ id: randomUUID(), project, transcript, process: process.pid });
  const hook = async (payload: object): Promise<string | null> => {
    const answer = await callHook(play, host, payload);
    play.answered();
    return answer;
  };

  const { typed, payload } = host.start(TYPED.inSession);
  tell({ is: 'typed', text: typed });
  if ((await hook(payload)) === null) return;
  let passes = 0;
  for (const turn of script) {
    await sleep(paceMs, undefined, { signal });
    const message = { content: answerContent(turn) };
    appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', message })}\n`);
    for (const block of turn) playBlock(block, tell);
    const words = turn.flatMap((block) => ('text' in block ? [block.text] : []));
    if (words.length < turn.length) continue;
    if ((await hook(host.stop(words.join('\n'), passes++))) === null) break;
  }
  await hook(host.end());
}

function playBlock(block: Block, tell: Tell): void {
  if ('text' in block) return tell({ is: 'said', text: block.text });
  const { tool, input } = block;
  const file = textAt(input, 'file_path');
  tell({ is: 'used', tool, file });
  if (tool !== 'Edit') return;
  const [old, fresh] = [textAt(input, 'old_string'), textAt(input, 'new_string')];
  const after = readFileSync(file, 'utf8').replace(old, () => fresh);
  writeFileSync(file, after);
}

/** The hook's text for the model; null: none, so the session may stop. */
function callHook(play: Play, host: PlayedCommand, payload: object): Promise<string | null> {
  const child = spawn(process.execPath, [HOOK], {
    cwd: play.stage.project,
    env: { ...play.stage.env, ...host.env },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
    signal: play.signal,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  return new Promise((done, fail) => {
    // An abort is an error too, but the end of the process is waited for.
    child.once('error', (error) => play.signal.aborted || fail(error));
    child.once('close', () => done(host.toAgent(said)));
  });
}
