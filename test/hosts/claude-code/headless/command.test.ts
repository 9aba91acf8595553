import { PASS_PLACE } from '../../pass-place.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { claudeCodeHeadless as host } from '#hosts/claude-code/headless/command.ts';
import { headlessConformance, PASS, replay, type Recorded, streamsIn } from '../../headless-conformance.ts';

const GUARD = fileURLToPath(new URL('../../../../plugin/guard', import.meta.url));

/**
 * What 2.1.325 wrote, with the scripted model behind it; test/e2e/headless/faults.test.ts has the real
 * program do it again.
 */
const of = streamsIn(join(import.meta.dirname, '..'));
const recorded = (name: string) => of(name, 0, {}).lines;

const RECORDED: readonly Recorded[] = [
  of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
  of('agent', 0, { is: 'stopped', message: 'Main end.', toolUsed: true }),
  of('background-agent', 0, { is: 'stopped', message: 'Main 2.' }),
  of('hang', 143, { is: 'stopped', message: 'End.' }),
  of('fallback', 0, { is: 'stopped', message: 'From haiku.' }),
  of('denied', 0, {
    is: 'stopped',
    denied: [{ id: 'toolu_scripted000003', tool: 'Bash', summary: 'npm --version > v.txt' }],
  }),
  of('warned', 0, { is: 'stopped', message: 'I hit a rate limit 429 in the file' }),
  of('turns', 1, { is: 'stopped', toolUsed: true }),
  of('budget', 1, { is: 'budget' }),
  of('interrupted', 0, { is: 'crashed' }),
  of('401', 1, { is: 'fatal', kind: 'auth' }),
  of('no-login', 1, { is: 'fatal', kind: 'auth' }),
  of('402', 1, { is: 'fatal', kind: 'billing' }),
  of('credit', 1, { is: 'fatal', kind: 'billing' }),
  of('403', 1, { is: 'fatal', kind: 'permission' }),
  of('404', 1, { is: 'fatal', kind: 'model' }),
  of('400', 1, { is: 'fatal', kind: 'config' }),
  of('too-long', 1, { is: 'fatal', kind: 'config' }),
  of('too-large', 1, { is: 'fatal', kind: 'config' }),
  of('resume-unknown', 1, { is: 'fatal', kind: 'config' }),
  of('429', 1, { is: 'transient', status: 429 }),
  of('429-retried', 1, { is: 'transient', status: 429 }),
  of('busy', 1, { is: 'transient', status: 429 }),
  of('limit', 1, { is: 'limit', resetsAt: '2026-11-15T13:54:05.000Z' }),
  of('limit-no-reset', 1, { is: 'limit', resetsAt: null }),
  of('500', 1, { is: 'transient', status: 500 }),
  of('503', 1, { is: 'transient', status: 503 }),
  of('529', 1, { is: 'transient', status: 529 }),
  of('refused', 1, { is: 'transient', status: null }),
  of('cut', 1, { is: 'transient', status: null }),
  of('garbage', 1, { is: 'transient', status: null }),
];

const PROSE = new Set(['text', 'result', 'content', 'message', 'summary', 'description', 'decision_reason']);

function disguise(line: string, prose: string): string {
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) => {
      if (key === 'errors' && Array.isArray(value)) return value.map(() => prose);
      return PROSE.has(key) && typeof value === 'string' ? prose : value;
    }),
  );
}

headlessConformance({ host, recorded: RECORDED, disguise });

function replayed(name: string) {
  return replay(host, { lines: recorded(name), exit: 0 });
}

