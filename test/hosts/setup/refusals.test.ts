/** What `dacapo init` does not touch: it says why, and what to do. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { geminiAdapter } from '#hosts/gemini/adapter.ts';
import { piAdapter } from '#hosts/pi/adapter.ts';
import { PLUGIN } from '#base/process/package.ts';
import { temporaryFolder } from '../../store/folder.ts';

function install({ settings }: HostAdapter, path: string, content: string) {
  const home = temporaryFolder();
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const place = { project: join(home, 'project'), env: { HOME: home }, platform: 'linux' };
  const rest = { guard: false, cap: false, statusLine: false, home: join(home, 'dacapo'), exclude: null };
  const plan = settings.planInstall({ scope: 'user', place, plugin: PLUGIN, ...rest });
  expect(readFileSync(file, 'utf8')).toBe(content);
  return plan;
}

it('a plugin of the person under our name', () => {
  expect(install(piAdapter, '.pi/agent/extensions/dacapo.js', 'export default () => {};')).toMatchObject({
    ok: false,
    message: expect.stringContaining('is a file of your own, so it was not touched.'),
    next: 'Move it away, then try again.',
  });
});

it('settings with comments, which the host reads and we would lose', () => {
  const plan = install(geminiAdapter, '.gemini/settings.json', '{\n  // mine\n  "a": 1\n}');
  expect(plan).toMatchObject({ ok: false, next: expect.stringContaining('Take its comments out') });
  expect(install(geminiAdapter, '.gemini/settings.json', '{ bad')).toMatchObject({
    next: 'Fix it (Gemini CLI ignores it as it is), then try again.',
  });
});
