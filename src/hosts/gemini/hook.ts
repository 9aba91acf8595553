/** Gemini CLI as a host that calls our hook. Measured on 0.61.0. */
import { hash } from '#base/hash.ts';
import { isRecord, parseAs, textAt } from '#base/shape.ts';
import type { Answer, Host, HookPayload, StopRest, TurnFault } from '../port/arrival.ts';
import { familyHost } from '../kit/claude-like-hooks.ts';
import { countRows, lastRows, usageAt } from '../kit/session-log.ts';
import { GEMINI } from '../tables/names.ts';

export const GEMINI_EVENTS = {
  AfterAgent: 'stop',
  BeforeAgent: 'prompt',
  BeforeTool: 'tool',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
} as const;

const KEYS = { input: 'input', output: 'output', total: 'total', cacheRead: 'cached' };

export const gemini: Host = familyHost(GEMINI, {
  events: GEMINI_EVENTS,
  chain: 'chain',
  project: 'GEMINI_PROJECT_DIR',
  record: {
    file: /[\\/]chats[\\/]session-[^\\/]+\.jsonl$/,
    call: /"toolCalls":\[\{/,
    count: countRows(usageAt('id', 'tokens', KEYS)),
  },
  echoes: true,
  // It has no id for the chain of a prompt, but repeats the prompt itself at each stop.
  plain: (payload) => {
    const prompt = textAt(payload, 'prompt');
    return { ...payload, chain: prompt && hash(prompt) };
  },
  stop: (payload) => ({ rest: async () => restOf(payload) }),
  say: decisionFor,
});

/** It knows one kind of decision, for stops and tools alike. */
function decisionFor(answer: Answer): object | null {
  if (answer.is === 'deny') return { decision: 'deny', reason: answer.toAgent };
  return answer.is === 'permit' ? { decision: 'allow', reason: answer.why } : null;
}

const CUT: TurnFault = {
  error: 'loop_detected',
  detail:
    'it asks the model no more after similar answers; model.disableLoopDetection in its settings ' +
    'turns that off',
  fatal: null,
};

/**
 * It calls us after such a turn as well, and would do so for each continue. Its own words to the model stay
 * unanswered.
 */
function restOf(payload: HookPayload): StopRest {
  const rows = lastRows(textAt(payload, 'transcript_path'));
  const isCut = rows.findLast((row) => row.startsWith('{"id":'))?.includes('System: Potential loop detected');
  return { message: lastAnswer(payload, rows), failed: isCut === true ? CUT : null };
}

/** The payload has all answers of the chain in one text, so the transcript says where the last one begins. */
function lastAnswer(payload: HookPayload, rows: readonly string[]): string {
  const all = textAt(payload, 'prompt_response').trimEnd();
  const row = rows.findLast((one) => one.includes('"type":"gemini"'));
  const { content } = parseAs(isRecord, row ?? '') ?? {};
  const isLast = typeof content === 'string' && content !== '' && all.endsWith(content.trimEnd());
  return isLast ? content : (all.split('\n').at(-1) ?? '');
}
