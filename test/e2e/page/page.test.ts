// @module-tag chromium
/** The page of `dacapo ui` in a real browser: live, answered, safe, smooth and accessible. */
import { outermostOf } from '#law/loop.ts';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { list, text } from '#base/shape.ts';
import { CLI, openPage, startUi, type Ui } from './browser.ts';
import { until } from '../world.ts';
import { seed, type Seeded, type Wanted } from '../../surfaces/page/seed.ts';
import { showcase } from '../../surfaces/page/showcase.ts';

const DEAD = 2 ** 22 - 7;
const ID = 'RALPH_20260101_abc123';

interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly root: string;
  readonly start: (args?: readonly string[]) => Promise<Ui>;
}

function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-page-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(root, 'state');
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, DACAPO_HOME: home };
  return { env, home, root, start: (args) => startUi(root, env, args) };
}

function loopIn({ home, root }: Place, wanted: Partial<Wanted> = {}): Seeded {
  const loop = seed(home, {
    id: ID,
    project: root,
    prompt: 'Fix the parser.',
    checks: ['npm test'],
    costUsd: 5,
    startedAt: Date.now() - 600_000,
    ...wanted,
  });
  onTestFinished(() => loop.open.close());
  return loop;
}

function eventsOf(loop: Seeded): readonly Event[] {
  return loop.open.journal.read(0).events;
}

/** Only the fragment changes, so the page stays. */
async function at(page: Page, place: string): Promise<void> {
  await page.goto(new URL(place, page.url()).href);
}

test('a browser that is started finds the key in a private file, and no program can read it in an argument', async () => {
  const place = makePlace();
  const address = join(place.root, 'address');
  const browser = join(place.root, 'browser');
  // It stays until its file is removed, so that its arguments can be read for as long as the key counts.
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf %s "$1" > ${address}.part && mv ${address}.part ${address}\nwhile [ -e "$0" ]; do sleep 0.1; done\n`,
  );
  chmodSync(browser, 0o700);
  const child = spawn(process.execPath, [CLI, 'ui'], {
    cwd: place.root,
    env: { ...place.env, BROWSER: browser, TMPDIR: place.root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => existsSync(address), 'the browser');
  const started = readFileSync(address, 'utf8');
  const file = fileURLToPath(started);
  const [, key = ''] = /#key=([\w-]{40,})/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(key).not.toBe('');
  const lines = commandLines();
  expect(lines.filter((line) => line.includes(started))).not.toEqual([]);
  expect(lines.filter((line) => line.includes(key))).toEqual([]);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const page = await openPage(started);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/$/);
  await until(() => !existsSync(dirname(file)), 'the file to go');
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('a browser that finds its key used already ends every session, and the terminal has a new link', async () => {
  const place = makePlace();
  const child = spawn(process.execPath, [CLI, 'ui'], {
    cwd: place.root,
    env: { ...place.env, BROWSER: '/bin/true', TMPDIR: place.root },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  const file = () => readdirSync(place.root).find((name) => name.startsWith('dacapo-page-'));
  await until(() => file() !== undefined, 'the private file');
  const path = join(place.root, file() ?? '', 'dacapo.html');
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('</a>'), 'its link');
  const [, link = ''] = /href="([^"]+)"/.exec(readFileSync(path, 'utf8')) ?? [];
  const thief = await openPage(link);
  await thief.getByText('Live', { exact: true }).waitFor();
  const person = await openPage(link);
  await person.getByText('This page needs its link').waitFor();
  await thief.getByText('This page needs its link').waitFor();
  await until(() => /warning: the key .* was used a second time/s.test(told), 'a warning');
  const [, renewed = ''] = /Open this link to continue:\s+(\S+)/.exec(told) ?? [];
  await person.goto('about:blank');
  await person.goto(renewed);
  await person.getByText('Live', { exact: true }).waitFor();
});

/** Of every process that we may look at. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return [];
      }
    });
}

test('the link opens the page, and its key leaves the address at once; a new server needs its own link', async () => {
  const place = makePlace();
  loopIn(place).pass(process.pid);
  const ui = await place.start();
  const page = await openPage(ui.url);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(page.url()).toBe(`${ui.origin}/#/`);
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.reload();
  await page
    .getByRole('link', { name: /Fix the parser/ })
    .first()
    .waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  ui.signal('SIGINT');
  expect(await ui.ended).toBe(0);
  await page.getByText('Offline, trying again').waitFor();
  await place.start(['--port', new URL(ui.origin).port]);
  await page.getByText('This page needs its link').waitFor();
});

