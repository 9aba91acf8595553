/**
 * One pass with an agent that speaks the Agent Client Protocol, with the prompt on stdin: `acp.cjs [--resume
 * ID] [--model=NAME] [--mode MODE] [--tools JSON] [--greet] -- COMMAND`. It starts the command, prints what
 * the agent sends as lines of JSON, and answers its permission requests. On SIGTERM it cancels the turn,
 * which keeps the session, and ends the agent.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { list, parseAs, recordAt, text } from '#base/shape.ts';
import { endGroup } from '#base/process/family.ts';
import { toStart } from '#base/process/to-start.ts';
import { SENDER, RUNNER } from '#base/process/package.ts';
import { hearPermission, type Permission } from '#engine/driver/permit.ts';
import { processRuntime } from '#engine/process-runtime.ts';
import { isDisabled } from '#store/runtime.ts';
import { headOf, oneLine } from '#base/words/sanitize.ts';
import { AGENT_GONE, GREETING_MS, openConnection, type AcpConnection } from '#hosts/acp/connection.ts';
import {
  answerWith,
  isAllowed,
  MODES,
  openCalls,
  type AskedCall,
  type AcpMode,
} from '#hosts/acp/permission.ts';
import { OURS } from '#hosts/acp/stream.ts';
import { greet, runTurn, type TurnLine } from '#hosts/acp/turn.ts';
import { PROTOCOLS } from '#hosts/tables/protocols.ts';

/** How long a call waits for a person while the agent stands still. */
const HOLD_MS = 10 * 60_000;
/** While it waits, so that the pass does not count as hung. */
const ALIVE_MS = 60_000;
/** For the end of a turn that was cancelled, and of a process that was asked to end. */
const END_MS = 2_000;
/** After that, a person who waits for the greeting learns what for. */
const SLOW_MS = 5_000;
/** Of a line that is no message of the protocol. */
const NOISE_CHARS = 1_000;
const COMMAND_CHARS = 200;

