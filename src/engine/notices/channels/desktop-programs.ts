/** The programs that show a message on the desktop: one for each system. */
import { programOnPath } from '#base/files/paths.ts';
import type { Message, SendOrder } from '../message.ts';
import type { ChannelProgram } from './run-program.ts';

export function whyNoDesktop(platform: string, env: SendOrder['env']): string | null {
  const programs = desktopPrograms({ title: '', text: '', urgent: false }, platform, env);
  const isThere = programs.some(({ command }) => programOnPath(command, env) !== null);
  return isThere ? null : sayNotInstalled(programs);
}

export function sayNotInstalled(programs: readonly ChannelProgram[]): string {
  return `${programs.map(({ command }) => command).join(', ')} is not installed`;
}

type MessageWords = Pick<Message, 'title' | 'text' | 'urgent'>;

/** The words reach the program as arguments or variables, never as a part of a script. */
export function desktopPrograms(
  message: MessageWords,
  platform: string,
  env: SendOrder['env'],
): ChannelProgram[] {
  const { title, text } = message;
  if (platform === 'darwin') return [{ command: 'osascript', args: [...APPLESCRIPT, '--', title, text] }];
  if (platform === 'win32') return [powershell(message)];
  const urgency = message.urgent ? 'critical' : 'normal';
  const own = {
    command: 'notify-send',
    args: ['--app-name=Da Capo', `--urgency=${urgency}`, '--', title, escapeMarkup(text)],
  };
  // Windows shows what happens inside its Linux. Variables have to be named to get across.
  const WSLENV = [env['WSLENV'], 'DACAPO_TITLE', 'DACAPO_TEXT'].filter(Boolean).join(':');
  return env['WSL_DISTRO_NAME'] ? [own, powershell(message, { WSLENV })] : [own];
}

const APPLESCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
].flatMap((line) => ['-e', line]);

/** A toast needs the id of an application that is installed, and PowerShell is one. */
const TOAST = `
$ErrorActionPreference = 'Stop'
[Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime] | Out-Null
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $xml.GetElementsByTagName('text')
$texts.Item(0).AppendChild($xml.CreateTextNode($env:DACAPO_TITLE)) | Out-Null
$texts.Item(1).AppendChild($xml.CreateTextNode($env:DACAPO_TEXT)) | Out-Null
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id).Show([Windows.UI.Notifications.ToastNotification]::new($xml))
`;

function powershell({ title, text }: MessageWords, more: Record<string, string> = {}): ChannelProgram {
  return {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', TOAST],
    env: { DACAPO_TITLE: title, DACAPO_TEXT: text, ...more },
  };
}

/**
 * A text can't begin markup: neither a link nor a mention in a chat, nor what makes a notification disappear.
 */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
