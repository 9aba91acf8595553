#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol, and makes done.txt in its second turn. It says its arguments.
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'stand-in' }, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 's1' }),
  'session/prompt': () => {
    if (existsSync('begun.txt')) writeFileSync('done.txt', '');
    writeFileSync('begun.txt', '');
    const content = { type: 'text', text: process.argv.slice(2).join('|') || 'Done.' };
    const update = { sessionUpdate: 'agent_message_chunk', content };
    send({ method: 'session/update', params: { sessionId: 's1', update } });
    return { stopReason: 'end_turn' };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) send({ id, result: answers[method]() });
});
