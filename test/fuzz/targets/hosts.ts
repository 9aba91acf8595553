/** What the hosts send: payloads to the hook, and the streams of their passes, as real ones were recorded. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readStream } from '#engine/driver/pass/pass-record.ts';
import { openAcpStream } from '#hosts/acp/stream.ts';
import { json } from '#hosts/json/host.ts';
import { exitCode } from '#hosts/exit-code/host.ts';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { codex } from '#hosts/codex/hook.ts';
import { copilot } from '#hosts/copilot/hook.ts';
import { droid } from '#hosts/droid/hook.ts';
import { gemini } from '#hosts/gemini/hook.ts';
import { qwen } from '#hosts/qwen/hook.ts';
import { opencodeAdapter } from '#hosts/opencode/adapter.ts';
import { piAdapter } from '#hosts/pi/adapter.ts';
import { allAdapters } from '#hosts/tables/adapters.ts';
import type { HeadlessHost } from '#hosts/port/headless.ts';
import type { Answer, Arrival, Environment, Host } from '#hosts/port/arrival.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';
import * as claudePayloads from '../../hosts/claude-code/payloads.ts';
import * as codexPayloads from '../../hosts/codex/payloads.ts';
import * as copilotPayloads from '../../hosts/copilot/payloads.ts';
import * as droidPayloads from '../../hosts/droid/payloads.ts';
import * as geminiPayloads from '../../hosts/gemini/payloads.ts';
import * as qwenPayloads from '../../hosts/qwen/payloads.ts';
import { JSON_WORDS, must, parsed, type Target } from '../target.ts';

const PLUGIN = { session: 's1', project: '/project', turn: 't1' };
const PROTOCOL_PAYLOADS = {
  stop: { ...PLUGIN, event: 'stop', message: 'Done.', failed: { error: '401', fatal: 'auth' } },
  prompt: { ...PLUGIN, event: 'prompt', text: 'Do it.' },
  tool: { ...PLUGIN, event: 'tool', tool: 'write', input: { path: 'a', content: 'x' }, id: 'c1' },
  'session-start': { ...PLUGIN, event: 'session-start', source: 'resume' },
};

interface Caller {
  readonly name: string;
  readonly host: Host;
  readonly env: Environment;
  readonly payloads: object;
}

const CLAUDE_ENV = { CLAUDE_PROJECT_DIR: '/project', CLAUDE_PID: '1' };
const CALLERS: readonly Caller[] = [
  { name: 'Claude Code', host: claudeCode, env: CLAUDE_ENV, payloads: claudePayloads.PAYLOADS },
  { name: 'Codex', host: codex, env: {}, payloads: codexPayloads.PAYLOADS },
  { name: 'Copilot', host: copilot, env: copilotPayloads.ENV, payloads: copilotPayloads.PAYLOADS },
  { name: 'Droid', host: droid, env: droidPayloads.ENV, payloads: droidPayloads.PAYLOADS },
  { name: 'Gemini', host: gemini, env: geminiPayloads.ENV, payloads: geminiPayloads.PAYLOADS },
  { name: 'Qwen', host: qwen, env: qwenPayloads.ENV, payloads: qwenPayloads.PAYLOADS },
  { name: 'OpenCode', host: opencodeAdapter.hook, env: {}, payloads: PROTOCOL_PAYLOADS },
  { name: 'Pi', host: piAdapter.hook, env: {}, payloads: PROTOCOL_PAYLOADS },
  { name: 'the JSON protocol', host: json, env: {}, payloads: PROTOCOL_PAYLOADS },
  { name: 'the exit code protocol', host: exitCode, env: {}, payloads: PROTOCOL_PAYLOADS },
];

const WORDS = { toAgent: 'Go on.\n"quoted" \u{1F600}', toPerson: 'Iteration 2.' };
const ANSWERS: readonly Answer[] = [
  { is: 'silence' },
  { is: 'continue', iteration: { n: 2, of: null }, ...WORDS },
  { is: 'brief', ...WORDS },
  { is: 'deny', ...WORDS },
  { is: 'permit', why: 'A person approved it.' },
  { is: 'tell', toPerson: WORDS.toPerson },
  { is: 'close', toPerson: WORDS.toPerson },
];

/** Each host gets one document or nothing, whatever it asked. */
function answerAll(host: Host, arrival: Arrival): void {
  for (const answer of ANSWERS) {
    const { stdout, exit } = host.encode(answer, arrival);
    must(Number.isInteger(exit) && exit >= 0 && exit < 256, 'an exit code is one', exit);
    if (host !== exitCode && stdout !== '') JSON.parse(stdout);
  }
}

