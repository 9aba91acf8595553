/**
 * One turn with an agent that speaks the Agent Client Protocol: it is greeted, gets a session and the prompt,
 * and is asked to end. What it sends is printed as lines that `stream.ts` reads: its own notifications, and
 * its answers under the name of the method. Files and terminals are not offered: the agent has its own tools,
 * and asks about them.
 */
import { recordAt, recordsIn, textOrNull } from '#base/shape.ts';
import { version } from '#base/process/package.ts';
import { GREETING_MS, type AcpConnection, type Reply, type RpcError } from './connection.ts';

const PROTOCOL_VERSION = 1;

/** For its session to be made, or a setting of it to be changed. */
const SESSION_MS = 180_000;

export interface TurnOrder {
  readonly prompt: string;
  readonly cwd: string;
  /** The session that goes on; null: a new one. */
  readonly resume: string | null;
  readonly model: string | null;
  /** It may change nothing, so it gets a mode of its own in which it does not even try. */
  readonly onlyReads: boolean;
}

/** One line of the stream. */
export interface TurnLine {
  readonly method: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcError;
}

export type Print = (line: TurnLine) => void;

/** What an agent says of itself. */
export async function greet(agent: AcpConnection): Promise<Reply> {
  return agent.request(
    'initialize',
    {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'dacapo', title: 'Da Capo', version: version() },
    },
    GREETING_MS,
  );
}

/** `begun`: the session is there, and its updates count from now on. */
export async function runTurn(
  agent: AcpConnection,
  order: TurnOrder,
  print: Print,
  begun: (session: string) => void,
): Promise<void> {
  const greeting = await greet(agent);
  print(lineOf('initialize', greeting));
  if (!greeting.ok) return;
  const able = fieldsOf(greeting.result, 'agentCapabilities');
  const opened = await openSession(agent, order, able);
  if (!opened.reply.ok) return print(lineOf(opened.method, opened.reply));
  const about = fieldsOf(opened.reply);
  const session = order.resume ?? textOrNull(recordAt(about, 'result')['sessionId']);
  if (session === null) return print(refusedMethod(opened.method, 'it made a session without an id'));
  const offered = recordAt(about, 'result');
  print({ method: 'session/new', result: { ...offered, sessionId: session } });
  const unset =
    (await chooseModel(agent, session, order.model, offered)) ??
    (await chooseMode(agent, session, order, offered));
  if (unset !== null) return print(unset);
  begun(session);
  const prompt = [{ type: 'text', text: order.prompt }];
  print(
    lineOf('session/prompt', await agent.request('session/prompt', { sessionId: session, prompt }, null)),
  );
}

function fieldsOf(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  return path.reduce((fields, key) => recordAt(fields, key), recordAt({ value }, 'value'));
}

async function openSession(agent: AcpConnection, { cwd, resume }: TurnOrder, able: Record<string, unknown>) {
  if (resume === null) return askAgent(agent, 'session/new', { cwd, mcpServers: [] });
  const params = { sessionId: resume, cwd, mcpServers: [] };
  if (able['loadSession'] === true) return askAgent(agent, 'session/load', params);
  if (recordAt(able, 'sessionCapabilities')['resume']) return askAgent(agent, 'session/resume', params);
  const error = { code: NO_LOAD, message: 'the agent can not go on in an earlier session' };
  return { method: 'session/load', reply: { ok: false as const, error } };
}

/** A code of our own: the agent has no `session/load`. */
const NO_LOAD = -32052;
/** It does not offer the model, or a mode that only reads. */
const NOT_OFFERED = -32053;

async function askAgent(agent: AcpConnection, method: string, params: object) {
  return { method, reply: await agent.request(method, params, SESSION_MS) };
}

/** Null: it is set, or none was asked for. */
async function chooseModel(
  agent: AcpConnection,
  sessionId: string,
  model: string | null,
  offered: Record<string, unknown>,
): Promise<TurnLine | null> {
  if (model === null) return null;
  const option = optionFor('model', model, offered);
  if (option !== null) return setOption(agent, { sessionId, ...option });
  const models = recordsIn(recordAt(offered, 'models')['availableModels']);
  const known = models.flatMap(({ modelId }) => textOrNull(modelId) ?? []);
  if (known.includes(model)) return failure('session/set_model', agent, { sessionId, modelId: model });
  const all = [...known, ...valuesOf('model', offered)];
  const has = all.length === 0 ? 'it offers no choice' : `it offers ${all.slice(0, 20).join(', ')}`;
  return refusedMethod('session/set_model', `the agent has no model ${model}: ${has}`);
}

/** A mode in which the agent changes nothing, by the names that agents give it. */
const ONLY_READS = [/(?:^|[#/])read-?only$/i, /(?:^|[#/])plan$/i];

async function chooseMode(
  agent: AcpConnection,
  sessionId: string,
  { onlyReads }: TurnOrder,
  offered: Record<string, unknown>,
): Promise<TurnLine | null> {
  if (!onlyReads) return null;
  const modes = recordsIn(recordAt(offered, 'modes')['availableModes']);
  const known = modes.flatMap(({ id }) => textOrNull(id) ?? []);
  const values = valuesOf('mode', offered);
  for (const name of ONLY_READS) {
    const [modeId, value] = [known, values].map((all) => all.find((one) => name.test(one)));
    if (modeId !== undefined) return failure('session/set_mode', agent, { sessionId, modeId });
    const option = value === undefined ? null : optionFor('mode', value, offered);
    if (option !== null) return setOption(agent, { sessionId, ...option });
  }
  return refusedMethod('session/set_mode', 'the agent offers no mode in which it only reads');
}

type SessionOption = Record<string, unknown>;

function optionsOf(category: string, offered: SessionOption): SessionOption[] {
  const all = recordsIn(offered['configOptions']);
  return all.filter((one) => one['category'] === category || one['id'] === category);
}

/** Options stand in a list, or in groups of lists. */
function valuesIn({ options }: SessionOption): string[] {
  return recordsIn(options).flatMap((one) => textOrNull(one['value']) ?? valuesIn(one));
}

function valuesOf(category: string, offered: SessionOption): string[] {
  return optionsOf(category, offered).flatMap(valuesIn);
}

function optionFor(category: string, value: string, offered: SessionOption) {
  const option = optionsOf(category, offered).find((one) => valuesIn(one).includes(value));
  return option === undefined ? null : { configId: option['id'], value };
}

function setOption(agent: AcpConnection, params: object): Promise<TurnLine | null> {
  return failure('session/set_config_option', agent, params);
}

async function failure(method: string, agent: AcpConnection, params: object): Promise<TurnLine | null> {
  const reply = await agent.request(method, params, SESSION_MS);
  return reply.ok ? null : lineOf(method, reply);
}

function lineOf(method: string, reply: Reply): TurnLine {
  return reply.ok ? { method, result: reply.result } : { method, error: reply.error };
}

function refusedMethod(method: string, message: string): TurnLine {
  return { method, error: { code: NOT_OFFERED, message } };
}
