// A small agent that speaks the Agent Client Protocol on stdio, and does what its first argument says.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , does = 'answers', given = ''] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const waiting = new Map();
let last = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++last, resolve);
    send({ id: last, method, params });
  });
const update = (fields) => send({ method: 'session/update', params: { sessionId: 's1', update: fields } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const usage = { inputTokens: 70, outputTokens: 20, totalTokens: 100, cachedReadTokens: 10 };
const loads = does === 'loads' || does === 'forgets';

const turns = {
  answers: async (prompt) => {
    say('You said ');
    say(`${prompt}.`);
    update({ sessionUpdate: 'usage_update', used: 90, size: 1000, cost: { amount: 0.5, currency: 'USD' } });
    return { stopReason: 'end_turn', usage };
  },
  loads: async () => {
    say('New.');
    update({ sessionUpdate: 'usage_update', used: 90, size: 1000, cost: { amount: 0.5, currency: 'USD' } });
    return { stopReason: 'end_turn' };
  },
  silent: async () => ({ stopReason: 'end_turn' }),
  garbage: async () => {
    process.stdout.write('Loading …\n{"jsonrpc": broken\n[1]\n\n');
    send({ id: 'nobody asked', result: {} });
    send({ method: 7, params: 'text' });
    say('Still here.');
    return { stopReason: 'end_turn' };
  },
  long: async () => {
    say('x'.repeat(9 * 1024 * 1024));
    say('Short.');
    return { stopReason: 'end_turn' };
  },
  floods: async () => {
    for (let n = 0; n < 40; n += 1) {
      say('x'.repeat(50_000));
      update({ sessionUpdate: 'agent_thought_chunk' });
    }
    say('The end.');
    return { stopReason: 'end_turn' };
  },
  dies: async () => process.exit(3),
  refuses: async () => Promise.reject(JSON.parse(given)),
  files: async () => {
    const file = await ask('fs/write_text_file', { sessionId: 's1', path: '/etc/passwd', content: '' });
    const terminal = await ask('terminal/create', { sessionId: 's1', command: 'id' });
    say([file, terminal].map(({ error }) => error?.code).join(' '));
    return { stopReason: 'end_turn' };
  },
  asks: async () => {
    const { toolCall, options } = JSON.parse(given);
    update({ sessionUpdate: 'tool_call', title: 'A call', status: 'pending', ...toolCall });
    const { result } = await ask('session/request_permission', { sessionId: 's1', toolCall, options });
    say(result.outcome.optionId ?? result.outcome.outcome);
    return { stopReason: 'end_turn', usage };
  },
  hangs: () =>
    new Promise((resolve) => {
      cancelled = () => resolve({ stopReason: 'cancelled' });
      say('I wait.');
      update({ sessionUpdate: 'plan', entries: [] });
    }),
};

let cancelled = () => undefined;

const methods = {
  initialize: async () => ({
    protocolVersion: does === 'newer' ? 2 : 1,
    agentCapabilities: { loadSession: loads },
    agentInfo: { name: 'scripted', title: 'Scripted', version: '1.2.3' },
  }),
  'session/new': async () => ({
    sessionId: 's1',
    modes: {
      currentModeId: 'act',
      availableModes: [{ id: 'act' }, ...(does === 'silent' ? [] : [{ id: 'plan' }])],
    },
    models: { currentModelId: 'small', availableModels: [{ modelId: 'small' }, { modelId: 'big' }] },
    configOptions: [{ id: 'effort', category: 'thought_level', options: [{ value: 'low' }] }],
  }),
  'session/load': async () => {
    if (does === 'forgets') return Promise.reject({ code: -32002, message: 'Resource not found' });
    say('Old words.');
    update({ sessionUpdate: 'usage_update', used: 50, size: 1000, cost: { amount: 0.4, currency: 'USD' } });
    return {};
  },
  'session/set_model': async ({ modelId }) => say(modelId),
  'session/set_mode': async () => ({}),
  'session/prompt': ({ prompt }) => turns[does](prompt[0].text),
};

// It says where it is, and ends only when it is killed.
if (does === 'stays') {
  writeFileSync(given, String(process.pid));
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
if (does === 'mumbles') process.stdout.write('Usage: agent [options]\n');
if (does === 'mumbles') process.exit(2);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...answer } = JSON.parse(line);
  if (method === 'session/cancel') return cancelled();
  if (method === undefined) {
    waiting.get(id)?.(answer);
    return waiting.delete(id);
  }
  methods[method](params).then(
    (result) => send({ id, result }),
    (error) => send({ id, error }),
  );
});