const { values, positionals } = parseArgs({
  options: {
    resume: { type: 'string' },
    model: { type: 'string' },
    mode: { type: 'string' },
    tools: { type: 'string' },
    greet: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
/** Where the agent says what is no message. In a greeting that is part of what it says. */
const noises = values.greet ? process.stdout : process.stderr;
const mode: AcpMode = MODES.find((one) => one === values.mode) ?? 'edits';
const allowed = { mode, tools: parseAs(list(text), values.tools ?? '[]') ?? [], cwd: process.cwd() };

const calls = openCalls();
/** Aborted once the turn is cancelled: by a signal, or because a person did not answer. */
const turn = new AbortController();
const cancelled = new Promise<null>((resolve) => turn.signal.addEventListener('abort', () => resolve(null)));
let session: string | null = null;
let isEnding = false;

function print(line: TurnLine): void {
  // Its end and its last words on stderr say more than that no answer came.
  if (line.error?.code === AGENT_GONE) {
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function main(): Promise<void> {
  const child = startAgent();
  const agent = openConnection(child.stdin, child.stdout, {
    asked: (method, params) => (method === 'session/request_permission' ? permission(params, agent) : null),
    told: (method, params) => pass(method, params),
    noise: (line) => process.stdout.write(`${headOf(line, NOISE_CHARS)}\n`),
  });
  // A reader that is slow slows the agent.
  child.stdout.on('data', () => {
    if (!process.stdout.writableNeedDrain) return;
    child.stdout.pause();
    process.stdout.once('drain', () => child.stdout.resume());
  });
  child.on('error', (error) => {
    noises.write(`${positionals[0]} can't be started: ${error.message}\n`);
    process.exitCode = 1;
    agent.close();
  });
  process.on('SIGTERM', () => void cancel(agent));
  if (values.greet) await askWhoItIs(agent);
  else await runTurn(agent, readOrder(), print, (id) => (session = id));
  await endAgent(child);
}

/** In a pass the driver ends the whole group of this process. A greeting has no driver. */
function startAgent() {
  const { program, args, verbatim } = toStart(positionals, process.env, process.platform);
  return spawn(program, args, {
    stdio: ['pipe', 'pipe', noises],
    detached: values.greet && process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
}

async function askWhoItIs(agent: AcpConnection): Promise<void> {
  process.on('SIGINT', () => void cancel(agent));
  const words = `waits for \`${oneLine(positionals.join(' '), COMMAND_CHARS)}\` to answer`;
  const note = `Da Capo: ${words}, for at most ${GREETING_MS / 1000} s …\n`;
  const slow = setTimeout(() => process.stderr.write(note), SLOW_MS);
  const reply = await greet(agent);
  clearTimeout(slow);
  print({ method: 'initialize', ...(reply.ok ? { result: reply.result } : { error: reply.error }) });
}

function readOrder() {
  return {
    prompt: readFileSync(0, 'utf8'),
    cwd: process.cwd(),
    resume: values.resume ?? null,
    model: values.model ?? null,
    onlyReads: mode === 'reads',
  };
}

/** What an agent tells of an earlier turn, while its session is loaded, is no news. Its cost so far is. */
function pass(method: string, params: Record<string, unknown>): void {
  if (method !== 'session/update') return;
  const update = recordAt(params, 'update');
  if (text(update['toolCallId'])) calls.learn(update);
  if (session !== null) return print({ method, params });
  if (update['sessionUpdate'] === 'usage_update')
    print({ method, params: { update: { ...update, _dacapo: 'before' } } });
}

async function cancel(agent: AcpConnection): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  cancelTurn(agent);
  await sleep(END_MS);
  agent.close();
}

/** The agent gets an answer to all that it has asked, since it may end its turn only after that. */
function cancelTurn(agent: AcpConnection): void {
  if (session !== null) agent.notify('session/cancel', { sessionId: session });
  turn.abort();
}

async function permission(params: Record<string, unknown>, agent: AcpConnection): Promise<object> {
  // For the evidence.
  print({ method: 'session/request_permission', params });
  const call = calls.read(params);
  const { options } = params;
  const judged = turn.signal.aborted ? null : await Promise.race([judge(call), cancelled]);
  if (judged === null) return { outcome: { outcome: 'cancelled' } };
  if (judged.is === 'permit') return answerWith(options, true, mode);
  if (judged.is === 'silence') {
    const isYes = isAllowed(call, allowed);
    if (!isYes)
      print({ method: OURS.denied, params: { id: call.id, kind: call.kind, summary: call.summary } });
    return answerWith(options, isYes, mode);
  }
  print({ method: OURS.refused, params: { id: call.id, ...(judged.is === 'deny' && { why: judged.why }) } });
  // After the answer to this request is on its way.
  if (judged.is === 'parked') setImmediate(() => cancelTurn(agent));
  return answerWith(options, false, mode);
}

/** All that one call would do has to pass. */
async function judge(call: AskedCall): Promise<Permission> {
  if (isDisabled(process.env) || session === null) return { is: 'silence' };
  const runtime = processRuntime({ env: process.env, runner: RUNNER, sender: SENDER });
  const alive = setInterval(() => print({ method: 'dacapo/waits' }), ALIVE_MS);
  let permission: Permission = { is: 'silence' };
  try {
    for (const { tool, input } of call.acts) {
      const payload = { event: 'tool', session, project: process.cwd(), tool, input, id: call.id };
      const arrival = json?.readArrival(payload, process.env);
      if (arrival?.is !== 'tool') return { is: 'deny', why: 'the call could not be read' };
      const heard = await hearPermission(arrival, place(), runtime);
      if (heard.is === 'deny' || heard.is === 'parked') return heard;
      if (heard.is === 'permit') permission = heard;
    }
    return permission;
  } finally {
    clearInterval(alive);
  }
}

/** Its calls are told in the words of the protocol `json`, whatever the agent is. */
const json = PROTOCOLS.find(({ name }) => name === 'json');

function place() {
  const seconds = Number(process.env['DACAPO_HOLD_SECONDS'] ?? Number.NaN);
  return {
    holdMs: Number.isNaN(seconds) ? HOLD_MS : seconds * 1_000,
    asks: ({ id, until, text: words }: { id: string; until: string; text: string }) =>
      print({ method: OURS.asks, params: { request: id, until, text: words } }),
    answered: (why: string) => print({ method: OURS.answered, params: { why } }),
  };
}

/** Asks the agent to end, then makes it. It may still write down its session. */
async function endAgent(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signal = (name: 'SIGTERM' | 'SIGKILL') => (values.greet ? endGroup(child, name) : child.kill(name));
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    child.stdin?.end();
    await Promise.race([gone, sleep(END_MS)]);
    // On Windows it may be a shell, with the agent below it.
    if (process.platform === 'win32') endGroup(child, 'SIGKILL');
    else signal('SIGTERM');
    await Promise.race([gone, sleep(END_MS)]);
    signal('SIGKILL');
  }
  if (process.exitCode === 1) process.exitCode = child.exitCode || 1;
  // Without this, what the reader has not taken yet would be lost.
  process.stdout.write('', () => process.exit());
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

void main();
