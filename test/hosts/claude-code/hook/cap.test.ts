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
import { liftCap } from '../../../../src/hosts/claude-code/hook/cap.ts';
import {
  install,
  planInstall,
  type InstallOrder,
  planUninstall,
  uninstall,
} from '../../../../src/hosts/claude-code/setup/install.ts';
import { recordIn } from '../../../../src/hosts/claude-code/setup/record.ts';

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

function order(): InstallOrder {
  return {
    scope: 'local',
    place: { project, env: { HOME: root }, platform: 'linux' },
    plugin: resolve(import.meta.dirname, '../../../../plugin'),
    guard: false,
    cap: true,
    statusLine: null,
    record: recordIn(join(root, 'state')),
    exclude: null,
  };
}

function takeBack(): void {
  const plan = planUninstall(order());
  if (!plan.ok) throw new Error(plan.message);
  uninstall(plan, order().record);
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
    const plan = planInstall(order());
    if (!plan.ok) throw new Error(plan.message);
    install(plan, order().record);
    takeBack();
    expect(readFileSync(settings, 'utf8')).toBe('{"model":"opus"}\n');
  });

  it('and so is the status line that dacapo init has set before', () => {
    const shown = { type: 'command', command: 'my-line' };
    const plan = planInstall({ ...order(), cap: false, statusLine: { program: '/p/hook.cjs', shown } });
    if (!plan.ok) throw new Error(plan.message);
    install(plan, order().record);
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
    expect(planInstall(order())).toMatchObject({ ok: false, message: expect.stringContaining(says) });
    expect(planUninstall(order())).toMatchObject({ ok: false, message: expect.stringContaining(says) });
  });
});
