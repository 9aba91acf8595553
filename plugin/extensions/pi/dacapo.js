/** Da Capo in the sessions of pi (tried with 0.73.1): it tells our hook what happens, and does what the hook says. */
import { randomUUID } from 'node:crypto';
import { ask, askNow, isDriven } from '../ask.js';

/** pi repeats a request that failed, after 8 s at most with its own settings. Then a turn has failed for good. */
const RETRIES_MS = 60_000;
/** Our words for how a session ends. */
const ENDS = { new: 'clear', quit: '' };
/** A compaction that fails says nothing. */
const COMPACTION_MS = 120_000;

// eslint-disable-next-line import/no-default-export -- pi takes no other.
export default function dacapo(pi) {
  /** One for each prompt of the person, up to the last stop that it leads to. */
  let turn = null;
  let spent = { costUsd: 0, tokens: 0 };
  let idle = true;
  let failure = null;
  let isOwn = false;
  let compacted = Promise.resolve();
  let endCompaction = () => {};

  const about = (ctx, event, more) => ({
    host: 'pi',
    event,
    session: ctx.sessionManager.getSessionId(),
    project: ctx.cwd,
    process: process.pid,
    turn,
    ...more,
  });
  const tell = (ctx, { message }) => {
    if (message && ctx.hasUI) ctx.ui.notify(message, 'info');
    else if (message) console.error(message);
  };

  pi.on('tool_call', async ({ toolName, toolCallId, input }, ctx) => {
    const answer = await ask(about(ctx, 'tool', { tool: toolName, id: toolCallId, input }));
    tell(ctx, answer);
    return answer.allow === false ? { block: true, reason: answer.reason } : undefined;
  });
  if (isDriven) return;

  pi.on('input', ({ source }) => void (isOwn = source === 'extension'));

  pi.on('before_agent_start', async ({ prompt }, ctx) => {
    if (isOwn) return undefined;
    await tellFailure();
    turn = randomUUID();
    const answer = await ask(about(ctx, 'prompt', { text: prompt }));
    tell(ctx, answer);
    return answer.context ? { message: inSession(answer.context) } : undefined;
  });

  pi.on('agent_start', () => {
    clearTimeout(failure?.timer);
    failure = null;
  });

  pi.on('message_end', ({ message }, ctx) => {
    if (message.role !== 'assistant') return;
    spent = {
      costUsd: spent.costUsd + message.usage.cost.total,
      tokens: spent.tokens + message.usage.totalTokens,
    };
    if (message.content.some(({ type }) => type === 'toolCall')) idle = false;
    // Without a screen, pi ends with the turn, and waits for nothing.
    if (!ctx.hasUI && isStop(message)) goOn(ctx, askNow(stopOf(ctx, message)));
  });

  pi.on('agent_end', ({ messages }, ctx) => {
    const last = messages.findLast(({ role }) => role === 'assistant');
    if (last?.stopReason === 'error') fail(ctx, last.errorMessage ?? 'failed');
    else if (ctx.hasUI && last !== undefined && isStop(last)) void judge(ctx, last);
  });

  async function judge(ctx, last) {
    const judged = turn;
    ctx.ui.setStatus('dacapo', 'Da Capo checks the work');
    const answer = await ask(stopOf(ctx, last));
    ctx.ui.setStatus('dacapo', undefined);
    await compacted;
    // The person may have typed something else meanwhile.
    if (judged === turn) goOn(ctx, answer);
    else tell(ctx, answer);
  }

  function stopOf(ctx, { content }) {
    const message = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const question = about(ctx, 'stop', { message, used: spent, idle });
    [spent, idle] = [{ costUsd: 0, tokens: 0 }, true];
    return question;
  }

  function goOn(ctx, answer) {
    tell(ctx, answer);
    if (answer.continue === true) pi.sendUserMessage(answer.prompt, { deliverAs: 'followUp' });
  }

  function fail(ctx, error) {
    const [status] = /^\d{3}\b/.exec(error) ?? [];
    const question = about(ctx, 'stop', { failed: { error, status: Number(status) } });
    failure = { question, timer: setTimeout(() => void tellFailure(), RETRIES_MS).unref() };
  }

  async function tellFailure() {
    if (failure === null) return;
    const { question, timer } = failure;
    failure = null;
    clearTimeout(timer);
    await ask(question);
  }

  pi.on('session_before_compact', () => {
    compacted = new Promise((resolve) => (endCompaction = resolve));
    setTimeout(endCompaction, COMPACTION_MS).unref();
  });

  pi.on('session_compact', (_event, ctx) => brief(ctx, 'compact').finally(endCompaction));

  pi.on('session_start', ({ reason }, ctx) => {
    if (reason === 'new') return brief(ctx, 'clear');
    const isOld =
      reason === 'startup' && ctx.sessionManager.getEntries().some(({ type }) => type === 'message');
    return reason === 'resume' || isOld ? brief(ctx, 'resume') : undefined;
  });

  async function brief(ctx, source) {
    const answer = await ask(about(ctx, 'session-start', { source }));
    tell(ctx, answer);
    if (answer.context) pi.sendMessage(inSession(answer.context), { deliverAs: 'nextTurn' });
  }

  pi.on('session_shutdown', async ({ reason }, ctx) => {
    if (reason === 'reload') return;
    await tellFailure();
    await ask(about(ctx, 'session-end', { reason: ENDS[reason] ?? reason }));
  });
}

function isStop({ stopReason }) {
  return stopReason === 'stop' || stopReason === 'length';
}

function inSession(content) {
  return { customType: 'dacapo', content, display: true };
}