test('an iteration shows up by itself, in the list and in the timeline', async () => {
  const place = makePlace();
  const loop = loopIn(place);
  loop.pass(process.pid, { words: 'The first word.' });
  loop.take(process.pid);
  const page = await openPage((await place.start()).url);
  await page
    .getByRole('link', { name: /Fix the parser/ })
    .first()
    .click();
  await page.getByText('The first word.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  for (const words of ['The second word.', 'The third word.']) {
    loop.pass(process.pid, { words, claims: true, failing: { 'npm test': 'red' } });
    await page.getByText(words).waitFor();
  }
  await page.locator('.tile', { hasText: /^Iteration4 of 20/ }).waitFor();
});

test('what the agent says shows up as it happens; a loop that ends while you watch lists nothing twice', async () => {
  const place = makePlace();
  const loop = loopIn(place);
  loop.take(process.pid);
  loop.says('pass-1.jsonl', { type: 'text', text: 'I begin.' });
  const page = await openPage((await place.start()).url);
  await at(page, `#/loop/${ID}/agent`);
  const log = page.getByRole('log');
  await log.getByText('I begin.').waitFor();
  loop.says('pass-1.jsonl', { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } });
  await log.getByText('npm test').waitFor();
  const isOver = page.locator('.loop-head .pill', { hasText: 'Cancelled' });
  const looksAgain = page.waitForResponse(
    async (answer) => answer.url().includes('/agent?') && (await isOver.count()) > 0,
  );
  loop.says('pass-1.jsonl', { type: 'text', text: 'I end.' });
  loop.write({ type: 'cancelled', at: loop.at(), by: 'terminal', prompt: null });
  await (await looksAgain).finished();
  await log.getByText('I end.').waitFor();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  expect(await log.locator('.act').allTextContents()).toEqual([
    'I begin.',
    expect.stringContaining('npm test'),
    'I end.',
  ]);
});

