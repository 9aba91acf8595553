/** What each web service wants to be sent. */
import type { WebTarget } from '../../flags/notify-target.ts';
import { headOf } from '../../core/words/sanitize.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER, signatureOf } from '../signature.ts';
import type { Message } from '../message.ts';
import { escapeMarkup, type Sending, type Sent } from './channel.ts';
import { post } from './web.ts';

/** A message of Discord has at most 2,000 characters. */
const DISCORD = 1_900;
/** The priorities of ntfy go from 1 to 5. A higher one also sounds when a phone is silent. */
const USUAL = 3;
const HIGH = 4;

/** The timestamp is new for each attempt, so a message that was held back is not refused as old. */
export function sendWebhook({ url }: WebTarget, { message, secret, now }: Sending): Promise<Sent> {
  const body = JSON.stringify(message.payload);
  return post({ url, body }, () => {
    const timestamp = String(Math.floor(now().getTime() / 1_000));
    const signed = secret === null ? {} : { [SIGNATURE_HEADER]: signatureOf(timestamp, body, secret) };
    return { [TIMESTAMP_HEADER]: timestamp, ...signed };
  });
}

/** Published as JSON to the root of the server: a title in a header could hold no letters but ASCII. */
export function sendNtfy({ url, token }: WebTarget, { message }: Sending): Promise<Sent> {
  const { title, text, urgent } = message;
  const address = new URL(url);
  const topic = decodeURIComponent(address.pathname.replaceAll('/', ''));
  address.pathname = '/';
  const body = JSON.stringify({ topic, title, message: text, priority: urgent ? HIGH : USUAL });
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return post({ url: address.href, body }, () => headers);
}

export function sendSlack({ url }: WebTarget, { message }: Sending): Promise<Sent> {
  const text = `*${escapeMarkup(message.title)}*\n${escapeMarkup(message.text)}`;
  return post({ url, body: JSON.stringify({ text }) }, () => ({}));
}

export function sendDiscord({ url }: WebTarget, { message }: Sending): Promise<Sent> {
  const content = headOf(discordText(message), DISCORD);
  return post({ url, body: JSON.stringify({ content, allowed_mentions: { parse: [] } }) }, () => ({}));
}

function discordText({ title, text }: Message): string {
  return `**${discordPlain(title)}**\n${discordPlain(text)}`;
}

function discordPlain(text: string): string {
  return text.replace(/[\\*_~`|>[\]]/g, String.raw`\$&`);
}
