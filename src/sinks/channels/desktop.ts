/** Shows a message on the desktop, with the program that each system has for that. */
import type { Message } from '../message.ts';
import { escapeMarkup, type Sending, type Sent } from './channel.ts';
import { runProgram, type ChannelProgram } from './run-program.ts';

const TIMEOUT_MS = 15_000;

/** The first program that is there shows it. */
export async function sendDesktop({ message, env, platform }: Sending): Promise<Sent> {
  const programs = desktopPrograms(message, platform, env);
  for (const program of programs) {
    const ran = await runProgram(program, { env, timeoutMs: TIMEOUT_MS });
    if (ran.is === 'ended' && ran.exit === 0) return { ok: true, detail: program.command };
    if (ran.is === 'missing') continue;
    const detail =
      ran.is === 'ended' ? `failed with exit code ${ran.exit}${ran.says && `: ${ran.says}`}` : 'hung';
    return { ok: false, detail: `${program.command} ${detail}`, again: false };
  }
  const names = programs.map(({ command }) => command).join(', ');
  return { ok: false, detail: `${names} is not installed`, again: false };
}

/** The words reach the program as arguments or variables, never as a part of a script. */
export function desktopPrograms(message: Message, platform: string, env: Sending['env']): ChannelProgram[] {
  const { title, text } = message;
  if (platform === 'darwin') return [{ command: 'osascript', args: [...APPLESCRIPT, title, text] }];
  if (platform === 'win32') return [powershell(message, {})];
  const urgency = message.urgent ? 'critical' : 'normal';
  const own = {
    command: 'notify-send',
    args: ['--app-name=Da Capo', `--urgency=${urgency}`, '--', title, escapeMarkup(text)],
  };
  // Windows shows what happens inside its Linux. Variables have to be named to get across.
  return env['WSL_DISTRO_NAME'] ? [own, powershell(message, { WSLENV: wslenv(env) })] : [own];
}

const APPLESCRIPT = [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  '-e',
  'end run',
  '--',
];

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

function powershell({ title, text }: Message, more: Record<string, string>): ChannelProgram {
  return {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', TOAST],
    env: { DACAPO_TITLE: title, DACAPO_TEXT: text, ...more },
  };
}

function wslenv(env: Sending['env']): string {
  return [env['WSLENV'], 'DACAPO_TITLE', 'DACAPO_TEXT'].filter(Boolean).join(':');
}
