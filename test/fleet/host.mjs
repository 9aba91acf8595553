// A stand-in for the host of a fleet's loops. What a pass does is in its prompt, on lines of their own:
//
//   do: SHELL      run this line in the work tree ($PROMPT: the whole prompt); by default the one in HOST_DO
//   cost: USD      what the pass costs, at most what it may (--max-budget-usd)
//   says: TEXT     its last words; by default HOST_SAYS, or none. <NUL> stands for the character zero
//   window: MINUTES PERCENT  so much of this window of the subscription is used
//   limit: SECONDS the first pass meets the usage limit, which ends after so long
//
// HOST_DIR/passes.jsonl lists every pass that really ran, with its budget and what its environment told of
// the fleet.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { HOST_DIR = '/tmp' } = process.env;
const [, , ...words] = process.argv;
const WINDOWS = { 300: 'five_hour', 10080: 'seven_day' };

if (words[0] === '--version') console.log('2.1.325 (Claude Code)');
else if (words[0] === 'auth') console.log(JSON.stringify({ loggedIn: true }));
else await pass();

async function pass() {
  const prompt = readFileSync(0, 'utf8');
  const line = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(prompt)?.[1];
  const at = words.indexOf('--max-budget-usd');
  const budget = at === -1 ? null : Number(words[at + 1]);
  const says = (line('says') ?? process.env.HOST_SAYS ?? '').replaceAll('<NUL>', '\0');
  const cost = Math.min(Number(line('cost') ?? 0), budget ?? Infinity);
  note({ is: 'begins', pid: process.pid, budget, cwd: process.cwd(), env: Object.keys(process.env) });
  say({
    type: 'system',
    subtype: 'init',
    session_id: 's',
    model: 'm',
    claude_code_version: '2.1.325',
    permissionMode: 'acceptEdits',
  });
  if (line('limit') !== undefined && !existsSync(join(HOST_DIR, 'limited'))) {
    writeFileSync(join(HOST_DIR, 'limited'), '');
    const resetsAt = Math.round(Date.now() / 1000) + Number(line('limit'));
    say({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' },
    });
    say({
      type: 'result',
      subtype: 'success',
      is_error: true,
      terminal_reason: 'api_error',
      api_error_status: 429,
      result: 'Limit.',
      num_turns: 1,
      total_cost_usd: 0,
      modelUsage: {},
    });
    process.exit(1);
  }
  const [minutes, percent] = line('window')?.split(' ').map(Number) ?? [];
  if (minutes !== undefined) {
    const resetsAt = Math.round(Date.now() / 1000) + 3_600;
    const unifiedWindows = { [WINDOWS[minutes]]: { utilization: percent / 100, resetsAt } };
    say({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed', unifiedWindows } });
  }
  const usage = { input_tokens: 1000, output_tokens: 100 };
  say({
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: `m${process.pid}`,
      model: 'claude-opus-4-5',
      usage,
      content: [{ type: 'text', text: says }],
    },
  });
  await new Promise((done) =>
    spawn('sh', ['-c', line('do') ?? process.env.HOST_DO ?? 'true'], {
      stdio: 'ignore',
      env: { ...process.env, PROMPT: prompt },
    }).on('close', done),
  );
  const used = {
    inputTokens: 1000,
    outputTokens: 100,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD: cost,
  };
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: says,
    num_turns: 1,
    total_cost_usd: cost,
    modelUsage: { m: used },
    model_usage_since_last_result: { m: used },
  });
  note({ is: 'ends', pid: process.pid, cost });
}

function say(value) {
  console.log(JSON.stringify(value));
}

function note(value) {
  appendFileSync(join(HOST_DIR, 'passes.jsonl'), `${JSON.stringify({ at: Date.now(), ...value })}\n`);
}
