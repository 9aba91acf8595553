/**
 * Loops that the page starts: the server makes them, and a process of its own drives each. The host is a
 * stand-in.
 */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { hasEnded, type Loop } from '#law/loop.ts';
import { isAlive } from '#store/runtime.ts';
import type { ActionDone } from '#surfaces/page/wire.ts';
import { makeHome, servedIn, type Place } from './served.ts';

const HOST = resolve(import.meta.dirname, '../cli/host.mjs');
const FORM = { flags: {}, worktree: false, commit: false };
const WAIT = { timeout: 15_000, interval: 50 };

async function withHost(options: { readonly cli?: string } = {}): Promise<Place> {
  const place = makeHome();
  const claude = join(place.project, 'claude');
  writeFileSync(claude, `#!/bin/sh\nexec "${process.execPath}" "${HOST}" claude "$@"\n`);
  chmodSync(claude, 0o755);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: place.project,
    DACAPO_CLAUDE: claude,
    CLAUDE_SAYS: '<promise>COMPLETE</promise>',
  };
  return servedIn(place, { ...options, env });
}

const loopsOf = ({ runtime }: Place): Loop[] => runtime.store.loops().flatMap(({ loop }) => loop ?? []);

async function untilDriven(place: Place): Promise<void> {
  await vi.waitFor(() => {
    for (const loop of loopsOf(place)) {
      expect(hasEnded(loop)).toBe(true);
      expect(isAlive(loop.session.owner?.process ?? 0)).toBe(false);
    }
  }, WAIT);
}

test('two starts at once are each shown their own loop, and both run to the end', async () => {
  const place = await withHost();
  const start = async (prompt: string): Promise<ActionDone> => {
    const { status, text } = await place.post('/api/loops', { ...FORM, project: place.project, prompt });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text);
  };
  const [first, second] = await Promise.all([start('Write a poem.'), start('Fix the parser.')]);
  expect([first.card?.task, second.card?.task]).toEqual(['Write a poem.', 'Fix the parser.']);
  expect(first.card?.id).not.toBe(second.card?.id);
  await untilDriven(place);
  expect(loopsOf(place).map(({ status }) => status.is)).toEqual(['completed', 'completed']);
});

test('a start that is refused says why, as the operation does', async () => {
  const place = await withHost();
  const flags = { '--check': 'no-such-program --all' };
  const { status, text } = await place.post('/api/loops', {
    ...FORM,
    project: place.project,
    prompt: 'Fix.',
    flags,
  });
  expect(status).toBe(409);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'no-program' } });
  expect(loopsOf(place)).toEqual([]);
});

test('a process that ends before it drives the loop is said, with what shows the cause', async () => {
  const broken = join(makeHome().project, 'cli.cjs');
  writeFileSync(broken, 'process.exit(9)');
  const place = await withHost({ cli: broken });
  const { status, text } = await place.post('/api/loops', {
    ...FORM,
    project: place.project,
    prompt: 'Fix.',
  });
  const [loop] = loopsOf(place);
  expect(status).toBe(409);
  const next = `dacapo run --loop ${loop?.id} in a terminal shows why.`;
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'not-driven', next } });
});

test('a start whose checks still run ends with the server, and makes no loop', async () => {
  const place = await withHost();
  const flags = { '--check': 'touch begun; sleep 60' };
  const body = { ...FORM, project: place.project, prompt: 'Fix.', flags };
  const answered = place.post('/api/loops', body).catch(() => null);
  await vi.waitFor(() => expect(existsSync(join(place.project, 'begun'))).toBe(true), WAIT);
  await place.served.close();
  await answered;
  expect(loopsOf(place)).toEqual([]);
});