describe('the command', () => {
  test('a new session', () => {
    expect(host.command(PASS, PASS_PLACE)).toEqual({
      args: [
        '-p',
        '--disallowedTools',
        'ProposeGoal',
        '--output-format',
        'stream-json',
        '--verbose',
        '--plugin-dir',
        GUARD,
        '--session-id',
        PASS.session,
      ],
      env: { DACAPO_DRIVEN: '1', CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
      stdin: 'Write a poem.',
    });
  });

  test('everything at once, and a flag behind the tools, which take any number of words', () => {
    const { args } = host.command(
      {
        ...PASS,
        resume: 'earlier',
        model: 'opus',
        fallbackModel: 'sonnet,haiku',
        permissionMode: 'acceptEdits',
        allowedTools: ['Bash(npm test *)', 'WebFetch'],
        budgetUsd: 1.5,
        extra: ['--effort', 'high'],
      },
      PASS_PLACE,
    );
    expect(args.join(' ')).toBe(
      `-p --allowedTools Bash(npm test *) WebFetch --disallowedTools ProposeGoal --output-format stream-json --verbose --plugin-dir ${GUARD} --resume earlier --model=opus --fallback-model=sonnet,haiku --permission-mode acceptEdits --max-budget-usd 1.5000 --effort high`,
    );
  });

  test('the guard that it brings along judges the tools of the installed one, and hears nothing else', () => {
    const hooksIn = (folder: string): { hooks: Record<string, { matcher: string; hooks: object[] }[]> } =>
      JSON.parse(readFileSync(join(folder, 'hooks', 'hooks.json'), 'utf8'));
    const { hooks } = hooksIn(GUARD);
    const [installed] = hooksIn(join(GUARD, '..')).hooks['PreToolUse'] ?? [];
    expect(Object.keys(hooks)).toEqual(['PreToolUse']);
    expect(hooks['PreToolUse']).toHaveLength(1);
    expect(hooks['PreToolUse']?.[0]).toMatchObject({
      matcher: installed?.matcher,
      hooks: [{ command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/../dist/hook.cjs', 'guard'] }],
    });
  });

  test("a person's own settings and plugins stand beside it", () => {
    const extra = ['--settings', 'mine.json', '--plugin-dir', 'mine'];
    const { args } = host.command({ ...PASS, extra }, PASS_PLACE);
    expect(args.filter((arg) => arg === '--settings')).toHaveLength(1);
    expect(args.slice(-4)).toEqual(extra);
  });

  test('a budget is a plain number above nothing', () => {
    const budget = (budgetUsd: number) => host.command({ ...PASS, budgetUsd }, PASS_PLACE).args.at(-1);
    expect([budget(1e-9), budget(0), budget(1e3)]).toEqual(['0.0001', '0.0001', '1000.0000']);
  });

  test('a pass that only compacts', () => {
    const compact = { ...PASS, resume: 'earlier', compact: true };
    expect(host.command({ ...compact, prompt: 'Keep the plan.' }, PASS_PLACE).stdin).toBe(
      '/compact Keep the plan.',
    );
    expect(host.command({ ...compact, prompt: '' }, PASS_PLACE).stdin).toBe('/compact');
  });
});

describe('the stream', () => {
  test('the beginning', () => {
    expect(replayed('stopped').seen[0]).toEqual({
      is: 'init',
      session: '11111111-1111-4111-8111-111111111111',
      model: 'claude-opus-5-5',
      window: 1_000_000,
      version: '2.1.325',
      permissionMode: 'bypassPermissions',
    });
  });

  test('what a subagent says and does is never the agent’s own', () => {
    const { seen } = replayed('agent');
    const own = seen.flatMap((one) => (one.is === 'text' ? [one.text] : []));
    expect(own).toEqual(['I ask.', 'Main end.']);
    expect(seen).toContainEqual({
      is: 'subagent',
      of: 'toolu_scripted000005',
      event: { is: 'tool', id: 'toolu_scripted000007', name: 'Bash', summary: 'echo sub' },
    });
    expect(seen).toContainEqual(
      expect.objectContaining({
        is: 'subagent',
        event: expect.objectContaining({ is: 'tool-outcome', text: 'sub' }),
      }),
    );
  });

  test('a tool, its refusal and its outcome', () => {
    const { seen } = replayed('denied');
    expect(seen).toContainEqual({
      is: 'tool',
      id: 'toolu_scripted000003',
      name: 'Bash',
      summary: 'npm --version > v.txt',
    });
    expect(seen).toContainEqual({ is: 'denied', tool: 'Bash', why: 'This command requires approval' });
    expect(seen).toContainEqual({
      is: 'tool-outcome',
      id: 'toolu_scripted000003',
      failed: true,
      text: 'This command requires approval',
      lines: 1,
    });
  });

  test('what a hook refused is not a denial for want of permissions, though the host lists it so', () => {
    const use = (id: string) => ({
      tool_use_id: id,
      tool_name: 'Write',
      tool_input: { file_path: `${id}.txt` },
    });
    const outcome = (id: string, source: string, parent: string | null = null) => ({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', content: 'No.', is_error: true, tool_use_id: id }],
      },
      parent_tool_use_id: parent,
      tool_result_meta: [{ id, permission_decision: { decision: 'reject', source } }],
    });
    const result = {
      type: 'result',
      is_error: false,
      terminal_reason: 'completed',
      permission_denials: ['a', 'b', 'c'].map(use),
    };
    const lines = [outcome('a', 'hook'), outcome('b', 'user'), outcome('c', 'hook', 'agent'), result];
    const { seen, outcome: ended } = replay(host, {
      lines: lines.map((line) => JSON.stringify(line)),
      exit: 0,
    });
    expect(seen).toContainEqual({ is: 'refused', id: 'a' });
    expect(ended).toMatchObject({ is: 'stopped', denied: [{ id: 'b', tool: 'Write', summary: 'b.txt' }] });
  });

  test('retries and the fallback', () => {
    const { seen, record } = replayed('fallback');
    expect(seen.filter(({ is }) => is === 'retry' || is === 'fallback')).toEqual([
      { is: 'retry', attempt: 1, most: 3, delayMs: 555, status: 529, why: 'overloaded', hopeless: null },
      { is: 'retry', attempt: 2, most: 3, delayMs: 1126, status: 529, why: 'overloaded', hopeless: null },
      { is: 'fallback', model: 'claude-haiku-5-5', why: 'overloaded' },
    ]);
    expect(record).toMatchObject({ retries: 2, model: 'claude-haiku-5-5' });
  });

  test('the context in use, and its window once the result tells it', () => {
    expect(replayed('stopped').record.context).toEqual({ tokens: 2801, window: 1_000_000 });
  });

  test('what the host says in the place of an answer is a fault, not the agent’s words', () => {
    const { record } = replayed('401');
    expect(record.message).toBe('');
    expect(record.fault).toMatchObject({
      word: 'authentication_failed',
      type: 'authentication_error',
      status: 401,
    });
  });

  test('a service that does not answer is named by its address, without what may be secret in it', () => {
    const line = '{"type":"system","subtype":"api_retry","attempt":1,"error_status":null,"error":"unknown"}';
    const heard = (env?: Record<string, string>) => host.openStream(env).read(line);
    expect(heard()).toMatchObject([{ is: 'retry', why: 'no answer from the API' }]);
    expect(heard({ ANTHROPIC_BASE_URL: 'http://me:secret@127.0.0.1:9/v1?key=k' })).toMatchObject([
      { why: 'no answer from the API at 127.0.0.1:9' },
    ]);
    expect(heard({ ANTHROPIC_BASE_URL: 'no address' })).toMatchObject([{ why: 'no answer from the API' }]);
  });

  test('compaction', () => {
    const line =
      '{"type":"system","subtype":"compact_boundary","compact_metadata":{"pre_tokens":2826,"post_tokens":2581}}';
    expect(host.openStream().read(line)).toEqual([{ is: 'compacted', from: 2826, to: 2581 }]);
  });

  it('a long outcome keeps both ends and tells its lines, a long input keeps its beginning', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 't', is_error: true, content: `BEGIN ${'x\n'.repeat(90_000)} END` },
    ];
    const [outcome] = host.openStream().read(JSON.stringify({ type: 'user', message: { content } }));
    expect(outcome).toMatchObject({
      is: 'tool-outcome',
      failed: true,
      text: expect.stringMatching(/^BEGIN [x\n]{900,1000}…[x\n]{900,1000} END$/),
      lines: 90_001,
    });
    const input = { command: `echo ${'y'.repeat(90_000)}\nrm` };
    const call = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input }] },
    };
    expect(host.openStream().read(JSON.stringify(call))).toEqual([
      { is: 'tool', id: 't', name: 'Bash', summary: expect.stringMatching(/^echo y{394}…$/) },
    ]);
  });
});

