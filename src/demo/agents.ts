/** The agents of the demo: the real host with our plugin, or a small one that calls the hook program like the host. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isRecord, textAt } from '../core/shape.ts';
import { chosenHost } from '../hosts/adapters.ts';
import type { Played } from '../hosts/command-line.ts';
import type { Tell } from './demo-event.ts';
import { endGently } from '../process/family.ts';
import { cutLines } from '../process/lines.ts';
import { HOOK, PLUGIN } from '../process/package.ts';
import { REQUEST, type Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  /** Its address. */
  readonly model: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Called after each answer of the hook, when the journal has new events. */
  readonly answered: () => void;
}

/** Between asking the host to end and killing it. */
const GRACE_MS = 2_000;

/** Resolves when the host has ended for any reason. The result of the loop is in the journal. */
export function playHost(program: string, play: Play): Promise<void> {
  const { typed, args } = chosenHost().rehearsal.withPlugin(PLUGIN, REQUEST);
  play.tell({ is: 'typed', text: typed });
  const stream = chosenHost().headless.openStream();
  return runHost(program, args, {
    ...play,
    heard: (line) => {
      play.answered();
      for (const event of stream.read(line)) {
        if (event.is === 'text') play.tell({ is: 'said', text: event.text });
        if (event.is === 'tool') play.tell({ is: 'used', tool: event.name, file: event.summary });
      }
    },
  });
}

export interface HostRun extends Pick<Play, 'stage' | 'model' | 'signal'> {
  /** One line of its stream. */
  readonly heard: (line: string) => void;
}

/** Runs the host headless on the demo's stage, with the model at this address and no account. */
export function runHost(program: string, args: readonly string[], run: HostRun): Promise<void> {
  const command = chosenHost().rehearsal.command(run.model);
  const child = spawn(program, [...command.args, ...args], {
    cwd: run.stage.project,
    env: { ...run.stage.env, ...command.env },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let cancelKill = () => {};
  const end = () => {
    cancelKill = endGently([() => child.kill('SIGTERM'), () => child.kill('SIGKILL')], GRACE_MS);
  };
  run.signal.addEventListener('abort', end, { once: true });
  const lines = cutLines(run.heard);
  child.stdout.on('data', lines.push).on('end', lines.end);
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      cancelKill();
      run.signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

type MessageBlock = Readonly<Record<string, unknown>>;
interface ScriptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly MessageBlock[];
}

const TOOLS = ['Read', 'Edit', 'Write'].map((name) => ({ name, input_schema: { type: 'object' } }));

export async function playScripted(play: Play): Promise<void> {
  const transcript = join(play.stage.root, 'transcript.jsonl');
  writeFileSync(transcript, '');
  const { project } = play.stage;
  const host = chosenHost().rehearsal.play({ id: randomUUID(), project, transcript, process: process.pid });
  const hook = async (payload: object): Promise<string | null> => {
    const answer = await callHook(play, host, payload);
    play.answered();
    return answer;
  };

  const { typed, payload } = host.start(REQUEST);
  play.tell({ is: 'typed', text: typed });
  const brief = await hook(payload);
  if (brief === null) return;
  const conversation: ScriptMessage[] = [{ role: 'user', content: brief }];
  for (let passes = 0; !play.signal.aborted; passes++) {
    const words = await onePass(conversation, transcript, play);
    const more = await hook(host.stop(words, passes));
    if (more === null) break;
    conversation.push({ role: 'user', content: more });
  }
  await hook(host.end());
}

/** Runs until the model calls no more tools. Returns its last message. */
async function onePass(conversation: ScriptMessage[], transcript: string, play: Play): Promise<string> {
  for (;;) {
    const content = await ask(conversation, play);
    conversation.push({ role: 'assistant', content });
    appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', message: { content } })}\n`);
    for (const block of content) tellBlock(block, play.tell);
    const calls = content.filter((block) => block['type'] === 'tool_use');
    if (calls.length === 0) return content.map((block) => textAt(block, 'text')).join('\n');
    conversation.push({ role: 'user', content: calls.map((call) => useTool(call, play.stage.project)) });
  }
}

async function ask(messages: readonly ScriptMessage[], { model, signal }: Play): Promise<MessageBlock[]> {
  const response = await fetch(`${model}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages, tools: TOOLS }),
    signal,
  });
  const body: unknown = await response.json();
  const content = isRecord(body) ? body['content'] : null;
  if (!Array.isArray(content)) throw new Error(`the scripted model gave no message: ${JSON.stringify(body)}`);
  return content.filter(isRecord);
}

function useTool(call: MessageBlock, project: string): MessageBlock {
  const input = isRecord(call['input']) ? call['input'] : {};
  const result = (content: string, is_error = false): MessageBlock => ({
    type: 'tool_result',
    tool_use_id: call['id'],
    content,
    is_error,
  });
  const path = resolve(project, textAt(input, 'file_path'));
  if (!path.startsWith(project + sep)) return result(`${path} is outside the project`, true);
  switch (call['name']) {
    case 'Read':
      return result(readFileSync(path, 'utf8'));
    case 'Write':
      writeFileSync(path, textAt(input, 'content'));
      return result('written');
    case 'Edit': {
      const before = readFileSync(path, 'utf8');
      const [old, fresh] = [textAt(input, 'old_string'), textAt(input, 'new_string')];
      if (!before.includes(old)) return result('old_string was not found', true);
      writeFileSync(
        path,
        before.replace(old, () => fresh),
      );
      return result('edited');
    }
    default:
      return result(`there is no tool ${textAt(call, 'name')}`, true);
  }
}

/** The hook's text for the model; null: none, so the session may stop. */
function callHook(play: Play, host: Played, payload: object): Promise<string | null> {
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

function tellBlock(block: MessageBlock, tell: Tell): void {
  if (block['type'] === 'text') tell({ is: 'said', text: textAt(block, 'text') });
  if (block['type'] !== 'tool_use') return;
  const input = isRecord(block['input']) ? block['input'] : {};
  tell({ is: 'used', tool: textAt(block, 'name'), file: textAt(input, 'file_path') });
}
