/** Da Capo in the sessions of OpenCode (tried with 1.18.33): it tells our hook what happens, and does what the hook says. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ask, askNow, isDriven } from '../ask.js';

/** `opencode run` ends with the turn, and waits for nothing. */
const isRun = process.argv.includes('run');
const MCP = fileURLToPath(new URL('../../dist/mcp.cjs', import.meta.url));
/** Reasons after which OpenCode asks the model again by itself. */
const GOES_ON = ['tool-calls', 'unknown'];

// eslint-disable-next-line import/no-default-export -- OpenCode takes any export for a plugin.
export default async function dacapo({ client, directory }) {
  const sessions = new Map();

  const sessionOf = (id) => {
    if (!sessions.has(id)) sessions.set(id, { id, turn: null, said: '', isOver: false, ...nothingUsed() });
    return sessions.get(id);
  };
  const about = ({ id, turn }, event, more) => ({
    host: 'opencode',
    event,
    session: id,
    project: directory,
    process: process.pid,
    turn,
    ...more,
  });
  const tell = ({ message }) => {
    if (!message) return;
    if (isRun) console.error(message);
    else void client.tui.showToast({ body: { message, variant: 'info', duration: 10_000 } }).catch(() => {});
  };

  const guard = {
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const { id, parent, turn } = sessionOf(sessionID);
      // What a subagent writes counts as the agent's.
      const answer = await ask(about({ id: parent ?? id, turn }, 'tool', { tool, id: callID, input: args }));
      tell(answer);
      if (answer.allow === false) throw new Error(answer.reason);
    },
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.created' && properties.info.parentID)
        sessionOf(properties.info.id).parent = properties.info.parentID;
    },
  };
  if (isDriven) return guard;

  function stopOf(session) {
    const { said, used, idle } = session;
    Object.assign(session, nothingUsed(), { isOver: false });
    return about(session, 'stop', { message: said, used, idle });
  }

  async function goOn(session, answer) {
    tell(answer);
    if (answer.continue !== true) return;
    session.ours = answer.prompt;
    const parts = [{ type: 'text', text: answer.prompt }];
    await client.session.promptAsync({ path: { id: session.id }, body: { ...session.as, parts } });
  }

  async function judge(session) {
    const { turn } = session;
    const answer = await ask(stopOf(session));
    // The person may have typed something else meanwhile.
    if (session.turn === turn) await goOn(session, answer);
    else tell(answer);
  }

  const heard = {
    'message.part.updated': async (session, { part }) => {
      if (part.type === 'tool') session.idle = false;
      if (part.type !== 'step-finish') return;
      session.used = {
        costUsd: session.used.costUsd + part.cost,
        tokens: session.used.tokens + tokensOf(part.tokens),
      };
      session.isOver = !GOES_ON.includes(part.reason);
      if (isRun && session.isOver) await goOn(session, askNow(stopOf(session)));
    },
    'session.idle': async (session) => {
      if (session.isOver) await judge(session);
    },
    'session.error': async (session, { error }) => {
      session.isOver = false;
      if (error?.name === 'MessageAbortedError') return;
      const { message = error?.name, statusCode } = error?.data ?? {};
      const failed = { error: message ?? 'failed', status: statusCode };
      const question = about(session, 'stop', { failed });
      tell(isRun ? askNow(question) : await ask(question));
    },
    'session.compacted': async (session) => {
      const { context } = await ask(about(session, 'session-start', { source: 'compact' }));
      if (!context) return;
      const parts = [{ type: 'text', text: context, synthetic: true }];
      await client.session.prompt({
        path: { id: session.id },
        body: { ...session.as, noReply: true, parts },
      });
    },
    'session.deleted': async (session) => {
      await ask(about(session, 'session-end', { reason: '' }));
    },
  };

  return {
    ...guard,
    config: async (config) => {
      config.mcp = { dacapo: { type: 'local', command: ['node', MCP] }, ...config.mcp };
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const session = sessionOf(sessionID);
      const typed = parts.flatMap(({ type, text, synthetic }) =>
        type === 'text' && !synthetic ? [text] : [],
      );
      const text = typed.join('\n').trim();
      session.as = { agent: message.agent, model: message.model };
      if (session.parent || text === session.ours?.trim()) return;
      session.turn = randomUUID();
      // `opencode run` puts quotes around its arguments.
      const prompt = isRun ? text.replace(/^"(.*)"$/s, '$1').replaceAll('\\"', '"') : text;
      const answer = await ask(about(session, 'prompt', { text: prompt }));
      tell(answer);
      if (answer.context && parts.length > 0)
        parts.push({
          ...parts[0],
          id: `${parts[0].id}d`,
          type: 'text',
          text: answer.context,
          synthetic: true,
        });
    },
    'experimental.text.complete': async ({ sessionID }, { text }) => {
      sessionOf(sessionID).said = text;
    },
    event: async ({ event }) => {
      await guard.event({ event });
      const { type, properties } = event;
      const session = sessionOf(properties.sessionID ?? properties.info?.id);
      if (!session.parent) await heard[type]?.(session, properties);
    },
  };
}

function nothingUsed() {
  return { used: { costUsd: 0, tokens: 0 }, idle: true };
}

function tokensOf({ input, output, reasoning, cache }) {
  return input + output + reasoning + cache.read + cache.write;
}