const KINDS = ['stop', 'fault', 'session-start', 'session-end', 'tool', 'prompt', 'command'];

function hear({ host, env }: Caller, text: string): unknown {
  const arrival = host.readArrival(parsed(text), env);
  if (arrival === null) return null;
  const { from } = arrival;
  must(KINDS.includes(arrival.is), 'an arrival is one that we know', arrival.is);
  must(typeof from.session === 'string' && from.session !== '', 'a session has a name', from);
  must(typeof from.project === 'string' && from.project !== '', 'a project has a place', from);
  must(from.process === null || Number.isSafeInteger(from.process), 'a process has a number', from);
  answerAll(host, arrival);
  if (arrival.is !== 'tool') return arrival;
  const again = host.readArrival(parsed(text), env);
  const same = again?.is === 'tool' ? again.call().exact : null;
  must(same === arrival.call().exact, 'the same call has the same text', same);
  return [arrival, arrival.acts(), arrival.call(), arrival.hostFiles(), arrival.speech?.()];
}

const STREAMS = resolve(import.meta.dirname, '../../hosts');

function recordedOf(name: string): [string, ...string[]] {
  const folder = join(STREAMS, name, 'streams');
  const [first = '', ...more] = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return [first, ...more];
}

const FATES = ['stopped', 'transient', 'limit', 'fatal', 'budget', 'crashed'];

function readPass(host: HeadlessHost, text: string): unknown {
  const seen: StreamEvent[] = [];
  const whole = readStream(host, (one) => seen.push(one));
  whole.push(Buffer.from(text));
  whole.end();
  const pieces = readStream(host, () => undefined);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 701) pieces.push(bytes.subarray(at, at + 701));
  pieces.end();
  const record = whole.record();
  const isSame = JSON.stringify(record) === JSON.stringify(pieces.record());
  must(isSame, 'a stream in pieces is the same stream', [record, pieces.record()]);
  const end = { exit: 0, signal: null, unstartable: null, stderr: '', record };
  const outcome = host.classify(end);
  must(FATES.includes(outcome.is), 'a pass ends in one of the ways', outcome);
  const { spent } = record;
  if (spent === null) return [outcome, seen.map(({ is }) => is)];
  for (const one of [spent.costUsd ?? 0, ...Object.values(spent.tokens)])
    must(Number.isFinite(one) && one >= 0, 'nothing is spent backwards', spent);
  return [outcome, seen.map(({ is }) => is)];
}

export const HOSTS: readonly Target[] = [
  ...CALLERS.map((caller): Target => {
    const [first = '', ...more] = Object.values(caller.payloads).map((one) => JSON.stringify(one));
    const words = ['"hook_event_name":"SessionEnd",', '"session_id":', '"tool_input":', '"event":'];
    return {
      name: `payloads of ${caller.name}`,
      samples: [first, ...more],
      words: [...JSON_WORDS, ...words],
      read: (text) => hear(caller, text),
    };
  }),
  ...allAdapters().map(({ name, headless }): Target => ({
    name: `stream of ${name}`,
    samples: recordedOf(name),
    words: [...JSON_WORDS, '"content":', '"usage":', '"error":', '\n'],
    read: (text) => readPass(headless, text),
  })),
  {
    name: 'stream of ACP',
    samples: recordedOf('acp'),
    words: [...JSON_WORDS, '"method":"session/update"', '"params":', '"error":', '\n'],
    read: (text) => {
      const stream = openAcpStream();
      return text.split('\n').map((line) => stream.read(line).map(({ is }) => is));
    },
  },
];
