// OpenAI Chat Completions, streamed or whole: Copilot, droid, Qwen, OpenCode and pi speak it.
import { isRecord } from '#base/shape.ts';
import { list, textIn, word, type Protocol } from '../script.ts';
import { startEvents } from './events.ts';

export const chatCompletions: Protocol = {
  path: /\/chat\/completions$/,
  read: (body) => ({
    model: word(body['model']),
    stream: body['stream'] === true,
    tools: list(body['tools'])
      .map((tool) => tool['function'])
      .filter(isRecord)
      .map((tool) => ({ name: word(tool['name']), parameters: tool['parameters'] })),
    messages: list(body['messages']).map((message) => ({
      role: word(message['role']),
      text: textIn(message['content']),
    })),
  }),
  send(response, { model, stream }, { id, text, calls, usage }) {
    const tool_calls = calls.map((call, index) => ({
      index,
      id: call.id,
      type: 'function',
      function: { name: call.tool.name, arguments: JSON.stringify(call.input) },
    }));
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
    const used = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    };
    const about = { id, created: 0, model };
    const events = startEvents(response, stream);
    if (events === undefined) {
      const choices = [{ index: 0, message, finish_reason }];
      return void response.end(JSON.stringify({ ...about, object: 'chat.completion', choices, usage: used }));
    }
    const send = (choices: object[], more: object = {}): void =>
      events.send({ ...about, object: 'chat.completion.chunk', choices, ...more });
    send([{ index: 0, delta: message, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason }]);
    send([], { usage: used });
    events.send('[DONE]');
    events.end();
  },
  fault: (status, message) => ({ error: { message, type: 'scripted', code: String(status) } }),
};
