import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCodeHeadless as host } from '#hosts/claude-code/headless/command.ts';
import type { Finding, PreflightRequest } from '#hosts/port/headless.ts';
import { temporaryFolder } from '../../../store/folder.ts';

interface Scene {
  readonly says?: string;
  readonly settings?: object;
  readonly env?: Record<string, string>;
  readonly uid?: number;
  readonly pass?: Partial<PreflightRequest['pass']>;
}

function request({ says, settings, env, uid, pass }: Scene): PreflightRequest {
  const folder = temporaryFolder();
  const program = join(folder, 'claude');
  const auth = says ?? '{"loggedIn": true, "authMethod": "claude.ai"}';
  writeFileSync(program, `#!/bin/sh\n[ "$1" = auth ] && echo '${auth}' || echo '2.1.325 (Claude Code)'\n`);
  chmodSync(program, 0o755);
  if (settings !== undefined) {
    mkdirSync(join(folder, 'home', '.claude'), { recursive: true });
    writeFileSync(join(folder, 'home', '.claude', 'settings.json'), JSON.stringify(settings));
  }
  return {
    program,
    project: folder,
    env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin', ...env },
    platform: 'linux',
    uid: uid ?? 1000,
    pass: { permissionMode: null, allowedTools: [], extra: [], ...pass },
  };
}

function finding(id: string, scene: Scene): Finding | undefined {
  return host.preflight(request(scene)).find((one) => one.id === id);
}

describe.skipIf(process.platform === 'win32')('before a pass', () => {
  test('a program that is none is a problem, and is not asked further', () => {
    const asked = { ...request({}), program: '/nowhere/claude' };
    expect(host.preflight(asked).map(({ id, level }) => [id, level])).toEqual([
      ['host', 'problem'],
      ['permissions', 'problem'],
    ]);
  });

  test('a version that does not tell about its login is believed', () => {
    expect(finding('login', { says: 'error: unknown command' })).toMatchObject({ level: 'ok' });
    expect(finding('login', { says: '{"loggedIn": false}' })).toMatchObject({ level: 'problem' });
  });

  test.each<[string, RegExp, Scene]>([
    ['a flag', /--bare switches off every hook\. So the guard/, { pass: { extra: ['--bare'] } }],
    ['the settings', /disableAllHooks.* So the guard/, { settings: { disableAllHooks: true } }],
  ])('hooks that are switched off by %s take the guard along, which is said', (_by, says, scene) => {
    expect(finding('guard', scene)).toMatchObject({ level: 'warning', says: expect.stringMatching(says) });
  });

  test('otherwise nothing is said of the guard', () => {
    expect(finding('guard', { settings: { disableAllHooks: false } })).toBeUndefined();
  });

  test.each<[string, Finding['level'], RegExp, Scene]>([
    ['nothing said', 'problem', /default, and nobody is there/, {}],
    ['manual', 'problem', /manual, and nobody is there/, { pass: { permissionMode: 'manual' } }],
    ['plan', 'problem', /plans and changes nothing/, { pass: { permissionMode: 'plan' } }],
    ['plan by the settings', 'problem', /plan/, { settings: { permissions: { defaultMode: 'plan' } } }],
    [
      'acceptEdits',
      'warning',
      /can edit, but not build or test/,
      { pass: { permissionMode: 'acceptEdits' } },
    ],
    [
      'acceptEdits and a tool',
      'ok',
      /allowed by rules/,
      { pass: { permissionMode: 'acceptEdits', allowedTools: ['Bash(npm test *)'] } },
    ],
    [
      'acceptEdits and a rule in the settings',
      'ok',
      /allowed by rules/,
      { pass: { permissionMode: 'acceptEdits' }, settings: { permissions: { allow: ['Bash(make *)'] } } },
    ],
    ['dontAsk', 'warning', /can only read/, { pass: { permissionMode: 'dontAsk' } }],
    ['auto', 'ok', /server decides/, { pass: { permissionMode: 'auto' } }],
    [
      'auto behind a gateway',
      'warning',
      /leads elsewhere/,
      { pass: { permissionMode: 'auto' }, env: { ANTHROPIC_BASE_URL: 'http://gateway' } },
    ],
    ['everything', 'warning', /whatever this user may/, { pass: { permissionMode: 'bypassPermissions' } }],
    [
      'everything, as root',
      'problem',
      /refuses to root/,
      { pass: { permissionMode: 'acceptEdits', extra: ['--dangerously-skip-permissions'] }, uid: 0 },
    ],
    [
      'what is passed on wins',
      'problem',
      /plan/,
      {
        pass: {
          permissionMode: 'acceptEdits',
          extra: ['--permission-mode', 'auto', '--permission-mode=plan'],
        },
      },
    ],
  ])('the permission mode: %s', (_name, level, says, scene) => {
    const found = finding('permissions', scene);
    expect(found).toMatchObject({ level, says: expect.stringMatching(says) });
    expect(found?.remedy === null).toBe(level === 'ok');
  });
});

test('edits are accepted where the person has set nothing; what they have set stands', () => {
  expect(host.unattendedMode(request({}))).toBe('acceptEdits');
  expect(host.unattendedMode(request({ settings: { permissions: { defaultMode: 'plan' } } }))).toBeNull();
});

test('the project does not choose the permission mode', () => {
  const asked = request({});
  mkdirSync(join(asked.project, '.claude'));
  const settings = join(asked.project, '.claude', 'settings.json');
  for (const defaultMode of ['bypassPermissions', 'plan', 'default']) {
    writeFileSync(settings, JSON.stringify({ permissions: { defaultMode } }));
    expect(host.unattendedMode(asked)).toBe('acceptEdits');
  }
});
