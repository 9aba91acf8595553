/** Gemini CLI as a host that calls our hook. Measured on 0.61.0. */
import { hash } from '../../core/hash.ts';
import { isRecord, parseAs, textAt } from '../../core/shape.ts';
import type { Answer, Host, HookPayload } from '../arrival.ts';
import { familyHost } from '../family.ts';
import { countRows, lastRows, usageAt } from '../rows.ts';
import { GEMINI } from '../names.ts';

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
  stop: (payload) => ({ rest: async () => ({ message: lastAnswer(payload), failed: null }) }),
  say: decisionFor,
});

/** It knows one kind of decision, for stops and tools alike. */
function decisionFor(answer: Answer): object | null {
  if (answer.is === 'deny') return { decision: 'deny', reason: answer.toAgent };
  return answer.is === 'permit' ? { decision: 'allow', reason: answer.why } : null;
}

/** The payload has all answers of the chain in one text, so the transcript says where the last one begins. */
function lastAnswer(payload: HookPayload): string {
  const all = textAt(payload, 'prompt_response').trimEnd();
  const rows = lastRows(textAt(payload, 'transcript_path'));
  const row = rows.findLast((one) => one.includes('"type":"gemini"'));
  const { content } = parseAs(isRecord, row ?? '') ?? {};
  const isLast = typeof content === 'string' && content !== '' && all.endsWith(content.trimEnd());
  return isLast ? content : (all.split('\n').at(-1) ?? '');
}
