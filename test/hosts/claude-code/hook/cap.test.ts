import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liftCap } from '#hosts/claude-code/hook/cap.ts';
import { settings as hostSettings } from '#hosts/claude-code/setup/host-settings.ts';
import type { SettingsOrder } from '#hosts/port/command-line.ts';

let root: string;
let project: string;
let settings: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-cap-')));
  project = join(root, 'project');
  settings = join(project, '.claude', 'settings.local.json');
  mkdirSync(join(project, '.claude'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function order(): SettingsOrder {
  return {
    scope: 'local',
    place: { project, env: { HOME: root }, platform: 'linux' },
    plugin: resolve(import.meta.dirname, '../../../../plugin'),
    cap: true,
    statusLine: false,
    home: join(root, 'state'),
    exclude: null,
  };
}

function takeBack(): void {
  const plan = hostSettings.planUninstall(order());
  if (!plan.ok) throw new Error(plan.message);
  plan.apply();
}

describe("lifting the host's cap for a project", () => {
  const lift = () => liftCap(project, join(root, 'state'));

  it('follows no link that the project ships', () => {
    const victim = join(root, 'victim.json');
    writeFileSync(victim, '{"secret": 1}');
    symlinkSync(victim, settings);
    expect(lift()).toBe(false);
    expect(readFileSync(victim, 'utf8')).toBe('{"secret": 1}');
    expect(existsSync(`${settings}.before-dacapo`)).toBe(false);
  });

  it('nor one under the name of the backup', () => {
    const victim = join(root, 'victim');
    symlinkSync(victim, `${settings}.before-dacapo`);
    writeFileSync(settings, '{}');
    expect(lift()).toBe(true);
    expect(existsSync(victim)).toBe(false);
  });

  it('nor a whole folder that leads elsewhere', () => {
    rmSync(join(project, '.claude'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(project, '.claude'));
    expect(lift()).toBe(false);
    expect(existsSync(join(root, 'elsewhere', 'settings.local.json'))).toBe(false);
  });

  it('is taken back by uninstall: byte for byte, or key by key', () => {
    const before = '{\n    "model": "opus"\n}';
    writeFileSync(settings, before);
    expect(lift()).toBe(true);
    expect(readFileSync(settings, 'utf8')).toContain('CLAUDE_CODE_STOP_HOOK_BLOCK_CAP');
    takeBack();
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(lift()).toBe(true);
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('opus', 'sonnet'));
    takeBack();
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'sonnet' });
  });

  it('a file that it made goes again', () => {
    expect(lift()).toBe(true);
    takeBack();
    expect(existsSync(settings)).toBe(false);
  });

  it('is still known after dacapo init', () => {
    writeFileSync(settings, '{"model":"opus"}\n');
    lift();
    const plan = hostSettings.planInstall(order());
    if (!plan.ok) throw new Error(plan.message);
    plan.apply();
    takeBack();
    expect(readFileSync(settings, 'utf8')).toBe('{"model":"opus"}\n');
  });

  it('and so is the status line that dacapo init has set before', () => {
    const statusLine = { type: 'command', command: 'my-line' };
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude', 'settings.json'), JSON.stringify({ statusLine }));
    const plan = hostSettings.planInstall({ ...order(), cap: false, statusLine: true });
    if (!plan.ok) throw new Error(plan.message);
    plan.apply();
    expect(lift()).toBe(true);
    const edited = { ...(JSON.parse(readFileSync(settings, 'utf8')) as object), model: 'opus' };
    writeFileSync(settings, JSON.stringify(edited));
    takeBack();
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'opus' });
  });
});

describe('a settings file that is not an object', () => {
  it.each([
    ['[]', 'is JSON, but no object'],
    ['{', 'is not valid JSON'],
  ])('%s is called what it is', (content, says) => {
    writeFileSync(settings, content);
    expect(hostSettings.planInstall(order())).toMatchObject({
      ok: false,
      message: expect.stringContaining(says),
    });
    expect(hostSettings.planUninstall(order())).toMatchObject({
      ok: false,
      message: expect.stringContaining(says),
    });
  });
});
