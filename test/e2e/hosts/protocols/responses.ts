// OpenAI Responses, streamed: Codex speaks nothing else.
import { list, textIn, word, type Answer, type Protocol, type Tool } from '../script.ts';
import { startEvents } from './events.ts';

export const responses: Protocol = {
  path: /\/responses$/,
  read: (body) => ({
    model: word(body['model']),
    stream: body['stream'] === true,
    tools: list(body['tools']).flatMap(toolsOf),
    messages: [
      { role: 'system', text: textIn(body['instructions']) },
      ...list(body['input']).map((item) => ({ role: roleOf(item), text: textIn(item) })),
    ],
  }),
  send(response, { model, stream }, answer) {
    const items = itemsOf(answer);
    const whole = { id: answer.id, object: 'response', created_at: 0, model, output: items };
    const usage = {
      input_tokens: answer.usage.input,
      input_tokens_details: { cached_tokens: answer.usage.cached ?? 0 },
      output_tokens: answer.usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.usage.input + answer.usage.output,
    };
    const completed = { ...whole, status: 'completed', usage };
    const events = startEvents(response, stream);
    if (events === undefined) return void response.end(JSON.stringify(completed));
    const send = (type: string, data: object): void => events.send({ type, ...data }, type);
    send('response.created', { response: { ...whole, status: 'in_progress', output: [] } });
    for (const [output_index, item] of items.entries()) {
      const at = { output_index, item_id: item.id };
      if (item.type === 'message') {
        const [part] = item.content;
        const where = { ...at, content_index: 0 };
        send('response.output_item.added', { output_index, item: { ...item, content: [] } });
        send('response.content_part.added', { ...where, part: { ...part, text: '' } });
        send('response.output_text.delta', { ...where, delta: part.text });
        send('response.output_text.done', { ...where, text: part.text });
        send('response.content_part.done', { ...where, part });
      } else {
        send('response.output_item.added', { output_index, item: { ...item, arguments: '' } });
        send('response.function_call_arguments.delta', { ...at, delta: item.arguments });
        send('response.function_call_arguments.done', { ...at, arguments: item.arguments });
      }
      send('response.output_item.done', { output_index, item });
    }
    send('response.completed', { response: completed });
    events.end();
  },
  fault: (status, message) => ({ error: { message, type: 'scripted', code: String(status) } }),
};

function toolsOf(tool: Record<string, unknown>): Tool[] {
  if (tool['type'] === 'namespace')
    return list(tool['tools']).flatMap((inner) =>
      toolsOf(inner).map((one) => ({ ...one, namespace: word(tool['name']) })),
    );
  return [{ name: word(tool['name'] ?? tool['type']), parameters: tool['parameters'] }];
}

const ANSWERS = new Set(['function_call', 'reasoning', 'local_shell_call', 'custom_tool_call']);

function roleOf(item: Record<string, unknown>): string {
  const type = word(item['type'] ?? 'message');
  if (type === 'message') return word(item['role']);
  return ANSWERS.has(type) ? 'assistant' : 'tool';
}

function itemsOf({ id, text, calls }: Answer) {
  const status = 'completed' as const;
  const content = [{ type: 'output_text', text, annotations: [] }] as const;
  const message = { type: 'message' as const, id: `${id}_m`, role: 'assistant', status, content };
  const asked = calls.map((call) => ({
    type: 'function_call' as const,
    id: `${call.id}_i`,
    call_id: call.id,
    name: call.tool.name,
    ...(call.tool.namespace === undefined ? {} : { namespace: call.tool.namespace }),
    arguments: JSON.stringify(call.input),
    status,
  }));
  return text === '' ? asked : [message, ...asked];
}
