/** Gemini CLI as a host that calls our hook. Measured on 0.61.0. */
import { join } from 'node:path';
import { hash } from '../../core/hash.ts';
import { isRecord, parseAs, textAt } from '../../core/shape.ts';
import { readEnd } from '../../files/read.ts';
import type { Answer, Arrival, Host, Output } from '../arrival.ts';
import { familyHost, written } from '../family.ts';
import { lookAtRows } from '../rows.ts';
import { countRows } from '../transcripts.ts';
import { GEMINI, LIMITS, PROJECT_VARIABLE, TOOLS, geminiHome } from './names.ts';

/** Its own name for the file that records a session. */
const CHAT = /[\\/]chats[\\/]session-[^\\/]+\.jsonl$/;
const TOOL_ROW = /"toolCalls":\[\{/;
const ANSWER = /^\{"id":"([^"]+)".*"tokens":\{[^}]*"total":(\d+)/;

export const GEMINI_EVENTS = {
  AfterAgent: 'stop',
  BeforeAgent: 'prompt',
  BeforeTool: 'tool',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
} as const;

const family = familyHost({
  name: GEMINI.name,
  limits: LIMITS,
  recognises: (payload, env) =>
    CHAT.test(textAt(payload, 'transcript_path')) || Boolean(env[PROJECT_VARIABLE]),
  events: GEMINI_EVENTS,
  chain: 'chain',
  project: PROJECT_VARIABLE,
  tools: TOOLS,
  hostFiles: (project, env) => [
    ...[geminiHome(env), join(project, '.gemini')].flatMap((folder) =>
      ['settings.json', 'extensions', 'policies'].map((name) => join(folder, name)),
    ),
    join(geminiHome(env), 'tmp'),
  ],
  stop: (payload) => {
    const rows = textAt(payload, 'transcript_path');
    return {
      continuedByHook: payload['stop_hook_active'] === true,
      rest: async () => ({ message: lastAnswer(rows, textAt(payload, 'prompt_response')), failed: null }),
      look: (since, notBefore) => lookAtRows(rows, TOOL_ROW, since, notBefore),
      count: async (loop, ledger) => countRows(rows, ANSWER, loop, ledger),
    };
  },
});

export const gemini: Host = { ...family, hear, encode };

/** Around what we say at a stop: the host tells us of it as of a prompt, and only its words show that it is ours. */
const OURS = '<hook_prompt>';

/** It has no id for the chain of a prompt, but repeats the prompt itself at each stop. */
function hear(payload: unknown, env: Parameters<Host['hear']>[1]): Arrival | null {
  if (!isRecord(payload)) return null;
  const prompt = textAt(payload, 'prompt');
  if (payload['hook_event_name'] === 'BeforeAgent' && prompt.includes(OURS)) return null;
  return family.hear({ ...payload, chain: prompt && hash(prompt) }, env);
}

/** It knows one kind of decision, for stops and tools alike. */
function encode(answer: Answer, arrival: Arrival): Output {
  if (answer.is === 'continue')
    return written({ decision: 'block', reason: `${OURS}\n${answer.toAgent}\n</hook_prompt>` });
  if (answer.is === 'deny') return written({ decision: 'deny', reason: answer.toAgent });
  if (answer.is === 'permit') return written({ decision: 'allow', reason: answer.why });
  return family.encode(answer, arrival);
}

const LOOKED_AT = 1024 * 1024;

/** The payload has all answers of the chain in one text, so the transcript says where the last one begins. */
function lastAnswer(path: string, all: string): string {
  const row = readEnd(path, LOOKED_AT)
    .split('\n')
    .findLast((one) => one.includes('"type":"gemini"'));
  const { content } = parseAs(isRecord, row ?? '') ?? {};
  const isLast = typeof content === 'string' && content !== '' && all.trimEnd().endsWith(content.trimEnd());
  return isLast ? content : (all.trimEnd().split('\n').at(-1) ?? '');
}