test('a request is approved by a click with a note, by keys alone, and reached by Tab and rejected', async () => {
  const place = makePlace();
  const loops = ['abc123', 'abc124', 'abc125'].map((tail) => loopIn(place, { id: `RALPH_20260101_${tail}` }));
  for (const loop of loops) loop.take(process.pid);
  const [clicked, keyed, tabbed] = loops;
  clicked?.ask();
  const page = await openPage((await place.start()).url);
  await page.getByText('1 request waits for your answer.').waitFor({ state: 'attached' });
  expect(await page.locator('.request-why code').textContent()).toBe('Bash(git push *)');
  await page.getByLabel('A note for the agent').fill('Only this once.');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The loop continues.').waitFor();
  await page.locator('.request').waitFor({ state: 'detached' });
  expect(answersIn(clicked)).toMatchObject([{ answer: 'approved', by: 'page', note: 'Only this once.' }]);

  // The others come while the page is open.
  keyed?.ask();
  await page.locator('.request').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.locator('.request').waitFor({ state: 'detached' });
  expect(answersIn(keyed)).toMatchObject([{ answer: 'approved', by: 'page' }]);

  tabbed?.ask();
  await page.getByLabel('A note for the agent').focus();
  await page.keyboard.type('Not today.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByText('Rejected. The agent will be told.').waitFor();
  expect(answersIn(tabbed)).toMatchObject([{ answer: 'rejected', note: 'Not today.' }]);
});

function answersIn(loop: Seeded | undefined): readonly Event[] {
  return loop === undefined ? [] : eventsOf(loop).filter(({ type }) => type === 'answered');
}

test('what you are asked for is among the gates, and holds only once you have confirmed it', async () => {
  const place = makePlace();
  const loop = loopIn(place, { approve: ['Bash(git push *)', 'starter'], approveDone: true });
  loop.pass(process.pid, {
    words: 'All of `add` is in.',
    claims: true,
    verdict: { is: 'allow', why: 'approval', shells: [], until: null },
  });
  loop.ask('Is the task done?', loop.at(), 3_600_000, 'completion');
  const page = await openPage((await place.start()).url);
  await at(page, `#/loop/${ID}`);
  await page.locator('.tile', { hasText: /^Gates that hold1 of 2/ }).waitFor();
  const gate = page.locator('.gate-list li', { hasText: 'You confirm it' });
  expect(await gate.textContent()).toContain('you are asked when the other gates hold');
  const rules = page.locator('.approves');
  expect(await rules.locator('li').allTextContents()).toEqual(['Bash(git push *)', 'the starter rules']);
  loop.write({
    type: 'answered',
    at: loop.at(),
    id: loop.requestId(),
    answer: 'approved',
    note: '',
    by: 'file',
  });
  loop.pass(process.pid, { words: 'Done.', claims: true, verdict: { is: 'complete' } });
  await page.locator('.tile', { hasText: /^Gates that hold2 of 2/ }).waitFor();
  expect(await gate.textContent()).toContain('approved by');
});

const LINE_PX = 21;

test('each iteration has the words of the agent in one line, a stop is not a claim, and evidence is a click away', async () => {
  const place = makePlace();
  const loop = loopIn(place);
  loop.pass(process.pid, {
    words: `\`add\` is in. ${'mul and neg are missing. '.repeat(20)}`,
    claims: true,
    failing: { 'npm test': 'expected 2, got 3' },
  });
  const page = await openPage((await place.start()).url);
  await at(page, `#/loop/${ID}`);
  await page.getByRole('button', { name: /does not hold.*npm test.*evidence/ }).click();
  const dialog = page.getByRole('dialog', { name: 'stop-1-check-1.txt' });
  await dialog.getByText('expected 2, got 3').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const words = page.locator('.beat-words', { hasText: 'add is in.' }).first();
  await words.waitFor();
  expect(await page.locator('.facts').first().textContent()).toContain('claude-code');
  expect(await words.locator('code').textContent()).toBe('add');
  const lines = async () => ((await words.boundingBox())?.height ?? 0) / LINE_PX;
  expect(Math.round(await lines())).toBe(1);
  expect(await page.locator('.beat', { hasText: 'Iteration 1' }).textContent()).not.toMatch(/claim|stopped/);
  await page.getByRole('button', { name: /Iteration 1/ }).click();
  expect(await lines()).toBeGreaterThan(1.5);
});

test('a cost that is estimated from tokens is called so, in the list, the figures and the timeline', async () => {
  const place = makePlace();
  const loop = loopIn(place);
  loop.pass(process.pid, { estimated: true });
  loop.pass(process.pid, { estimated: true });
  const page = await openPage((await place.start()).url);
  await page.getByText('about $0.24', { exact: true }).first().waitFor();
  await at(page, `#/loop/${ID}/timeline`);
  const cost = page.locator('.tiles > div', { hasText: 'Cost' });
  await cost.getByText('about $0.24').waitFor();
  expect(await cost.textContent()).toContain('about $0.24 of $5.00');
  await page.getByText('about $0.12', { exact: true }).nth(1).waitFor();
});

test('a loop is paused, steered and cancelled', async () => {
  const place = makePlace();
  const loop = loopIn(place);
  loop.take(process.pid);
  const page = await openPage((await place.start()).url);
  await at(page, `#/loop/${ID}`);
  await page.getByLabel('Steer').fill('Leave the lexer alone.');
  // In a run every later agent gets it, too.
  expect(await page.locator('body').innerText()).not.toMatch(/\bonce\b/);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The agent reads this in its next iteration.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. No further iteration begins.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the loop' }).click();
  await page.getByText('Cancelled.', { exact: true }).waitFor();
  expect(eventsOf(loop).slice(-3)).toMatchObject([
    { type: 'steered', by: 'page', words: 'Leave the lexer alone.' },
    { type: 'paused', by: 'page' },
    { type: 'cancelled', by: 'page' },
  ]);
});

const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=2</script><svg/onload=window.hacked=3>
<a href="javascript:window.hacked=4">click</a>\u202Egnp.exe`;

test('HTML and script from an agent are text, wherever they show up', async () => {
  const place = makePlace();
  const loop = loopIn(place, { name: `Task ${HOSTILE}`, prompt: HOSTILE, checks: [`echo '${HOSTILE}'`] });
  loop.pass(process.pid, {
    words: HOSTILE,
    claims: true,
    failing: { [`echo '${HOSTILE}'`]: HOSTILE },
  });
  loop.take(process.pid);
  loop.says(
    'pass-2.jsonl',
    { type: 'text', text: HOSTILE },
    { type: 'tool_use', id: 't', name: HOSTILE, input: { command: HOSTILE } },
  );
  loop.ask();
  const page = await openPage((await place.start()).url);
  await page.getByText('Live', { exact: true }).waitFor();
  for (const tab of ['', '/agent', '/task', '/charts']) {
    await at(page, `#/loop/${ID}${tab}`);
    await page.getByText('<img src=x').first().waitFor();
    if (tab !== '') continue;
    await page.getByRole('button', { name: /Iteration 1/ }).click();
    await page.getByRole('button', { name: 'Evidence', exact: true }).click();
    await page.getByRole('dialog').getByText('window.hacked=2').waitFor();
    await page.keyboard.press('Escape');
  }
  await at(page, '#/');
  await page.getByText('<img src=x').first().waitFor();
  expect(await page.evaluate('"hacked" in window')).toBe(false);
  expect(
    await page.locator('img:not([src="/icon.svg"]), a[href^="javascript"], script:not([src])').count(),
  ).toBe(0);
});

