// Takes the screenshots of the page for docs/: light, dark and narrow. It seeds a state folder of its own,
// serves the page from it, and leaves nothing behind. It needs chromium.
//
//   node scripts/docs/screenshots.mjs [--all] [FOLDER]     --all: every view, to look at while you change one

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { root } from '../root.mjs';

const { values: flags, positionals } = parseArgs({
  options: { all: { type: 'boolean' } },
  allowPositionals: true,
});
const out = positionals[0] ?? join(root, 'docs/screenshots');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

const scratch = mkdtempSync(join(tmpdir(), 'dacapo-shots-'));
const home = join(scratch, 'state');
try {
  await seedLoops();
  mkdirSync(out, { recursive: true });
  await withServer(takeAll);
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function seedLoops() {
  const file = join(scratch, 'showcase.mjs');
  await build({
    entryPoints: [join(root, 'test/surfaces/page/showcase.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  const { showcase } = await import(pathToFileURL(file).href);
  showcase(home, join(scratch, 'code'), Date.now());
}

async function withServer(use) {
  const server = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'ui', '--json', '--no-open'], {
    cwd: scratch,
    env: { PATH: process.env.PATH, HOME: scratch, DACAPO_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await use(await urlOf(server));
  } finally {
    server.kill('SIGINT');
  }
}

function urlOf(server) {
  let text = '';
  return new Promise((resolve, reject) => {
    server.on('exit', (code) => reject(new Error(`dacapo ui ended with ${code}`)));
    server.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('}')) resolve(JSON.parse(text).url);
    });
  });
}

async function takeAll(url) {
  const browser = await chromium.launch({
    executablePath: process.env.DACAPO_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--font-render-hinting=none'],
  });
  try {
    const parser = '#/loop/RALPH_20261116_9f2c41';
    const shop = '#/loop/RALPH_20261116_27be08';
    const views = {
      overview: '#/',
      loop: parser,
      agent: `${parser}/agent`,
      charts: `${shop}/charts`,
      features: `${shop}/features`,
      stats: '#/stats',
      new: '#/new',
      task: `${parser}/task`,
    };
    const kept = [
      [WIDE, 'light', ['overview', 'charts']],
      [WIDE, 'dark', ['loop']],
      [NARROW, 'light', ['overview']],
    ];
    const every = [WIDE, NARROW].flatMap((size) =>
      ['light', 'dark'].map((colours) => [size, colours, Object.keys(views)]),
    );
    for (const [size, colours, names] of flags.all ? every : kept)
      await takeScreenshot(
        browser,
        url,
        size,
        colours,
        names.map((name) => [name, views[name]]),
      );
  } finally {
    await browser.close();
  }
}

async function takeScreenshot(browser, url, viewport, colours, pages) {
  const context = await browser.newContext({
    viewport,
    colorScheme: colours,
    deviceScaleFactor: 1,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') console.error(`page: ${message.text()}`);
  });
  page.on('pageerror', (error) => console.error(`page: ${error.stack}`));
  await page.goto(url);
  await page.locator('.tiles').waitFor();
  for (const [name, place] of pages) {
    await page.evaluate((hash) => (location.hash = hash), place);
    await page.waitForTimeout(400);
    const beat = page.locator('.beat-open').nth(1);
    if (name === 'loop') {
      await beat.click();
      await page.mouse.move(0, 0);
      await page.evaluate('document.activeElement?.blur()');
    }
    await page.waitForTimeout(200);
    const size = viewport === NARROW ? (colours === 'light' ? 'narrow' : 'narrow-dark') : colours;
    await page.screenshot({ path: join(out, `${name}-${size}.png`) });
  }
  await context.close();
}
