/** Qwen Code as a headless host (`qwen --output-format stream-json`, 0.24.4). Its lines are like those of Claude Code. */
import { join } from 'node:path';
import { recordAt, recordsIn, textAt, textOrNull } from '../../core/shape.ts';
import { readTextIfAny } from '../../files/read.ts';
import { fateOf, statusFate } from '../fate.ts';
import { kinHeadless, kinProgram, settingsPath, type GeminiKin } from '../gemini-kin.ts';
import type { OfProject, SettingsPlace } from '../headless.ts';
import { blocksOf, deniedIn, readBlock, readUser } from '../messages.ts';
import { withoutHooks } from '../setup/registration.ts';
import { parseSettings } from '../setup/settings.ts';
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
import { CAP_SETTING, QWEN_EVENTS } from './hook.ts';
import { QWEN, SESSION_VARIABLE, qwenHome } from './names.ts';

export const KIN: GeminiKin = {
  ...QWEN,
  folder: '.qwen',
  home: qwenHome,
  program: {
    // Older ones report a key that is not accepted as a success, and read times of hooks differently.
    oldest: '0.24.4',
    install: 'npm install -g @qwen-code/qwen-code',
    sessionOf: (env) => env[SESSION_VARIABLE] || null,
  },
  events: Object.keys(QWEN_EVENTS),
  stop: 'Stop',
  before: 'PreToolUse',
  modeAt: ['tools', 'approvalMode'],
  modes: ['plan', 'default', 'auto-edit', 'auto', 'yolo'],
  edits: 'auto-edit',
};

export const program = kinProgram(KIN);

export const qwenHeadless = kinHeadless(KIN, {
  fallback: true,
  login: 'qwen, then /auth',
  openStream: () => jsonLines(readLine),
  classify: (end) => fateOf(end, (result) => statusFate(result.status, end.record, result.error ?? 'failed')),
  untrusted,
});

/** They run nothing: our own value, and one that Qwen writes itself. */
const HARMLESS = [CAP_SETTING, '$version'];

/** It asks nobody before it uses the settings of a project. Our hooks are the person's own doing. */
function untrusted(place: SettingsPlace): OfProject | null {
  const file = settingsPath(KIN, 'project', place);
  const read = (path: string) => parseSettings(readTextIfAny(path) ?? '');
  const settings = read(file);
  // Qwen reads comments, too.
  const keys =
    settings === null ? ['settings that are no plain JSON'] : Object.keys(withoutHooks(settings, []));
  const runs = keys.filter((key) => !HARMLESS.includes(key));
  const folders = read(join(qwenHome(place.env), 'trustedFolders.json')) ?? {};
  if (runs.length === 0 || folders[place.project] === 'TRUST_FOLDER') return null;
  return { files: [file], runs: runs.map((key) => `${key} (${file})`) };
}

function readLine(value: JsonFields): readonly StreamEvent[] {
  const parent = textOrNull(value['parent_tool_use_id']);
  const events = readMessage(value);
  return parent === null ? events : events.map((event) => ({ is: 'subagent', of: parent, event }));
}

function readMessage(value: JsonFields): readonly StreamEvent[] {
  const message = recordAt(value, 'message');
  switch (value['type']) {
    case 'system':
      return value['subtype'] === 'init'
        ? [sessionBegins(value['session_id'], { ...value, version: value['qwen_code_version'] })]
        : OTHER;
    case 'assistant': {
      const tokens = countAt(recordAt(message, 'usage'), 'total_tokens');
      const used: StreamEvent[] = tokens === 0 ? [] : [{ is: 'context', tokens, window: null }];
      return [...used, ...blocksOf(message).map((block) => readBlock(block, textOrNull(message['id'])))];
    }
    case 'user':
      return readUser(message);
    case 'result':
      return [readResult(value)];
    default:
      return OTHER;
  }
}

/** It has no field for the status of the API, which stands at the beginning of its words. */
const STATUS = /^\[API Error: (\d{3})\b/;

/** The usage is that of the whole session. */
function readResult(value: JsonFields): Result {
  const usage = recordAt(value, 'usage');
  const failed = value['is_error'] === true;
  const error = failed ? textAt(recordAt(value, 'error'), 'message') || textAt(value, 'result') : '';
  const cacheRead = countAt(usage, 'cache_read_input_tokens');
  const tokens = {
    input: Math.max(0, countAt(usage, 'input_tokens') - cacheRead),
    output: countAt(usage, 'output_tokens'),
    cacheRead,
    cacheWrite: 0,
  };
  const [, status] = STATUS.exec(error) ?? [];
  return {
    is: 'result',
    failed,
    reason: null,
    subtype: textOrNull(value['subtype']),
    status: status === undefined ? null : Number(status),
    type: null,
    code: null,
    total: { costUsd: null, tokens },
    since: null,
    window: null,
    turns: countAt(value, 'num_turns'),
    denied: deniedIn(value['permission_denials']),
    error: error === '' ? null : brief(error),
  };
}

/** A row of the file that records a session. */
export function readRow(row: JsonFields): readonly StreamEvent[] {
  return recordsIn(recordAt(row, 'message')['parts']).map((part): StreamEvent => {
    const [call, answer] = [recordAt(part, 'functionCall'), recordAt(part, 'functionResponse')];
    const { text } = part;
    if (row['type'] === 'assistant' && typeof text === 'string' && part['thought'] !== true)
      return { is: 'text', message: textOrNull(row['uuid']), text };
    if (typeof call['name'] === 'string')
      return { is: 'tool', id: textAt(call, 'id'), name: call['name'], summary: summaryOf(call['args']) };
    if (row['type'] !== 'tool_result') return { is: 'other' };
    const failed = recordAt(row, 'toolCallResult')['status'] === 'error';
    const output = textAt(recordAt(answer, 'response'), failed ? 'error' : 'output');
    return { is: 'tool-outcome', id: textAt(answer, 'id'), failed, ...outcomeOf(output) };
  });
}
