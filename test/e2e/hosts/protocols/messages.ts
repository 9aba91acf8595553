// Anthropic Messages, as the demo's model speaks them: for a loop that begins in Claude Code.
import { sendMessage, type MessagesRequest } from '#surfaces/demo/model.ts';
import { list, textIn, word, type Protocol } from '../script.ts';

export const messages: Protocol = {
  path: /\/v1\/messages$/,
  read: (body) => ({
    model: word(body['model']),
    stream: body['stream'] === true,
    tools: list(body['tools']).map((tool) => ({
      name: word(tool['name']),
      parameters: tool['input_schema'],
    })),
    messages: [
      { role: 'system', text: textIn(body['system']) },
      ...list(body['messages']).map((message) => ({
        role: word(message['role']),
        text: textIn(message['content']),
      })),
    ],
  }),
  send(response, { model, stream, messages: told }, { text, calls, usage }) {
    const asked: MessagesRequest = {
      model,
      stream,
      messages: told.map((message) => ({ role: message.role, content: message.text })),
    };
    const blocks = [
      ...(text === '' ? [] : [{ text }]),
      ...calls.map((call) => ({ tool: call.tool.name, input: call.input })),
    ];
    const cached = usage.cached ?? 0;
    sendMessage(response, asked, blocks, {
      input_tokens: usage.input - cached,
      cache_read_input_tokens: cached,
      output_tokens: usage.output,
    });
  },
  fault: (status, message) => ({ type: 'error', error: { type: `scripted_${status}`, message } }),
};
