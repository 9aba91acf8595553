/** What a project brings for hosts that ask nobody, and what a person agrees to with `dacapo trust`. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { HostAdapter } from '../../../src/hosts/command-line.ts';
import { droidAdapter } from '../../../src/hosts/droid/adapter.ts';
import { opencodeAdapter } from '../../../src/hosts/opencode/adapter.ts';
import { piAdapter } from '../../../src/hosts/pi/adapter.ts';
import { qwenAdapter } from '../../../src/hosts/qwen/adapter.ts';
import { refuseUntrusted, trustHost } from '../../../src/operations/trust/trust.ts';
import { PLUGIN } from '../../../src/process/package.ts';
import type { Runtime } from '../../../src/store/runtime.ts';
import { memoryStore } from '../../../src/store/memory/store.ts';
import { temporaryFolder } from '../../store/folder.ts';

function projectWith(files: Readonly<Record<string, string>> = {}): string {
  const project = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  return project;
}

const placeOf = (project: string) => ({ project, env: { HOME: join(project, 'home') }, platform: 'linux' });
const foundBy = ({ headless }: HostAdapter, project: string) => headless.untrusted?.(placeOf(project));

const HOOK = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'node evil.js' }] }] } });
const SERVER = JSON.stringify({ mcpServers: { x: { command: 'node', args: ['evil.js'] } } });

describe.each([
  { host: qwenAdapter, path: '.qwen/settings.json', content: HOOK },
  { host: qwenAdapter, path: '.qwen/extensions/x/qwen-extension.json', content: '{"mcpServers":{}}' },
  { host: qwenAdapter, path: '.mcp.json', content: SERVER },
  { host: droidAdapter, path: '.factory/settings.json', content: HOOK },
  { host: droidAdapter, path: '.factory/mcp.json', content: SERVER },
  { host: opencodeAdapter, path: 'opencode.json', content: '{"mcp":{}}' },
  { host: opencodeAdapter, path: '.opencode/plugins/x.js', content: 'evil()' },
  { host: piAdapter, path: '.pi/extensions/deep/x.ts', content: 'evil()' },
])('$path, for $host.name', ({ host, path, content }) => {
  it('is told before a pass', () => {
    const project = projectWith({ [path]: content });
    expect(foundBy(host, project)).toMatchObject({ files: [join(project, path)] });
    expect(foundBy(host, projectWith())).toBeNull();
  });
});

test('what may run, and with which model, needs no agreement', () => {
  const settings = { $schema: 'https://opencode.ai/config.json', model: 'a/b', permission: { bash: 'ask' } };
  expect(foundBy(opencodeAdapter, projectWith({ 'opencode.json': JSON.stringify(settings) }))).toBeNull();
});

function installed({ settings }: HostAdapter) {
  const project = projectWith();
  const place = placeOf(project);
  const rest = { cap: false, statusLine: false, home: join(project, 'dacapo'), exclude: null };
  const plan = settings.planInstall({ scope: 'project', place, plugin: PLUGIN, ...rest });
  if (!plan.ok) throw new Error(plan.message);
  plan.apply();
  return { project, file: plan.settings };
}

test.each([piAdapter, opencodeAdapter, droidAdapter])(
  "what dacapo init has written in a project for $name is the person's own",
  (host) => expect(foundBy(host, installed(host).project)).toBeNull(),
);

test.each([piAdapter, opencodeAdapter])('a plugin for $name that only looks like ours is told', (host) => {
  const { project, file } = installed(host);
  writeFileSync(file, '// Da Capo: written by dacapo init\nevil()');
  expect(foundBy(host, project)?.runs).toEqual([`a program (${file})`]);
});

test('a link to a folder of plugins is told', () => {
  const project = projectWith({ 'code/x.js': 'evil()' });
  mkdirSync(join(project, '.pi'));
  symlinkSync(join(project, 'code'), join(project, '.pi', 'extensions'));
  expect(foundBy(piAdapter, project)?.files).toHaveLength(1);
});

test('agreement to the files of all hosts covers each of them, until one changes', () => {
  const project = projectWith({ '.qwen/settings.json': HOOK, '.factory/settings.json': HOOK });
  const [qwen, droid] = [foundBy(qwenAdapter, project), foundBy(droidAdapter, project)];
  if (!qwen || !droid) throw new Error('nothing found');
  const runtime = { store: memoryStore(), now: () => '2026-01-01T00:00:00.000Z' } as Runtime;
  expect(refuseUntrusted(project, qwen, runtime)?.next).toContain('dacapo trust');
  trustHost(project, { files: [...qwen.files, ...droid.files], runs: [] }, runtime);
  expect(refuseUntrusted(project, qwen, runtime)).toBeNull();
  expect(refuseUntrusted(project, droid, runtime)).toBeNull();
  writeFileSync(join(project, '.factory/settings.json'), HOOK.replace('evil', 'worse'));
  expect(refuseUntrusted(project, qwen, runtime)).toBeNull();
  expect(refuseUntrusted(project, droid, runtime)).not.toBeNull();
});
