/** One attempt to send a message to a target, whatever its kind. */
import type { Target } from '../../flags/notify-target.ts';
import type { Sending, Sent } from './channel.ts';
import { sendCommand } from './command.ts';
import { sendDesktop } from './desktop.ts';
import { sendDiscord, sendNtfy, sendSlack, sendWebhook } from './services.ts';

export async function send(target: Target, sending: Sending): Promise<Sent> {
  switch (target.kind) {
    case 'desktop':
      return sendDesktop(sending);
    case 'webhook':
      return sendWebhook(target, sending);
    case 'ntfy':
      return sendNtfy(target, sending);
    case 'slack':
      return sendSlack(target, sending);
    case 'discord':
      return sendDiscord(target, sending);
    case 'command':
      return sendCommand(target, sending);
  }
}
