/** Codex as a headless host (`codex exec --json`, 0.166.0). */
import { isRecord, recordAt, recordsIn, textAt, textOrNull } from '../../core/shape.ts';
import { PLUGIN } from '../../process/package.ts';
import { fatal, fatalStatus, fateOf, statusFate } from '../fate.ts';
import {
  flag,
  warning,
  type Finding,
  type HeadlessHost,
  type Pass,
  type PassCommand,
  type PreflightRequest,
} from '../headless.ts';
import { versionFinding } from '../program.ts';
import type { Spent, StreamEvent } from '../stream.ts';
import {
  brief,
  countAt,
  jsonLines,
  OTHER,
  outcomeOf,
  resultOf,
  sessionBegins,
  summaryOf,
  type JsonFields,
} from '../stream-lines.ts';
import { CODEX } from './names.ts';
import { program } from './program.ts';
import { sessionHooks } from './session-hooks.ts';

export const codexHeadless: HeadlessHost = {
  name: CODEX.name,
  can: {
    resume: true,
    compact: false,
    budget: false,
    fallbackModel: false,
    chooseSession: false,
    cost: false,
    tools: false,
  },
  login: 'codex login',
  gentle: 'SIGINT',
  permissionModes: ['read-only', 'workspace-write', 'danger-full-access'],
  readOnly: { permissionMode: 'read-only' },
  ownFlags: [
    '--json',
    '--output-schema',
    '-o',
    '--output-last-message',
    '--ephemeral',
    '--last',
    '--worktree',
  ],
  command,
  openStream: () => jsonLines(readLine),
  classify: (end) =>
    fateOf(end, (result) => {
      const why = result.error ?? 'failed';
      if (result.code === 'limit') return { is: 'limit', resetsAt: null, why };
      return result.code === 'billing' ? fatal('billing', why) : statusFate(result.status, end.record, why);
    }),
  // Its own settings decide; by default it may write in the project, without a network.
  unattendedMode: () => null,
  preflight,
};

