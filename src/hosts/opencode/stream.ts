/** Reads the stream of OpenCode (`opencode run --format json`, 1.18.33). */
import { recordAt, textAt } from '../../core/shape.ts';
import type { StreamReader } from '../headless.ts';
import type { Spent, StreamEvent } from '../stream.ts';
import {
  countAt,
  jsonLines,
  numberAt,
  OTHER,
  resultOf,
  sessionBegins,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../stream-lines.ts';

/** Each step tells what it used; the last one of a turn ends it. */
export function openStream(): StreamReader {
  let session = '';
  let used: JsonFields[] = [];
  const read = (value: JsonFields): readonly StreamEvent[] => {
    const part = recordAt(value, 'part');
    const id = textAt(part, 'messageID');
    switch (value['type']) {
      case 'text':
        return [{ is: 'text', message: id, text: textAt(part, 'text') }];
      case 'tool_use':
        return readTool(part);
      case 'step_finish':
        used.push(part);
        if (part['reason'] === 'tool-calls') return [{ is: 'usage', message: id, spent: spentOf([part]) }];
        break;
      case 'error':
        break;
      default:
        return OTHER;
    }
    const total = spentOf(used);
    used = [];
    const error = recordAt(value, 'error');
    const [told, code] = [recordAt(error, 'data'), textAt(error, 'name') || null];
    const status = numberAt(told, 'statusCode');
    const why = textAt(told, 'message') || (code ?? '');
    return [resultOf({ failed: code !== null, total, since: total, error: why, status, code })];
  };
  return jsonLines((value) => {
    const known = session;
    session = textAt(value, 'sessionID') || known;
    return session === known ? read(value) : [sessionBegins(session), ...read(value)];
  });
}

/** A call is told when it is over. */
function readTool(part: JsonFields): StreamEvent[] {
  const [id, state] = [textAt(part, 'callID'), recordAt(part, 'state')];
  const failed = state['status'] === 'error' || (numberAt(recordAt(state, 'metadata'), 'exit') ?? 0) !== 0;
  return [
    toolCall(id, textAt(part, 'tool'), state['input']),
    toolOutcome(id, failed, textAt(state, 'output') || textAt(state, 'error')),
  ];
}

/** At the prices in its own list of models. */
function spentOf(steps: readonly JsonFields[]): Spent {
  const tokens = steps.map((step) => recordAt(step, 'tokens'));
  const sum = (key: string, of = tokens) => of.reduce((all, one) => all + countAt(one, key), 0);
  const cache = tokens.map((one) => recordAt(one, 'cache'));
  const costUsd = steps.reduce((all, step) => all + (numberAt(step, 'cost') ?? 0), 0);
  const output = sum('output') + sum('reasoning');
  const [cacheRead, cacheWrite] = [sum('read', cache), sum('write', cache)];
  return { costUsd: Math.max(0, costUsd), tokens: { input: sum('input'), output, cacheRead, cacheWrite } };
}
