// Debian's Chromium through playwright, and the page of `dacapo ui` in it.
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { isRecord } from '#base/shape.ts';
import { assertTagged } from '../../needs.ts';

export const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let running: Promise<Browser> | null = null;
afterAll(async () => {
  const browser = await running;
  running = null;
  await browser?.close();
});

function browser(): Promise<Browser> {
  assertTagged('chromium');
  const executablePath = process.env['DACAPO_CHROMIUM'] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error('there is no Chromium: npm test -- --all installs it, or set DACAPO_CHROMIUM');
  running ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return running;
}

export interface Ui {
  readonly url: string;
  readonly origin: string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

/** `dacapo ui` as a person starts it. It ends with the test. */
export async function startUi(
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ui> {
  const child = spawn(process.execPath, [CLI, 'ui', '--json', '--no-open', ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`dacapo ui ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const given: unknown = text.includes('}') ? JSON.parse(text) : null;
      if (isRecord(given) && typeof given['url'] === 'string') resolve(given['url']);
    });
  });
  return { url, origin: new URL(url).origin, signal: (name) => void child.kill(name), ended };
}

/** A fresh browser profile at the page. An error of the page fails the test. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const errors: string[] = [];
  onTestFinished(async () => {
    await context.close();
    if (errors.length > 0) throw new Error(`the page has errors:\n${errors.join('\n')}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) errors.push(message.text());
  });
  await page.goto(url);
  return page;
}
