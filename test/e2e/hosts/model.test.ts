// The scripted model by itself: the same script in each protocol, streamed or whole, with its failures.
import { expect, onTestFinished, test } from 'vitest';
import { startModel, type Model } from './model.ts';
import type { Script } from './script.ts';

const SCHEMA = {
  type: 'object',
  properties: { command: { type: 'string' }, is_background: { type: 'boolean' } },
  required: ['command', 'is_background'],
};
const EDITOR = { type: 'object', properties: { command: { enum: ['view', 'create'] } } };

/** What a host asks in each protocol, and where. */
const REQUESTS = {
  responses: (stream: boolean) => ({
    path: '/v1/responses',
    body: {
      model: 'm',
      stream,
      instructions: 'system',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      tools: [
        { type: 'function', name: 'editor', parameters: EDITOR },
        { type: 'function', name: 'sh', parameters: SCHEMA },
      ],
    },
  }),
  chatCompletions: (stream: boolean) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      stream,
      messages: [
        { role: 'system', content: 'system' },
        { role: 'user', content: 'hello' },
      ],
      tools: [
        { type: 'function', function: { name: 'editor', parameters: EDITOR } },
        { type: 'function', function: { name: 'sh', parameters: SCHEMA } },
      ],
    },
  }),
  generateContent: (stream: boolean) => ({
    path: `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      systemInstruction: { parts: [{ text: 'system' }] },
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      tools: [
        {
          functionDeclarations: [
            { name: 'editor', parametersJsonSchema: EDITOR },
            { name: 'sh', parametersJsonSchema: SCHEMA },
          ],
        },
      ],
    },
  }),
  messages: (stream: boolean) => ({
    path: '/v1/messages',
    body: {
      model: 'm',
      stream,
      system: 'system',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [
        { name: 'editor', input_schema: EDITOR },
        { name: 'sh', input_schema: SCHEMA },
      ],
    },
  }),
};

async function startedModel(script: Script): Promise<Model> {
  const model = await startModel(script);
  onTestFinished(model.close);
  return model;
}

const post = (
  model: Model,
  host: string,
  { path, body }: { path: string; body: object },
): Promise<Response> => fetch(`${model.url}/${host}${path}`, { method: 'POST', body: JSON.stringify(body) });

for (const [protocol, request] of Object.entries(REQUESTS)) {
  for (const stream of [true, false]) {
    test(`${protocol}, ${stream ? 'streamed' : 'whole'}: a text, a command and what they used`, async () => {
      const model = await startedModel([
        { text: 'I look.', run: 'ls', usage: { input: 700, output: 30, cached: 300 } },
        'The end.',
      ]);
      const first = await (await post(model, 'one', request(stream))).text();
      expect(first).toContain('I look.');
      expect(first).toMatch(/"name":"sh"/);
      expect(first.replaceAll('\\', '')).toMatch(/"command":"ls","is_background":false/);
      expect(first).toMatch(protocol === 'messages' ? /:400\b/ : /:700\b/);
      expect(first).toMatch(/:300\b/);
      expect(first).not.toContain('The end.');
      expect(await (await post(model, 'one', request(stream))).text()).toContain('The end.');
      expect(model.requests).toMatchObject([
        { host: 'one', n: 0, model: 'm', text: 'hello', tools: [{ name: 'editor' }, { name: 'sh' }] },
        { host: 'one', n: 1 },
      ]);
    });
  }

  test(`${protocol}: fails where the script says so`, async () => {
    const model = await startedModel([{ status: 429, retryAfter: 7 }, { status: 529 }, 'Well again.']);
    const limited = await post(model, 'one', request(true));
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await limited.text()).toContain('scripted 429');
    expect((await post(model, 'one', request(true))).status).toBe(529);
    expect(await (await post(model, 'one', request(true))).text()).toContain('Well again.');
  });
}

test('each host goes through the script by itself, and a request without tools is no turn', async () => {
  const model = await startedModel(['first', 'second']);
  const { path, body } = REQUESTS.chatCompletions(true);
  await post(model, 'one', { path, body: { ...body, tools: [] } });
  expect(await (await post(model, 'one', { path, body })).text()).toContain('first');
  expect(await (await post(model, 'two', { path, body })).text()).toContain('first');
  expect(await (await post(model, 'one', { path, body })).text()).toContain('second');
  expect(model.requests.map(({ host, n }) => `${host} ${n}`)).toEqual(['one 0', 'two 0', 'one 1']);
  expect(model.side).toHaveLength(1);
});

test('a tool is called by the end of its name; a tool that is not offered is a fault that names those that are', async () => {
  const model = await startedModel([
    { call: { tool: 'itor', input: { command: 'view' } } },
    { call: { tool: 'claim', input: {} } },
  ]);
  const asked = REQUESTS.messages(true);
  expect(await (await post(model, 'one', asked)).text()).toContain('"name":"editor"');
  const fault = await post(model, 'one', asked);
  expect(fault.status).toBe(400);
  expect(await fault.text()).toContain('no tool claim among editor, sh');
});
