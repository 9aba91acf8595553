// @module-tag tmux
// @module-tag chromium
// @module-tag postgres
/**
 * A fleet on the screens of one machine: the page of `dacapo ui --fleet` in a browser, `dacapo watch --fleet`
 * in tmux.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, openPage, startUi, type Ui } from '../page/browser.ts';
import type { Sandbox } from '../sandbox.ts';
import { openScreen } from '../screen/screen.ts';
import { hasEnded, openStage, type Stage } from '../../fleet/stage.ts';
import { PASS_HEADER, type Overview } from '#surfaces/page/wire.ts';

/** A loop at work until the gate is there, that then asks whether it is done. */
async function atWork(): Promise<{ stage: Stage; id: string; open: () => void }> {
  const stage = await openStage();
  const gate = join(stage.root, 'gate');
  const id = await stage.submit(
    `Write the page.\nsays: I am at it.\ndo: while ! test -e ${gate}; do sleep 0.1; done; echo x >> x.txt`,
    '--check',
    'echo looking at x; test -e x.txt',
    '--approve-done',
    '--account',
    'team',
  );
  return { stage, id, open: () => writeFileSync(gate, '') };
}

/** What the page does, without the page. */
async function client({ url, origin }: Ui) {
  const key = new URL(url).hash.replace('#key=', '');
  const json = { origin, 'content-type': 'application/json' };
  const session = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ key }),
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { pass } = (await session.json()) as { pass: string };
  return {
    loops: async () =>
      (await (await fetch(`${origin}/api/loops`, { headers: { cookie } })).json()) as Overview,
    post: (path: string, body: object = {}) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { ...json, cookie, [PASS_HEADER]: pass },
        body: JSON.stringify(body),
      }),
  };
}

test('the page shows the loops of a fleet, and what a person does there is in its record', async () => {
  const { stage, id, open } = await atWork();
  const ui = await startUi(join(stage.root, 'work'), stage.env, ['--fleet']);
  const page = await openPage(ui.url);
  await page.getByText('on no worker, account team').first().waitFor();
  await page.locator(`[data-loop="${id}"]`).first().click();
  await stage.worker('w1');
  await page.getByText('On w1, account team').first().waitFor();
  await page.getByRole('tab', { name: 'Agent' }).click();
  await page.getByText('I am at it.').first().waitFor();
  const shot = process.env['DACAPO_SHOTS'];
  if (shot !== undefined) await page.screenshot({ path: join(shot, 'fleet.png') });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. No further iteration begins.').waitFor();
  expect(await stage.status(id)).toMatchObject({ status: 'paused', worker: null });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Resumed. The next free worker takes it.').waitFor();
  await stage.until(id, ({ worker }) => worker === 'w1');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByLabel('Steer').fill('Mind the margins.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The agent reads this in its next iteration.').waitFor();
  open();
  await page
    .getByRole('button', { name: /^(Confirm|Approve)/ })
    .first()
    .click();
  const loop = await stage.until(id, hasEnded);
  expect(loop.status).toBe('completed');
  const events = await stage.logs(id);
  expect(events.find(({ type }) => type === 'answered')).toMatchObject({ by: 'page', answer: 'approved' });
  expect(events.find(({ type }) => type === 'steered')).toMatchObject({
    by: 'page',
    words: 'Mind the margins.',
  });
});

test('the first answer wins, and a later one is told so', async () => {
  const { stage, id, open } = await atWork();
  open();
  await stage.worker('w1');
  const { requests } = await stage.until(id, (loop) => loop.requests.length > 0);
  const request = requests[0]?.id ?? '';
  const { post, loops } = await client(await startUi(join(stage.root, 'work'), stage.env, ['--fleet']));
  expect(await loops()).toMatchObject({
    fleet: expect.stringMatching(/^postgres:\/\/fleet@127\.0\.0\.1:\d+\/t_/),
    projects: [],
    loops: [{ id, status: 'waiting', tone: 'needs-you', requests: [{ id: request }] }],
  });
  await stage.fleet('answer', request, '--reject', '--note', 'Not yet.');
  const late = await post(`/api/loops/${id}/requests/${request}/approve`);
  expect(late.status).toBe(409);
  expect(await late.text()).toContain('rejected');
  expect((await stage.logs(id)).filter(({ type }) => type === 'answered')).toHaveLength(1);
  expect(await (await post('/api/loops', { prompt: 'x' })).text()).toContain('dacapo fleet submit');
  expect((await post(`/api/loops/${id}/cancel`)).status).toBe(200);
  expect(await stage.status(id)).toMatchObject({ status: 'cancelled' });
  expect((await loops()).loops).toMatchObject([{ id, status: 'cancelled' }]);
});

test('watch shows a fleet in a terminal, and its keys steer it', async () => {
  const { stage, id } = await atWork();
  const sandbox = { root: stage.root, env: stage.env, project: join(stage.root, 'work') } as Sandbox;
  const screen = await openScreen(sandbox, [], {
    program: [process.execPath, CLI, 'watch', '--fleet', id],
    ready: false,
    size: [160, 50],
  });
  onTestFinished(() => screen.kill());
  await stage.worker('w1');
  await screen.waitFor(/on w1|iteration 1/);
  await screen.press('Escape');
  await screen.waitFor(/the fleet[^]*on w1, account team[^]*I am at it\./);
  await screen.press('p');
  await screen.waitFor(new RegExp(`${id} is paused`));
  expect(await stage.status(id)).toMatchObject({ status: 'paused' });
  await screen.press('r');
  await screen.waitFor(/it continues, on any worker/);
  await stage.until(id, ({ worker }) => worker === 'w1');
});