describe('who may come in', () => {
  test('a wrong key shows how to get in, and nothing else', async () => {
    const place = makePlace();
    loopIn(place).pass(process.pid);
    const { origin } = await place.start();
    for (const url of [`${origin}/#key=wrong`, `${origin}/`]) {
      const page = await openPage(url);
      await page.getByText('This page needs its link').waitFor();
      expect(await page.content()).not.toContain('parser');
    }
  });

  test('another site can neither read nor post, in the very browser that has the cookie', async () => {
    const place = makePlace();
    const loop = loopIn(place);
    loop.take(process.pid);
    const ui = await place.start();
    const page = await openPage(ui.url);
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(await otherSite());
    for (const attack of [
      `fetch('${ui.origin}/api/loops', { credentials: 'include' })`,
      `fetch('${ui.origin}/api/loops/${ID}/cancel', { method: 'POST', body: '{}', credentials: 'include', headers: { 'content-type': 'application/json' } })`,
      `fetch('${ui.origin}/api/loops/${ID}/cancel', { method: 'POST', body: '{}', credentials: 'include', mode: 'no-cors' })`,
    ]) {
      const tried = await other.evaluate(`${attack}.then((answer) => answer.type, () => 'refused')`);
      expect(['refused', 'opaque']).toContain(tried);
    }
    await other.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = '${ui.origin}';
      frame.onload = resolve;
      document.body.append(frame);
    })`);
    expect(other.frames().map((frame) => frame.url())).not.toContain(`${ui.origin}/`);
    expect(eventsOf(loop).map(({ type }) => type)).not.toContain('cancelled');
  });
});

function otherSite(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>other</title><body>');
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`);
    });
  });
}

test('keys lead everywhere', async () => {
  const place = makePlace();
  showcase(place.home, join(place.root, 'code'), Date.now());
  const page = await openPage((await place.start()).url);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('tab', { name: 'Timeline' }).waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Agent', selected: true }).waitFor();
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Stats' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'New loop' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('backup');
  await expect.poll(() => page.locator('.side .row').count()).toBe(1);
});

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PLACES = [
  '#/',
  '#/stats',
  '#/new',
  '#/loop/LOOP',
  '#/loop/LOOP/agent',
  '#/loop/LOOP/charts',
  '#/loop/LOOP/task',
  '#/loop/LIST/features',
];

test('axe finds nothing serious, in light and in dark colours', async () => {
  const place = makePlace();
  showcase(place.home, join(place.root, 'code'), Date.now());
  const page = await openPage((await place.start()).url, { reducedMotion: 'reduce' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(AXE);
  const found: string[] = [];
  const look = async (where: string): Promise<void> => {
    await page.emulateMedia({ colorScheme: 'light' });
    found.push(...(await serious(page)).map((words) => `${where}: ${words}`));
    // What is drawn is the same but for its colours.
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await serious(page, 'color-contrast')).map((words) => `${where}, dark: ${words}`));
  };
  for (const where of PLACES) {
    await at(page, where.replace('LOOP', 'RALPH_20261116_9f2c41').replace('LIST', 'RALPH_20261116_27be08'));
    await page.waitForTimeout(300);
    if (where.endsWith('LOOP')) await page.getByRole('button', { name: /Iteration 5/ }).click();
    await look(where);
  }
  await page.keyboard.press('?');
  await look('the keys');
  expect(found).toEqual([]);
});