function command({ resume, model, permissionMode, prompt, extra }: Pass): PassCommand {
  return {
    args: [
      'exec',
      ...(resume === null ? [] : ['resume', resume]),
      '--json',
      '--skip-git-repo-check',
      ...sessionHooks(PLUGIN, ['PreToolUse'], 'guard'),
      ...flag('--model', model),
      // A resumed session has no flag for it.
      ...flag('-c', permissionMode && `sandbox_mode=${JSON.stringify(permissionMode)}`),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  };
}

function preflight({ program: path, env, pass }: PreflightRequest): Finding[] {
  const ignored = 'Codex has no list of allowed tools, so --allowed-tools changes nothing.';
  const remedy = 'Leave it out; --permission-mode and the rules of Codex say what may run.';
  return [
    versionFinding({ ...CODEX, program }, path, env),
    ...(pass.allowedTools.length > 0 ? [warning('permissions', ignored, remedy)] : []),
  ];
}

function readLine(value: JsonFields): readonly StreamEvent[] {
  switch (value['type']) {
    case 'thread.started':
      return [sessionBegins(value['thread_id'])];
    case 'item.started':
      return startedItem(recordAt(value, 'item'));
    case 'item.completed':
      return completedItem(recordAt(value, 'item'));
    case 'error':
      return [readError(textAt(value, 'message'))];
    case 'turn.completed':
      // The usage is that of the whole thread.
      return [resultOf({ total: spentOf(recordAt(value, 'usage')) })];
    case 'turn.failed':
      return [failedWith(textAt(recordAt(value, 'error'), 'message'))];
    default:
      return OTHER;
  }
}

function startedItem(item: JsonFields): readonly StreamEvent[] {
  const call = callOf(item);
  return call === null ? OTHER : [{ is: 'tool', id: textAt(item, 'id'), ...call }];
}

function completedItem(item: JsonFields): readonly StreamEvent[] {
  const id = textAt(item, 'id');
  const { type, text } = item;
  if (type === 'agent_message' && typeof text === 'string') return [{ is: 'text', message: id, text }];
  // A notice of Codex, which is no error of the turn.
  if (type === 'error') return [{ is: 'noise', text: brief(textAt(item, 'message')) }];
  if (callOf(item) === null) return OTHER;
  const failed = item['status'] === 'failed' || item['status'] === 'declined';
  return [{ is: 'tool-outcome', id, failed, ...outcomeOf(textAt(item, 'aggregated_output')) }];
}

/** Null: the item is no tool call. */
function callOf(item: JsonFields): { readonly name: string; readonly summary: string } | null {
  switch (item['type']) {
    case 'command_execution':
      return { name: 'Bash', summary: summaryOf(item) };
    case 'file_change': {
      const paths = recordsIn(item['changes']).map((change) => textAt(change, 'path'));
      return { name: 'apply_patch', summary: summaryOf(paths.join(', ')) };
    }
    case 'mcp_tool_call': {
      const name = `mcp__${textAt(item, 'server')}__${textAt(item, 'tool')}`;
      return { name, summary: summaryOf(item['arguments']) };
    }
    case 'web_search':
      return { name: 'web_search', summary: summaryOf(item) };
    default:
      return null;
  }
}

/**
 * Codex reports errors in words of its own, and in no field. Where it tells the status of the API, it stands at the
 * beginning; what the service said comes after it, and is not read.
 */
const STATUS = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^You.ve hit your usage limit/, 'limit'],
  [/^Quota exceeded/, 'billing'],
];
/** A request that the API refused (400): its answer, whole. */
const REFUSED = /^\{"error"/;
const RETRY = /^Reconnecting\.\.\. (\d+)\/(\d+) \((.*)\)$/s;

function statusIn(message: string): number | null {
  const [, status] = STATUS.exec(message) ?? [];
  return status === undefined ? (REFUSED.test(message) ? 400 : null) : Number(status);
}

function failedWith(error: string): StreamEvent {
  const code = KINDS.find(([sign]) => sign.test(error))?.[1] ?? null;
  return resultOf({ error, status: statusIn(error), code });
}

function readError(message: string): StreamEvent {
  const [, attempt, most, why = ''] = RETRY.exec(message) ?? [];
  const status = statusIn(attempt === undefined ? message : why);
  if (attempt === undefined)
    return { is: 'fault', word: null, type: null, code: null, status, text: brief(message) };
  return {
    is: 'retry',
    attempt: Number(attempt),
    most: Number(most),
    delayMs: null,
    status,
    why: brief(why),
    hopeless: fatalStatus(status) ?? null,
  };
}

function spentOf(usage: JsonFields): Spent {
  const [cacheRead, cacheWrite] = [
    countAt(usage, 'cached_input_tokens'),
    countAt(usage, 'cache_write_input_tokens'),
  ];
  const input = Math.max(0, countAt(usage, 'input_tokens') - cacheRead);
  return { costUsd: null, tokens: { input, output: countAt(usage, 'output_tokens'), cacheRead, cacheWrite } };
}

/** A row of the file that records a session. */
export function readRow(row: JsonFields): readonly StreamEvent[] {
  const item = recordAt(row, 'payload');
  if (row['type'] !== 'response_item') return OTHER;
  const id = textAt(item, 'call_id');
  switch (item['type']) {
    case 'message': {
      const text = recordsIn(item['content'])
        .map((part) => textAt(part, 'text'))
        .join('\n');
      return item['role'] === 'assistant' ? [{ is: 'text', message: textOrNull(item['id']), text }] : OTHER;
    }
    case 'function_call':
    case 'custom_tool_call': {
      const summary = summaryOf(item['input'] ?? parsed(textAt(item, 'arguments')));
      return [{ is: 'tool', id, name: textAt(item, 'name'), summary }];
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ is: 'tool-outcome', id, failed: false, ...outcomeOf(textAt(item, 'output')) }];
    default:
      return OTHER;
  }
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) && typeof value['cmd'] === 'string' ? value['cmd'] : value;
  } catch {
    return json;
  }
}
