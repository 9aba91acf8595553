/**
 * What Gemini CLI and Qwen Code share: permissions without a person, the guard, and what a project brings
 * along.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostAdapter, SettingsOrder } from '#hosts/port/command-line.ts';
import { geminiAdapter } from '#hosts/gemini/adapter.ts';
import { qwenAdapter } from '#hosts/qwen/adapter.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { PASS } from '../headless-conformance.ts';

function placeWith(files: Readonly<Record<string, object>> = {}) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
  }
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  return { root, project, env: { HOME: home }, platform: 'linux' };
}

function orderIn(place: ReturnType<typeof placeWith>, cap = true): SettingsOrder {
  const plugin = join(place.root, 'plugin');
  const home = join(place.root, 'dacapo');
  return { scope: 'user', place, plugin, cap, statusLine: false, home, exclude: null };
}

function install({ settings }: HostAdapter, order: SettingsOrder): void {
  const plan = settings.planInstall(order);
  if (plan.ok) plan.apply();
}

describe.each([
  {
    host: geminiAdapter,
    folder: '.gemini',
    edits: 'auto_edit',
    group: { general: { defaultApprovalMode: 'yolo' } },
  },
  { host: qwenAdapter, folder: '.qwen', edits: 'auto-edit', group: { tools: { approvalMode: 'yolo' } } },
])('$host.title', ({ host, folder, edits, group }) => {
  const { headless, settings } = host;
  const findings = (place: ReturnType<typeof placeWith>, pass = {}) =>
    headless
      .preflight({ ...place, program: '/nowhere/program', uid: 1000, pass: { ...PASS, ...pass } })
      .map(({ id, level }) => `${id} ${level}`);

  it('may edit in a pass, unless the person has chosen a mode', () => {
    expect(headless.unattendedMode(placeWith())).toBe(edits);
    expect(headless.unattendedMode(placeWith({ [`home/${folder}/settings.json`]: group }))).toBeNull();
  });

  it('warns of a pass that can run no command, and of one without a guard', () => {
    const place = placeWith();
    expect(findings(place)).toEqual(expect.arrayContaining(['permissions warning', 'guard warning']));
    expect(findings(place, { permissionMode: 'yolo' })).toContain('permissions ok');
    expect(findings(place, { allowedTools: [host.tool] })).toContain('permissions ok');
    expect(settings.silencedBy?.(place)).toHaveLength(1);
    const [none] = settings.registrationFindings(place);
    expect(none?.says).toMatch(/^No hook is registered for .*\. dacapo init --host \w+ adds it$/);
    install(host, orderIn(place));
    expect(findings(place)).not.toContain('guard warning');
    expect(settings.silencedBy?.(place)).toEqual([]);
  });

  it('takes back exactly what it added, also from a file that was edited since', () => {
    const place = placeWith({ [`home/${folder}/settings.json`]: group });
    const file = join(place.env.HOME, folder, 'settings.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    install(host, orderIn(place));
    expect(Object.keys(read())).toContain('hooks');
    writeFileSync(file, JSON.stringify({ ...read(), theme: 'dark' }));
    const plan = settings.planUninstall(orderIn(place));
    if (plan.ok) plan.apply();
    expect(read()).toEqual({ ...group, theme: 'dark' });
  });

  it('registers times in milliseconds, and the guard for passes of a run as well', () => {
    const place = placeWith();
    install(host, orderIn(place));
    const text = readFileSync(join(place.env.HOME, folder, 'settings.json'), 'utf8');
    const times = Array.from(text.matchAll(/"timeout": (\d+)/g), ([, time]) => Number(time));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1_000);
    expect(text.match(/hook\.cjs'? guard"/g)).toHaveLength(1);
  });
});

describe('the cap of Qwen Code', () => {
  const capAfter = (before: object, cap: boolean) => {
    const place = placeWith({ 'home/.qwen/settings.json': before });
    install(qwenAdapter, orderIn(place, cap));
    const text = readFileSync(join(place.env.HOME, '.qwen', 'settings.json'), 'utf8');
    return (JSON.parse(text) as { stopHookBlockingCap?: number }).stopHookBlockingCap;
  };

  it('is raised by init, and never against the person', () => {
    expect(capAfter({}, true)).toBe(100);
    expect(capAfter({}, false)).toBeUndefined();
    expect(capAfter({ stopHookBlockingCap: 5 }, true)).toBe(5);
  });
});

describe.each([
  { host: qwenAdapter, folder: '.qwen' },
  { host: geminiAdapter, folder: '.gemini' },
])('a project with settings in $folder', ({ host, folder }) => {
  const untrusted = (place: ReturnType<typeof placeWith>) => host.headless.untrusted?.(place);

  it('is not trusted before the person has agreed to this folder, whatever the host trusts elsewhere', () => {
    const place = placeWith({ [`project/${folder}/settings.json`]: { mcpServers: { x: {} } } });
    const list = (folders: object) => {
      mkdirSync(join(place.env.HOME, folder), { recursive: true });
      writeFileSync(join(place.env.HOME, folder, 'trustedFolders.json'), JSON.stringify(folders));
    };
    const everywhere = { ...place, env: { ...place.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    expect(untrusted(everywhere)?.runs).toEqual([expect.stringContaining('the MCP server')]);
    list({ [`${place.project}-other`]: 'TRUST_FOLDER', [place.project]: 'DO_NOT_TRUST' });
    expect(untrusted(everywhere)).not.toBeNull();
    list({ [place.project]: 'TRUST_FOLDER' });
    expect(untrusted(place)).toBeNull();
  });
});

describe('a project with settings for Qwen Code', () => {
  const SETTINGS = 'project/.qwen/settings.json';
  const untrusted = (place: ReturnType<typeof placeWith>) => qwenAdapter.headless.untrusted?.(place);

  it('with comments in them is not trusted either', () => {
    const place = placeWith({ [SETTINGS]: {} });
    writeFileSync(join(place.root, SETTINGS), '{ /* hidden */ "hooks": {} }');
    expect(untrusted(place)?.files).toHaveLength(1);
  });

  it('with our hooks alone needs no trust', () => {
    const place = placeWith();
    install(qwenAdapter, { ...orderIn(place), scope: 'project' });
    expect(untrusted(place)).toBeNull();
  });
});
