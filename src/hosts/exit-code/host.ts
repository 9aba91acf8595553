/**
 * Hosts that understand only exit codes, as idle-loop uses them: 2 continues, or blocks a tool; everything
 * else is 0. We do not know which host it is. Its payloads have the fields of Claude Code's, as with most
 * hosts.
 */
import { isRecord, textAt, parseAs } from '#base/shape.ts';
import type { Answer, Arrival, Environment, Host, Iteration, Output } from '../port/arrival.ts';
import { FATAL_WORDS } from '../claude-code/headless/faults.ts';
import { NOTICE, OWN_COMMAND } from '../claude-code/hook/host.ts';
import { commandOf } from '../claude-code/hook/session-events.ts';
import { commandNamesIn, PROJECT_VARIABLE } from '../claude-code/names.ts';
import { EVENTS, familyHost } from '../kit/claude-like-hooks.ts';
import { textOfContent } from '../kit/messages.ts';
import { readEnd } from '#base/files/read.ts';

const ALLOW_EXIT = 0;
const BLOCK_EXIT = 2;

const family = familyHost(
  { name: 'exit-code' },
  {
    // We can't know those of this one.
    limits: { lagMs: 250 },
    events: { ...EVENTS, StopFailure: 'fault', UserPromptExpansion: 'prompt' },
    fatal: FATAL_WORDS,
    chain: 'prompt_id',
    project: PROJECT_VARIABLE,
    // It may have our commands, under the names that they have in Claude Code.
    sender: (_payload, env) => ({ commands: commandNamesIn(env) }),
    stop: (payload) => {
      const path = textAt(payload, 'transcript_path');
      if (textAt(payload, 'last_assistant_message') !== '' || path === '') return {};
      return { rest: async () => ({ message: lastMessageIn(path), failed: null }) };
    },
  },
);

export const exitCode: Host = { ...family, readArrival: readExitCodeArrival, encode };

function readExitCodeArrival(payload: unknown, env: Environment): Arrival | null {
  const arrival = family.readArrival(payload, env);
  if (arrival === null || !isRecord(payload)) return null;
  if (payload['hook_event_name'] === 'UserPromptExpansion') {
    const command = commandOf(payload, arrival.from, env);
    // We do not know whether this host has a cap on stops, or how to lift it.
    return command && { ...command, cap: null, liftCap: null };
  }
  if (arrival.is !== 'prompt') return arrival;
  return OWN_COMMAND.test(arrival.text) ? null : { ...arrival, person: !NOTICE.test(arrival.text) };
}

function encode(answer: Answer): Output {
  switch (answer.is) {
    case 'silence':
    case 'permit':
      return { stdout: '', stderr: '', exit: ALLOW_EXIT };
    case 'tell':
      return { stdout: '', stderr: line(answer.toPerson), exit: ALLOW_EXIT };
    case 'brief':
      return { stdout: line(answer.toAgent), stderr: line(answer.toPerson), exit: ALLOW_EXIT };
    case 'deny':
      return { stdout: '', stderr: line(answer.toAgent), exit: BLOCK_EXIT };
    case 'close':
      return { stdout: '', stderr: line(answer.toPerson), exit: BLOCK_EXIT };
    // Some hosts give the model stderr, others the reason, and none gives both.
    case 'continue': {
      const reason = `${sentence(answer.iteration)}\n\n${answer.toAgent}`;
      return {
        stdout: `{"decision": "block", "reason": ${JSON.stringify(reason)}}`,
        stderr: line(answer.toAgent),
        exit: BLOCK_EXIT,
      };
    }
  }
}

/** Exactly as idle-loop writes it: programs look for its beginning. */
function sentence({ n, of }: Iteration): string {
  return (
    `[ITERATION ${n}/${of ?? 'unlimited'}] Continue working on the task. Check your progress and ` +
    'either complete the task or keep iterating.'
  );
}

function line(words: string | null): string {
  return words === null || words === '' ? '' : `${words}\n`;
}

/** More than any message. */
const TRANSCRIPT_END_BYTES = 4 * 1024 * 1024;

/**
 * The agent's last message, from a transcript in JSON lines; empty if there is none, or the file can't be
 * read. A transcript may lag behind the stop, so a message in the payload comes first.
 */
function lastMessageIn(transcript: string): string {
  const rows = readEnd(transcript, TRANSCRIPT_END_BYTES).split('\n');
  const last = rows.findLast((row) => textIn(row) !== '');
  return last === undefined ? '' : textIn(last);
}

/** The text of a message of the main agent; empty for every other row. */
function textIn(row: string): string {
  if (!row.includes('assistant')) return '';
  const value = parseAs(isRecord, row);
  if (value === null || value['isSidechain'] === true) return '';
  const message = isRecord(value['message']) ? value['message'] : value;
  if (value['type'] !== 'assistant' && message['role'] !== 'assistant') return '';
  return textOfContent(message['content']);
}
