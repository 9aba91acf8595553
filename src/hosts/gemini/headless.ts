/** Gemini CLI as a headless host (`gemini --output-format stream-json`, 0.61.0). */
import { recordAt, recordsIn, textAt, textOrNull } from '../../core/shape.ts';
import { fateOf, statusFate } from '../fate.ts';
import { kinHeadless, kinProgram, type GeminiKin } from '../gemini-kin.ts';
import type { StreamReader } from '../headless.ts';
import type { Result, StreamEvent } from '../stream.ts';
import {
  brief,
  countAt,
  jsonLines,
  OTHER,
  outcomeOf,
  sessionBegins,
  summaryOf,
  type JsonFields,
} from '../stream-lines.ts';
import { GEMINI_EVENTS } from './hook.ts';
import { GEMINI, geminiHome } from './names.ts';

export const KIN: GeminiKin = {
  ...GEMINI,
  folder: '.gemini',
  home: geminiHome,
  program: {
    // The first version with which this was tried.
    oldest: '0.61.0',
    install: 'npm install -g @google/gemini-cli',
    // The shell of its agent has no variable with the session.
    sessionOf: () => null,
  },
  events: Object.keys(GEMINI_EVENTS),
  stop: 'AfterAgent',
  before: 'BeforeTool',
  modeAt: ['general', 'defaultApprovalMode'],
  modes: ['default', 'auto_edit', 'yolo', 'plan'],
  edits: 'auto_edit',
};

export const program = kinProgram(KIN);

export const geminiHeadless = kinHeadless(KIN, {
  fallback: false,
  login: 'gemini, then /auth',
  openStream,
  classify: (end) =>
    fateOf(end, (result) => statusFate(statusOf(end.exit), end.record, result.error ?? 'failed')),
});

/** Its exit code is the status of the API, of which a system keeps the last eight bits. */
function statusOf(exit: number | null): number | null {
  const status = (exit ?? 0) + 256;
  return status >= 400 ? status : exit === 529 % 256 ? 529 : null;
}

/** A text comes in parts, so it is told whole when something else follows. */
function openStream(): StreamReader {
  let said = '';
  return jsonLines((value) => {
    if (value['type'] === 'message' && value['role'] === 'assistant') {
      said += textAt(value, 'content');
      return OTHER;
    }
    const text: StreamEvent[] = said === '' ? [] : [{ is: 'text', message: null, text: said }];
    said = '';
    return [...text, ...readLine(value)];
  });
}

function readLine(value: JsonFields): readonly StreamEvent[] {
  switch (value['type']) {
    case 'init':
      return [sessionBegins(value['session_id'], value)];
    case 'tool_use':
      return [
        {
          is: 'tool',
          id: textAt(value, 'tool_id'),
          name: textAt(value, 'tool_name'),
          summary: summaryOf(value['parameters']),
        },
      ];
    case 'tool_result': {
      const failed = value['status'] === 'error';
      return [
        { is: 'tool-outcome', id: textAt(value, 'tool_id'), failed, ...outcomeOf(textAt(value, 'output')) },
      ];
    }
    // Warnings, above all: a turn that failed is told by its result.
    case 'error':
      return [{ is: 'noise', text: brief(textAt(value, 'message')) }];
    case 'result':
      return [readResult(value)];
    default:
      return OTHER;
  }
}

/** Its figures are those of the process. */
function readResult(value: JsonFields): Result {
  const stats = recordAt(value, 'stats');
  const cacheRead = countAt(stats, 'cached');
  const input = Math.max(0, countAt(stats, 'input_tokens') - cacheRead);
  const spent = {
    costUsd: null,
    tokens: { input, output: countAt(stats, 'output_tokens'), cacheRead, cacheWrite: 0 },
  };
  const error = textAt(recordAt(value, 'error'), 'message');
  return {
    is: 'result',
    failed: value['status'] === 'error',
    reason: null,
    subtype: null,
    status: null,
    type: null,
    code: null,
    total: spent,
    since: spent,
    window: null,
    turns: 1,
    denied: [],
    error: error === '' ? null : brief(error),
  };
}

/** A row of the file that records a session. An answer with calls is written again when they are over. */
export function readRow(row: JsonFields): readonly StreamEvent[] {
  const { type, content, toolCalls } = row;
  if (type !== 'gemini') return OTHER;
  if (toolCalls === undefined)
    return typeof content === 'string' && content !== ''
      ? [{ is: 'text', message: textOrNull(row['id']), text: content }]
      : OTHER;
  return recordsIn(toolCalls).flatMap((call): StreamEvent[] => {
    const [id, name] = [textAt(call, 'id'), textAt(call, 'name')];
    const failed = call['status'] === 'error';
    return [
      { is: 'tool', id, name, summary: summaryOf(call['args']) },
      { is: 'tool-outcome', id, failed, ...outcomeOf(textAt(call, 'resultDisplay')) },
    ];
  });
}
