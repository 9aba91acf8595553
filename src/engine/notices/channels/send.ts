/** One attempt to send a message to a target, whatever its kind. */
import { homedir } from 'node:os';
import { headOf } from '#base/words/sanitize.ts';
import type { Target, CommandTarget, WebTarget } from '#input/config/notify-target.ts';
import type { SendOrder, SendResult } from '../message.ts';
import { noticeId, signatureOf, WEBHOOK_HEADERS } from '../signature.ts';
import { desktopPrograms, escapeMarkup, sayNotInstalled } from './desktop-programs.ts';
import { runChannelProgram, type ProgramResult } from './run-program.ts';
import { postNotice } from './web.ts';

const WEB = { webhook: sendWebhook, ntfy: sendNtfy, slack: sendSlack, discord: sendDiscord };

export async function sendNotice(target: Target, sending: SendOrder): Promise<SendResult> {
  if (target.kind === 'desktop') return sendDesktop(sending);
  return target.kind === 'command' ? sendCommand(target, sending) : WEB[target.kind](target, sending);
}

const COMMAND_MS = 30_000;

/**
 * Runs a command of the user's own, with the payload on its standard input. Only the user's config can name
 * one.
 */
async function sendCommand({ command }: CommandTarget, sending: SendOrder): Promise<SendResult> {
  const { title, text, payload } = sending.message;
  const { DACAPO_NOTIFY_SECRET: _, ...env } = sending.env;
  const ran = await runChannelProgram(
    {
      command,
      input: `${JSON.stringify(payload)}\n`,
      env: {
        DACAPO_EVENT: payload.event,
        DACAPO_LOOP: payload.loop,
        DACAPO_PROJECT: payload.project,
        DACAPO_TITLE: title,
        DACAPO_TEXT: text,
        ...(payload.item && { DACAPO_ITEM_ID: payload.item.id, DACAPO_ITEM_TITLE: payload.item.title }),
      },
    },
    // Not in the project: a relative path in the command must not mean a file of the agent's.
    { env, timeoutMs: COMMAND_MS, cwd: homedir() },
  );
  if (ran.is === 'ended' && ran.exit === 0) return { ok: true, detail: 'exit code 0' };
  const detail = ran.is === 'missing' ? 'there is no shell' : sayFailed(ran, COMMAND_MS);
  // Not again: it may have done half of its work.
  return { ok: false, detail, again: false };
}

function sayFailed(ran: Exclude<ProgramResult, { is: 'missing' }>, timeoutMs: number): string {
  if (ran.is === 'timed-out') return `took longer than ${timeoutMs / 1_000} s`;
  return `exit code ${ran.exit}${ran.says && `: ${ran.says}`}`;
}

const DESKTOP_MS = 15_000;

/** The first program that is there shows it. */
async function sendDesktop({ message, env, platform }: SendOrder): Promise<SendResult> {
  const programs = desktopPrograms(message, platform, env);
  for (const program of programs) {
    const ran = await runChannelProgram(program, { env, timeoutMs: DESKTOP_MS });
    if (ran.is === 'ended' && ran.exit === 0) return { ok: true, detail: program.command };
    if (ran.is === 'missing') continue;
    const how = `${ran.is === 'ended' ? 'failed with ' : ''}${sayFailed(ran, DESKTOP_MS)}`;
    return { ok: false, detail: `${program.command} ${how}`, again: false };
  }
  return { ok: false, detail: sayNotInstalled(programs), again: false };
}

/** A message of Discord has at most 2,000 characters. */
const MAX_DISCORD_CHARS = 1_900;
/** The priorities of ntfy go from 1 to 5. A higher one also sounds when a phone is silent. */
const USUAL_PRIORITY = 3;
const HIGH_PRIORITY = 4;

/** The timestamp is new for each attempt, so a message that was held back is not refused as old. */
function sendWebhook({ url }: WebTarget, { message, secret, now }: SendOrder): Promise<SendResult> {
  const body = JSON.stringify(message.payload);
  return postNotice(url, body, () => {
    const sent = {
      id: noticeId(message.payload.id),
      timestamp: String(Math.floor(now().getTime() / 1_000)),
      body,
    };
    return {
      [WEBHOOK_HEADERS.id]: sent.id,
      [WEBHOOK_HEADERS.timestamp]: sent.timestamp,
      ...(secret !== null && { [WEBHOOK_HEADERS.signature]: signatureOf(sent, secret) }),
    };
  });
}

/** Published as JSON to the root of the server: a title in a header could hold no letters but ASCII. */
function sendNtfy({ url, token }: WebTarget, { message }: SendOrder): Promise<SendResult> {
  const { title, text, urgent } = message;
  const address = new URL(url);
  const topic = decodeURIComponent(address.pathname.replaceAll('/', ''));
  address.pathname = '/';
  const body = JSON.stringify({
    topic,
    title,
    message: text,
    priority: urgent ? HIGH_PRIORITY : USUAL_PRIORITY,
  });
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return postNotice(address.href, body, () => headers);
}

function sendSlack({ url }: WebTarget, { message }: SendOrder): Promise<SendResult> {
  const text = `*${escapeMarkup(message.title)}*\n${escapeMarkup(message.text)}`;
  return postNotice(url, JSON.stringify({ text }));
}

function sendDiscord({ url }: WebTarget, { message: { title, text } }: SendOrder): Promise<SendResult> {
  const plain = (words: string) => words.replace(/[\\*_~`|>[\]]/g, String.raw`\$&`);
  const content = headOf(`**${plain(title)}**\n${plain(text)}`, MAX_DISCORD_CHARS);
  return postNotice(url, JSON.stringify({ content, allowed_mentions: { parse: [] } }));
}
