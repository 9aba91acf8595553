/** Opens a link in the person's browser, without a shell. */
import { spawn } from 'node:child_process';

interface Opener {
  readonly program: string;
  readonly args: readonly string[];
}

/** `BROWSER`, where it is set, names the program that the person wants. */
export function openerOf(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Opener {
  const own = env['BROWSER'];
  if (own !== undefined && own !== '' && platform !== 'win32') return { program: own, args: [url] };
  if (platform === 'darwin') return { program: 'open', args: [url] };
  // `start` would need a shell, which reads `&` and `%` in a link.
  if (platform === 'win32') return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url] };
  return { program: 'xdg-open', args: [url] };
}

/** False: there is no such program. The person then opens the link, which is printed anyway. */
export function openBrowser({ program, args }: Opener): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
