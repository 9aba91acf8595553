/**
 * Claude Code as a host that calls our hook: what it gives on stdin and in the environment. Measured on
 * 2.1.325.
 */
import { isRecord, textAt } from '#base/shape.ts';
import type {
  Arrival,
  Environment,
  HookPayload,
  Sender,
  StopArrival,
  Answer,
  Host,
  Output,
} from '#hosts/port/arrival.ts';
import { CLAUDE_CODE_NAME, commandNamesIn, LIMITS, capOf } from '../names.ts';
import { rareEventOf, setupOf, backgroundOf } from './session-events.ts';
import { hostFiles } from './host-files.ts';
import { actsOfCall, callOf } from '#hosts/tools/tools.ts';
import { lookAtTranscript } from './transcript.ts';
import { countUsage } from './usage.ts';
import { wake } from './sessions.ts';

export const claudeCode: Host = {
  name: CLAUDE_CODE_NAME,
  limits: LIMITS,
  // Another host can inherit the variable, but not with its own session in it.
  recognises: (payload, env) => payload['session_id'] === env['CLAUDE_CODE_SESSION_ID'],
  readArrival: readPayload,
  encode: encodeAnswer,
  wake,
};

/** Notices that the host submits to itself look like prompts, but no person wrote them. */
export const NOTICE = /^\s*<(task-notification|system-reminder|local-command|command-)/;
export const OWN_COMMAND =
  /^\s*\/(?:dacapo:)?(?:ralph|(?:cancel|resume|approve|reject|answer)-ralph|ralph-status)(?:\s|$)/;
const TOOL_USE = 'PreToolUse';
/** A person may give our MCP server any name. */
const STARTS = /^mcp__.*__(?:loop|iteration)_start$/;

export function readPayload(payload: unknown, env: Environment): Arrival | null {
  if (!isRecord(payload)) return null;
  const event = payload['hook_event_name'];
  // A subagent's stop or message never counts; what it writes does.
  if (payload['agent_id'] !== undefined && event !== TOOL_USE) return null;
  const from = senderOf(payload, env);
  if (from === null) return null;
  return event === 'Stop' ? readStop(payload, from, env) : otherOf(payload, from, env);
}

/** A separate function, so that a stop need not compile it. */
function otherOf(payload: HookPayload, from: Sender, env: Environment): Arrival | null {
  switch (payload['hook_event_name']) {
    case TOOL_USE:
      return {
        is: 'tool',
        from,
        acts: () => actsOfCall(payload, CLAUDE_CODE_NAME, { CLAUDE_PROJECT_DIR: from.project }),
        call: () => callOf(payload, CLAUDE_CODE_NAME),
        hostFiles: () => hostFiles(from.project, textAt(payload, 'transcript_path'), env),
        starts: STARTS.test(textAt(payload, 'tool_name')),
      };
    case 'UserPromptSubmit': {
      const text = textAt(payload, 'prompt');
      // The host submits a slash command before it expands it. We handle our own commands there.
      if (OWN_COMMAND.test(text)) return null;
      const setup = () => setupOf(payload, from, env);
      return { is: 'prompt', from, text, person: !NOTICE.test(text), setup };
    }
    case 'SessionEnd':
      return { is: 'session-end', from, reason: textAt(payload, 'reason') };
    default:
      return rareEventOf(payload, from, env);
  }
}

function senderOf(payload: HookPayload, env: Environment): Sender | null {
  const session = textAt(payload, 'session_id');
  // The agent may change its directory; the host's variable stays the same.
  const project = env['CLAUDE_PROJECT_DIR'] || textAt(payload, 'cwd');
  if (session === '' || project === '') return null;
  return {
    host: CLAUDE_CODE_NAME,
    limits: LIMITS,
    session,
    project,
    process: wholeOf(env['CLAUDE_PID']),
    prompt: textAt(payload, 'prompt_id') || null,
    commands: commandNamesIn(env),
  };
}

function readStop(payload: HookPayload, from: Sender, env: Environment): StopArrival {
  const transcript = textAt(payload, 'transcript_path');
  const attended = env['CLAUDE_CODE_SESSION_ATTENDED'] !== '0';
  return {
    is: 'stop',
    from,
    message: textAt(payload, 'last_assistant_message'),
    background:
      hasAny(payload['background_tasks']) || hasAny(payload['session_crons'])
        ? backgroundOf(payload, attended)
        : [],
    cap: capOf(env),
    attended,
    continuedByHook: payload['stop_hook_active'] === true,
    look: (since, notBefore) => lookAtTranscript(transcript, since, notBefore),
    count: (loop, ledger, config) => countUsage(transcript, loop, ledger, config),
  };
}

/** The host sends empty lists at nearly every stop. */
function hasAny(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function wholeOf(value: string | undefined): number | null {
  const number = Number(value);
  return number > 0 && String(number) === value ? number : null;
}

/** The events that allow an answer beyond a message to the person. */
const EVENT_NAMES: Readonly<Partial<Record<Arrival['is'], string>>> = {
  stop: 'Stop',
  'session-start': 'SessionStart',
  prompt: 'UserPromptSubmit',
  command: 'UserPromptExpansion',
  tool: 'PreToolUse',
};

/** One JSON document, or nothing. The exit code is always 0: an answer is not an error. */
function encodeAnswer(answer: Answer, { is }: Arrival): Output {
  const stdout = answer.is === 'silence' ? '' : JSON.stringify(documentFor(answer, EVENT_NAMES[is]));
  return { stdout, stderr: '', exit: 0 };
}

function documentFor(answer: Exclude<Answer, { is: 'silence' }>, hookEventName: string | undefined): object {
  const systemMessage = 'toPerson' in answer ? (answer.toPerson ?? undefined) : undefined;
  switch (answer.is) {
    case 'tell':
      return { systemMessage };
    case 'close': {
      const hookSpecificOutput = { hookEventName, suppressOriginalPrompt: true };
      return { decision: 'block', reason: answer.toPerson, hookSpecificOutput };
    }
    case 'permit':
      return { hookSpecificOutput: decided(hookEventName, 'allow', answer.why) };
    case 'deny': {
      const { toAgent, ends } = answer;
      const ending = ends ? { continue: false, stopReason: toAgent } : {};
      return { systemMessage, ...ending, hookSpecificOutput: decided(hookEventName, 'deny', toAgent) };
    }
    // `decision: block` would continue too, but it shows the person an error and sends the text to the model
    // twice.
    case 'continue':
    case 'brief':
      return { systemMessage, hookSpecificOutput: { hookEventName, additionalContext: answer.toAgent } };
  }
}

function decided(hookEventName: string | undefined, permissionDecision: string, why: string): object {
  return { hookEventName, permissionDecision, permissionDecisionReason: why };
}
