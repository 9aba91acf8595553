/**
 * Leads the person's browser to the page, without a shell. Everybody on the machine can read the arguments of
 * a process, so the browser gets the path of a private file, and the file has the link with the key.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attempt } from '#base/shape.ts';
import { makeScratch, PAGE_FILE } from '#base/files/scratch.ts';

/** `BROWSER`, where it is set, names the program that the person wants. */
export function openerOf(address: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv) {
  const own = env['BROWSER']?.trim();
  if (own && platform !== 'win32') return ownOpener(own, address);
  if (platform === 'darwin') return { program: 'open', args: [address] };
  // `start` would need a shell, which reads `&` and `%` in an address.
  if (platform === 'win32')
    return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] };
  return { program: 'xdg-open', args: [address] };
}

/**
 * As other programs read it: commands with a colon between them, of which we take the first; `%s` is the
 * address.
 */
function ownOpener(own: string, address: string) {
  if (existsSync(own)) return { program: own, args: [address] };
  const [program = own, ...args] = (own.split(':')[0] ?? own).trim().split(/\s+/);
  const isNamed = args.some((word) => word.includes('%s'));
  return {
    program,
    args: isNamed ? args.map((word) => word.replaceAll('%s', () => address)) : [...args, address],
  };
}

/** False: there is no such program. The person then opens the link, which is printed anyway. */
export function openBrowser({ program, args }: ReturnType<typeof openerOf>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/**
 * A page that leads to the link, in a folder that only this user can enter. Its own address has no secret.
 */
export function makeLeadingPage(link: (used: () => void) => string, parent = pageParent()) {
  const folder = attempt(() => makeScratch('page', parent), null) ?? makeScratch('page');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, PAGE_FILE);
  const url = link(remove);
  const html = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Da Capo</title>
<a href="${url}">Da Capo</a>
`;
  writeFileSync(path, html, { mode: 0o600 });
  return { address: pathToFileURL(path).href, remove };
}

const SNAPS = ['/snap/bin', '/var/lib/snapd/snap/bin'];

/**
 * A browser that is a snap has a /tmp of its own, and of the home folder it sees what has no dot in front.
 */
export function pageParent(hasSnaps = SNAPS.some((folder) => existsSync(folder))): string {
  return hasSnaps ? homedir() : tmpdir();
}