describe('what a pass has cost', () => {
  test('subagents included', () => {
    expect(replayed('agent').record.spent).toEqual({
      costUsd: expect.closeTo(0.044568, 6),
      tokens: { input: 10_982, output: 32, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test('of several results, each counts once', () => {
    expect(replayed('background-agent').record).toMatchObject({
      spent: { costUsd: expect.closeTo(0.059008, 6), tokens: { input: 14_552 } },
      turns: 3,
    });
  });

  test('in a resumed session, not what was spent before', () => {
    const model = (costUSD: number) => ({ m: { inputTokens: 10, outputTokens: 1, costUSD } });
    const result = {
      type: 'result',
      is_error: false,
      terminal_reason: 'completed',
      num_turns: 1,
      total_cost_usd: 7,
    };
    const lines = [{ ...result, modelUsage: model(7), model_usage_since_last_result: model(2) }];
    expect(replay(host, { lines: lines.map((line) => JSON.stringify(line)), exit: 0 }).record).toMatchObject({
      spent: { costUsd: 2 },
      result: { total: { costUsd: 7 } },
    });
  });

  test('a host that tells only totals is believed', () => {
    const line = JSON.stringify({ type: 'result', is_error: false, total_cost_usd: 3, modelUsage: {} });
    expect(replay(host, { lines: [line], exit: 0 }).record.spent?.costUsd).toBe(3);
  });
});

describe('without a result', () => {
  test('flags that the host refuses need a person', () => {
    const refused = { lines: [], exit: 1, stderr: "error: unknown option '--no-such-flag'\n" };
    expect(replay(host, refused).outcome).toEqual({
      is: 'fatal',
      kind: 'config',
      why: "error: unknown option '--no-such-flag'",
    });
  });

  test('a process that ends in the middle has crashed, with the end of its complaints', () => {
    const lines = recorded('agent').slice(0, 4);
    const outcome = replay(host, {
      lines,
      exit: 134,
      stderr: `${'x\n'.repeat(9_000)}out of memory\n`,
    }).outcome;
    expect(outcome).toMatchObject({ is: 'crashed', exit: 134, why: expect.stringMatching(/out of memory$/) });
  });

  test('a request that is refused late is the conversation’s fault: a fresh one may go on', () => {
    const lines = [...recorded('agent').slice(0, 3), ...recorded('too-long').slice(1)];
    expect(replay(host, { lines, exit: 1 }).outcome).toMatchObject({ is: 'transient', status: 400 });
  });
});
