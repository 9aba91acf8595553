/** pi as a headless host (`pi --mode json`, 0.73.1), and its program. */
import { join } from 'node:path';
import { recordAt, recordsIn, textAt } from '../../core/shape.ts';
import { PLUGIN } from '../../process/package.ts';
import type { HostProgram } from '../command-line.ts';
import { fateOf, statusFate } from '../fate.ts';
import { flag, problem, type HeadlessHost, type StreamReader } from '../headless.ts';
import { wordsOf } from '../messages.ts';
import { versionFinding } from '../program.ts';
import type { Spent, StreamEvent } from '../stream.ts';
import {
  brief,
  countAt,
  jsonLines,
  numberAt,
  OTHER,
  outcomeOf,
  resultOf,
  sessionBegins,
  summaryOf,
  type JsonFields,
} from '../stream-lines.ts';
import { PI } from './names.ts';

const SESSION_FLAGS = '-p --print --mode -c --continue -r --resume --session --fork --no-session'.split(' ');

export const program: HostProgram = {
  // The first version with which this was tried.
  oldest: '0.73.1',
  install: 'npm install -g @mariozechner/pi-coding-agent',
  update: 'pi update pi',
  sessionFlags: SESSION_FLAGS,
  sessionArguments: (plugin) => ['--extension', join(plugin, 'extensions', 'pi', 'dacapo.js')],
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['--session', id],
  promptFlag: '',
  // The shell of its agent has no variable with the session.
  sessionOf: () => null,
};

export const piHeadless: HeadlessHost = {
  name: PI.name,
  can: {
    resume: true,
    compact: false,
    budget: false,
    fallbackModel: false,
    chooseSession: false,
    cost: true,
    tools: true,
  },
  login: 'pi, then /login',
  gentle: 'SIGTERM',
  permissionModes: [],
  ownFlags: SESSION_FLAGS,
  command: ({ resume, model, allowedTools, prompt, extra }) => ({
    args: [
      '--mode',
      'json',
      ...program.sessionArguments(PLUGIN),
      ...flag('--session', resume),
      ...flag('--model', model),
      ...flag('--tools', allowedTools.join(',') || null),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  }),
  openStream,
  classify: (end) => {
    const { record, exit } = end;
    // It exits with 1 only where it did not get as far as a request: no model, no key, no such session.
    const isRefused = exit === 1 && record.result === null;
    return fateOf(isRefused ? { ...end, record: { ...record, session: null } } : end, (result) => {
      const why = result.error ?? 'failed';
      if (result.code === 'limit') return { is: 'limit', resetsAt: null, why };
      return statusFate(result.status, record, why);
    });
  },
  unattendedMode: () => null,
  preflight: ({ program: path, env, pass }) => [
    versionFinding({ ...PI, program }, path, env),
    ...pass.allowedTools
      .filter((tool) => /[^\w-]/.test(tool))
      .map((tool) =>
        problem(
          'permissions',
          `pi allows tools by their names, and ${tool} is none.`,
          'Name tools only: bash.',
        ),
      ),
  ],
};

/** Each answer tells what it used; the last one of a turn ends it. */
function openStream(): StreamReader {
  let used: JsonFields[] = [];
  return jsonLines((value) => {
    if (value['type'] === 'session') return [sessionBegins(value['id'])];
    if (value['type'] === 'auto_retry_start') return [readRetry(value)];
    const message = recordAt(value, 'message');
    if (value['type'] !== 'message_end') return OTHER;
    const said = readMessage(message);
    if (message['role'] !== 'assistant') return said;
    const usage = recordAt(message, 'usage');
    used.push(usage);
    const seen: StreamEvent = { is: 'context', tokens: countAt(usage, 'totalTokens'), window: null };
    if (message['stopReason'] === 'toolUse')
      return [
        ...said,
        seen,
        { is: 'usage', message: textAt(message, 'responseId'), spent: spentOf([usage]) },
      ];
    const spent = spentOf(used);
    used = [];
    const error = message['stopReason'] === 'error' ? textAt(message, 'errorMessage') || 'failed' : null;
    const code = LIMIT.test(error ?? '') ? 'limit' : null;
    return [
      ...said,
      seen,
      resultOf({ total: spent, since: spent, error, status: statusIn(error ?? ''), code }),
    ];
  });
}

/** Errors are told in words. Where a service has answered, they begin with its status, or are its answer. */
const STATUS = /^(?:(\d{3})\b|\{"error":\{"code":(\d{3})\b)/;
const LIMIT = /^You have hit your ChatGPT usage limit/;

function statusIn(error: string): number | null {
  const [, first, second] = STATUS.exec(error) ?? [];
  return first === undefined && second === undefined ? null : Number(first ?? second);
}

function readRetry(value: JsonFields): StreamEvent {
  const why = textAt(value, 'errorMessage');
  return {
    is: 'retry',
    attempt: countAt(value, 'attempt'),
    most: numberAt(value, 'maxAttempts'),
    delayMs: numberAt(value, 'delayMs'),
    status: statusIn(why),
    why: brief(why),
    hopeless: null,
  };
}

/** Its prices are those of its own list of models. */
function spentOf(used: readonly JsonFields[]): Spent {
  const sum = (key: string) => used.reduce((all, usage) => all + countAt(usage, key), 0);
  const costUsd = used.reduce((all, usage) => all + (numberAt(recordAt(usage, 'cost'), 'total') ?? 0), 0);
  const tokens = {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
  };
  return { costUsd: Math.max(0, costUsd), tokens };
}

/** A message in the stream, or in a row of the file that records a session. */
export function readMessage(message: JsonFields): readonly StreamEvent[] {
  const { role, content, isError } = message;
  if (role === 'toolResult')
    return [
      {
        is: 'tool-outcome',
        id: textAt(message, 'toolCallId'),
        failed: isError === true,
        ...outcomeOf(wordsOf(content)),
      },
    ];
  if (role !== 'assistant') return OTHER;
  return recordsIn(content).flatMap((part): StreamEvent[] => {
    const [text, name] = [textAt(part, 'text'), textAt(part, 'name')];
    if (part['type'] === 'text') return [{ is: 'text', message: textAt(message, 'responseId'), text }];
    if (part['type'] !== 'toolCall') return [];
    return [{ is: 'tool', id: textAt(part, 'id'), name, summary: summaryOf(part['arguments']) }];
  });
}
