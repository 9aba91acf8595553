/** Gemini CLI as a host that calls our hook. Measured on 0.61.0. */
import { hash } from '../../core/hash.ts';
import { isRecord, parseAs, textAt } from '../../core/shape.ts';
import { readEnd } from '../../files/read.ts';
import type { Answer, Arrival, Host, Output } from '../arrival.ts';
import { familyHost, written } from '../family.ts';
import { countRows } from '../rows.ts';
import { GEMINI } from './names.ts';

export const GEMINI_EVENTS = {
  AfterAgent: 'stop',
  BeforeAgent: 'prompt',
  BeforeTool: 'tool',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
} as const;

const family = familyHost({
  name: GEMINI.name,
  events: GEMINI_EVENTS,
  chain: 'chain',
  project: 'GEMINI_PROJECT_DIR',
  tools: GEMINI.tools,
  folders: GEMINI,
  record: {
    file: /[\\/]chats[\\/]session-[^\\/]+\.jsonl$/,
    call: /"toolCalls":\[\{/,
    count: countRows(/^\{"id":"([^"]+)".*"tokens":\{[^}]*"total":(\d+)/),
  },
  echoes: true,
  stop: (payload) => ({ rest: async () => ({ message: lastAnswer(payload), failed: null }) }),
});

export const gemini: Host = { ...family, hear, encode };

/** It has no id for the chain of a prompt, but repeats the prompt itself at each stop. */
function hear(payload: unknown, env: Parameters<Host['hear']>[1]): Arrival | null {
  if (!isRecord(payload)) return null;
  const prompt = textAt(payload, 'prompt');
  return family.hear({ ...payload, chain: prompt && hash(prompt) }, env);
}

/** It knows one kind of decision, for stops and tools alike. */
function encode(answer: Answer, arrival: Arrival): Output {
  if (answer.is === 'deny') return written({ decision: 'deny', reason: answer.toAgent });
  if (answer.is === 'permit') return written({ decision: 'allow', reason: answer.why });
  return family.encode(answer, arrival);
}

const LOOKED_AT = 1024 * 1024;

/** The payload has all answers of the chain in one text, so the transcript says where the last one begins. */
function lastAnswer(payload: Readonly<Record<string, unknown>>): string {
  const all = textAt(payload, 'prompt_response').trimEnd();
  const row = readEnd(textAt(payload, 'transcript_path'), LOOKED_AT)
    .split('\n')
    .findLast((one) => one.includes('"type":"gemini"'));
  const { content } = parseAs(isRecord, row ?? '') ?? {};
  const isLast = typeof content === 'string' && content !== '' && all.endsWith(content.trimEnd());
  return isLast ? content : (all.split('\n').at(-1) ?? '');
}
