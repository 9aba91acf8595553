/** Reads the lines that the program `acp` prints for one pass (`turn.ts`): what the agent has sent. */
import { isId, recordAt, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import type { StreamReader } from '../port/headless.ts';
import type { Denial, Result, Spent, StreamEvent, Tokens } from '../port/stream.ts';
import {
  countAt,
  jsonLineReader,
  numberAt,
  OTHER,
  resultOf,
  sessionBegins,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { lineOf } from './permission.ts';

/** Lines of our own, beside the agent's: a call was denied, refused by a rule, asked about, answered. */
export const OURS = {
  denied: 'dacapo/denied',
  refused: 'dacapo/refused',
  asks: 'dacapo/asks',
  answered: 'dacapo/answered',
} as const;

/** The protocol's own code, and those of HTTP that some agents put in its place. */
const AUTH_REQUIRED = -32_000;
/** An answer that is longer has been said; its end is what counts. */
const MAX_MESSAGE_CHARS = 1_000_000;
const MAX_DENIALS_KEPT = 200;
const MAX_TITLE_CHARS = 200;

interface State {
  /** The message that is being said, so far. */
  readonly said: string;
  readonly message: string | null;
  readonly hasSaid: boolean;
  /** The calls that the agent has told of: whether they are shown. */
  readonly tools: ReadonlyMap<string, boolean>;
  readonly denied: readonly Denial[];
  /** What the session cost before this turn, and so far, as the agent told. */
  readonly costBefore: number;
  readonly cost: number | null;
}

const BEGINNING: State = {
  said: '',
  message: null,
  hasSaid: false,
  tools: new Map(),
  denied: [],
  costBefore: 0,
  cost: null,
};

export function openAcpStream(): StreamReader {
  let state = BEGINNING;
  return jsonLineReader((line) => {
    const [next, events] = readLine(state, line);
    state = next;
    return events;
  });
}

type Step = readonly [State, readonly StreamEvent[]];

function readLine(state: State, line: JsonFields): Step {
  const params = recordAt(line, 'params');
  switch (line['method']) {
    case 'session/update':
      return readUpdate(state, recordAt(params, 'update'));
    case 'session/new':
      return 'error' in line ? failed(state, line) : [state, [begins(recordAt(line, 'result'))]];
    case 'session/prompt':
      return 'error' in line ? failed(state, line) : ended(state, recordAt(line, 'result'));
    case OURS.denied:
      return denied(state, params);
    case OURS.refused:
      return [state, [{ is: 'refused', id: textAt(params, 'id') }]];
    case OURS.asks:
      return [state, [asks(params)]];
    case OURS.answered:
      return [state, [{ is: 'answered', why: oneLine(textAt(params, 'why'), MAX_TITLE_CHARS) }]];
    default:
      return 'error' in line ? failed(state, line) : [state, OTHER];
  }
}

function begins(result: JsonFields): StreamEvent {
  const model = textOrNull(recordAt(result, 'models')['currentModelId']) ?? chosen(result, 'model');
  const mode = textOrNull(recordAt(result, 'modes')['currentModeId']) ?? chosen(result, 'mode');
  // The id is the name of a file in our home. An agent with other ids has sessions that nobody can go on in.
  const id = result['sessionId'];
  return sessionBegins(isId(id) ? id : null, { model, permission_mode: mode });
}

function chosen({ configOptions }: JsonFields, category: string): string | null {
  const option = recordsIn(configOptions).find((one) => one['category'] === category);
  return option === undefined ? null : textOrNull(option['currentValue']);
}

function readUpdate(state: State, update: JsonFields): Step {
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return hearChunk(state, update);
    case 'tool_call':
    case 'tool_call_update':
      return readTool(state, update);
    case 'usage_update':
      return readUsage(state, update);
    // A thought ends a message as well: what follows is another one.
    case 'agent_thought_chunk':
      return flushed(state, OTHER);
    default:
      return [state, OTHER];
  }
}

function hearChunk(state: State, update: JsonFields): Step {
  const text = textAt(recordAt(update, 'content'), 'text');
  const message = textOrNull(update['messageId']);
  const [before, events] = message === state.message ? [state, []] : flushed(state, []);
  if (text === '') return [{ ...before, message }, OTHER];
  return [{ ...before, message, said: before.said + text }, events.length > 0 ? events : OTHER];
}

/** The message that was being said is whole now. */
function flushed(state: State, then: readonly StreamEvent[]): Step {
  const text = state.said.slice(-MAX_MESSAGE_CHARS);
  const next = { ...state, said: '', message: null, hasSaid: state.hasSaid || text.trim() !== '' };
  return text.trim() === '' ? [next, then] : [next, [{ is: 'text', message: null, text }, ...then]];
}

/** It is shown once its input is known, since some agents tell of a call before that. */
function readTool(state: State, update: JsonFields): Step {
  const id = textAt(update, 'toolCallId');
  const { status } = update;
  const isOver = status === 'completed' || status === 'failed';
  const isKnown = lineOf(update) !== null || (status !== 'pending' && status !== undefined);
  const isShown = state.tools.get(id) === true;
  const name = textOrNull(update['kind']) ?? 'tool';
  const summary = lineOf(update) ?? textOrNull(update['title']) ?? update['rawInput'];
  const events = [
    ...(isShown || !isKnown ? [] : [toolCall(id, name, summary)]),
    ...(isOver ? [toolOutcome(id, status === 'failed', outputOf(update))] : []),
  ];
  const next = { ...state, tools: new Map([...state.tools, [id, isShown || isKnown]]) };
  return flushed(next, events.length === 0 ? OTHER : events);
}

function outputOf(update: JsonFields): string {
  const texts = recordsIn(update['content']).map((part) => textAt(recordAt(part, 'content'), 'text'));
  const { rawOutput } = update;
  return texts.filter(Boolean).join('\n') || (typeof rawOutput === 'string' ? rawOutput : '');
}

/** The cost is that of the whole session. Before the turn, it is what the session cost earlier. */
function readUsage(state: State, update: JsonFields): Step {
  const told = recordAt(update, 'cost');
  const cost = told['currency'] === 'USD' ? numberAt(told, 'amount') : null;
  const [used, size] = [countAt(update, 'used'), countAt(update, 'size')];
  const context: StreamEvent = { is: 'context', tokens: used, window: size || null };
  const isBefore = update['_dacapo'] === 'before';
  if (isBefore) return [{ ...state, costBefore: cost ?? 0 }, [context]];
  return [{ ...state, cost: cost ?? state.cost }, [context]];
}

function denied(state: State, params: JsonFields): Step {
  const { id, kind: tool, summary } = params;
  const denial = { id: String(id), tool: String(tool), summary: oneLine(String(summary), MAX_TITLE_CHARS) };
  const event: StreamEvent = { is: 'denied', tool: denial.tool, why: 'nobody was there to answer' };
  return [{ ...state, denied: [...state.denied, denial].slice(0, MAX_DENIALS_KEPT) }, [event]];
}

function asks(params: JsonFields): StreamEvent {
  return {
    is: 'asks',
    request: textAt(params, 'request'),
    until: textAt(params, 'until'),
    text: textAt(params, 'text'),
  };
}

/**
 * Some agents report a request that failed as the end of a turn. A turn in which nothing was said, done or
 * counted is no answer of a model.
 */
function ended(state: State, result: JsonFields): Step {
  const [whole, said] = flushed(state, []);
  const spent = spentIn(whole, result);
  const tokens = spent === null ? 0 : spent.tokens.input + spent.tokens.output;
  const didNothing = !whole.hasSaid && whole.tools.size === 0 && whole.denied.length === 0 && tokens === 0;
  const reason = textOrNull(result['stopReason']);
  const error = didNothing ? 'the agent ended its turn without a message and without tokens' : null;
  const end: Result = resultOf({
    failed: didNothing,
    reason,
    error,
    total: spent,
    since: spent,
    denied: whole.denied,
  });
  return [whole, [...said, end]];
}

/** Null: the agent tells neither. */
function spentIn({ cost, costBefore }: State, result: JsonFields): Spent | null {
  const tokens = tokensIn(result);
  if (tokens === null && cost === null) return null;
  const costUsd = cost === null ? null : Math.max(0, cost - costBefore);
  return { costUsd, tokens: tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
}

/** In the field of the protocol, or where Gemini CLI tells them. */
function tokensIn(result: JsonFields): Tokens | null {
  const usage = recordAt(result, 'usage');
  if (numberAt(usage, 'inputTokens') !== null) {
    const [input, cacheRead] = [countAt(usage, 'inputTokens'), countAt(usage, 'cachedReadTokens')];
    const cacheWrite = countAt(usage, 'cachedWriteTokens');
    return { input, output: countAt(usage, 'outputTokens'), cacheRead, cacheWrite };
  }
  const quota = recordAt(recordAt(recordAt(result, '_meta'), 'quota'), 'token_count');
  if (numberAt(quota, 'input_tokens') === null) return null;
  return {
    input: countAt(quota, 'input_tokens'),
    output: countAt(quota, 'output_tokens'),
    cacheRead: 0,
    cacheWrite: 0,
  };
}

/** By codes and fields, never by words. `subtype`: the method that failed. */
function failed(state: State, line: JsonFields): Step {
  const [whole, said] = flushed(state, []);
  const error = recordAt(line, 'error');
  const code = numberAt(error, 'code');
  const data = recordAt(error, 'data');
  const told = [code, ...STATUS_FIELDS.map((field) => numberAt(data, field))].find(isStatus);
  const type = textOrNull(data['errorKind']);
  const end = resultOf({
    failed: true,
    error: textOrNull(error['message']) ?? 'the agent failed',
    status: code === AUTH_REQUIRED ? 401 : (told ?? (type === 'rate_limit' ? 429 : null)),
    subtype: textOrNull(line['method']),
    code: code === null ? null : String(code),
    type,
    denied: whole.denied,
  });
  return [whole, [...said, end]];
}

const STATUS_FIELDS = ['status', 'statusCode', 'httpStatus', 'code'];

function isStatus(code: number | null): code is number {
  return code !== null && code >= 400 && code < 600;
}