async function serious(page: Page, rule?: string): Promise<string[]> {
  const only = rule === undefined ? '' : `{ runOnly: [${JSON.stringify(rule)}] }`;
  const found: unknown = await page.evaluate(`axe.run(${only}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
  return list(text)(found) ? [...found] : ['axe said nothing'];
}

test('fits a phone: nothing is wider than the screen, the list is filtered, and no line of facts begins with a dot', async () => {
  const place = makePlace();
  showcase(place.home, join(place.root, 'code'), Date.now());
  const page = await openPage((await place.start()).url, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await page.getByLabel('Live').waitFor();
  for (const where of PLACES) {
    await at(page, where.replace('LOOP', 'RALPH_20261116_9f2c41').replace('LIST', 'RALPH_20261116_27be08'));
    await page.waitForTimeout(200);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect([where, width]).toEqual([where, 360]);
  }
  await at(page, '#/');
  const tops = await Promise.all(
    ['Approve', 'Reject'].map(async (name) => (await page.getByRole('button', { name }).boundingBox())?.y),
  );
  expect(tops[0]).toBe(tops[1]);

  await page.setViewportSize({ width: 390, height: 844 });
  const filter = page.getByRole('searchbox', { name: 'Filter the loops' });
  await filter.waitFor();
  const box = await filter.boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  await filter.tap();
  await filter.fill('no loop is called that');
  await page.locator('.row:visible').first().waitFor({ state: 'detached' });
  await filter.fill('');
  await page.locator('.row:visible').first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  await at(page, '#/loop/RALPH_20261116_9f2c41');
  await page.locator('.facts').waitFor();
  // A dot stays with the fact before it.
  expect(await page.locator('.facts').textContent()).toMatch(/^[^·]+(?:\u00a0· [^·]+)+$/);
});

describe('many', () => {
  /** Counts the nodes that change. Its result: how many since it was last asked. */
  async function watchNodes(page: Page): Promise<() => Promise<number>> {
    await page.evaluate(`{
      window.changedNodes = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes)
          window.changedNodes += Math.max(1, addedNodes.length + removedNodes.length);
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    }`);
    return async () => Number(await page.evaluate('[window.changedNodes, (window.changedNodes = 0)][0]'));
  }

  test('200 loops: an update changes a few nodes, and few are drawn', async () => {
    const place = makePlace();
    const began = Date.now() - 600_000;
    const [first] = Array.from({ length: 200 }, (_, k) => {
      const loop = seed(place.home, {
        id: `RALPH_20260101_${String(k).padStart(6, '0')}`,
        project: place.root,
        prompt: `Task ${k}.`,
        checks: ['npm test'],
        // Not all at once: the minute of each age changes at another moment.
        startedAt: began - k * 7_000,
      });
      loop.pass(k < 40 ? process.pid : DEAD);
      if (k < 40) loop.take(process.pid);
      if (k > 0) loop.close();
      return loop;
    });
    if (first === undefined) throw new Error('no loop');
    onTestFinished(() => first.open.close());
    const page = await openPage((await place.start()).url);
    await page.getByText('Live', { exact: true }).waitFor();
    const changed = await watchNodes(page);
    await update(page, first, '.loop-card', changed);
    const drawn = `[...document.querySelectorAll('.side .row *')].filter((part) =>
      part.checkVisibility({ contentVisibilityAuto: true }) && part.matches('.dot')).length`;
    expect(await page.evaluate(drawn)).toBeLessThan(60);
  });

  test(
    '2,000 iterations: an update changes a few nodes, on the timeline and on the charts',
    { timeout: 120_000 },
    async () => {
      const place = makePlace();
      const loop = loopIn(place, { iterations: null });
      // Far more than may change at once: whatever draws all of them again is found.
      for (let k = 1; k <= 2_000; k++) loop.pass(process.pid, { ms: 100, words: `Word ${k}.` });
      loop.open.keep();
      const page = await openPage((await place.start()).url);
      await page.getByText('Live', { exact: true }).waitFor();
      await at(page, `#/loop/${ID}`);
      await page.getByText('Word 2000.').waitFor();
      const changed = await watchNodes(page);
      await update(page, loop, '.beat', changed);
      expect(await page.locator('.beat').count()).toBeLessThan(300);
      await page.getByRole('button', { name: 'Show older' }).click();
      await page.getByText('Word 1930.').waitFor();
      await page.getByLabel('Go to an iteration').fill('1234');
      await page.keyboard.press('Enter');
      await page.getByText('Word 1234.').waitFor();
      await at(page, `#/loop/${ID}/charts`);
      await page.locator('.plot').first().waitFor();
      await update(page, loop, '.tile', changed);
    },
  );

  /** Five iterations, each seen on the page. Each also moves the times that are in sight. */
  async function update(
    page: Page,
    loop: Seeded,
    place: string,
    changed: () => Promise<number>,
  ): Promise<void> {
    for (let k = 0; k < 5; k++) {
      await changed();
      loop.pass(process.pid, { words: `Update ${k}.` });
      const iteration = outermostOf(loop.open.loop()).passes + 1;
      await page
        .locator(place, { hasText: new RegExp(`Iteration ?${iteration}(?!\\d)`) })
        .first()
        .waitFor();
      expect(await changed()).toBeLessThan(300);
    }
  }
});
