// Gemini's generateContent, streamed or whole.
import { list, textIn, word, type Protocol } from '../script.ts';
import { startEvents } from './events.ts';

export const generateContent: Protocol = {
  path: /:(?:stream)?generateContent$/i,
  read: (body, path) => ({
    model: /([^/]+):\w+$/.exec(path)?.[1] ?? '',
    stream: path.endsWith(':streamGenerateContent'),
    tools: list(body['tools'])
      .flatMap((tool) => list(tool['functionDeclarations']))
      .map((tool) => ({
        name: word(tool['name']),
        parameters: tool['parametersJsonSchema'] ?? tool['parameters'],
      })),
    messages: [
      { role: 'system', text: textIn(body['systemInstruction']) },
      ...list(body['contents']).map((content) => ({
        role: content['role'] === 'model' ? 'assistant' : word(content['role']),
        text: textIn(content['parts']),
      })),
    ],
  }),
  send(response, { model, stream }, { id, text, calls, usage }) {
    const parts = [
      ...(text === '' ? [] : [{ text }]),
      ...calls.map((call) => ({ functionCall: { id: call.id, name: call.tool.name, args: call.input } })),
    ];
    const whole = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        cachedContentTokenCount: usage.cached ?? 0,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: model,
      responseId: id,
    };
    const events = startEvents(response, stream);
    if (events === undefined) return void response.end(JSON.stringify(whole));
    events.send(whole);
    events.end();
  },
  fault: (code, message) => ({ error: { code, message, status: STATUS[code] ?? 'UNKNOWN' } }),
};

const STATUS: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
