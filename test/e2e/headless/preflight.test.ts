/** What the real Claude Code tells before anything is spent. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { claudeCodeHeadless as host } from '#hosts/claude-code/headless/command.ts';
import type { Finding, PreflightRequest } from '#hosts/port/headless.ts';
import { CLAUDE } from '../host.ts';
import { makeWorld, type World } from '../world.ts';

function asked({ sandbox }: World, more: Partial<PreflightRequest> = {}): PreflightRequest {
  return {
    program: CLAUDE,
    project: sandbox.project,
    env: sandbox.env,
    platform: process.platform,
    uid: 1000,
    pass: { permissionMode: 'acceptEdits', allowedTools: ['Bash(npm test *)'], extra: [] },
    ...more,
  };
}

function levels(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ id, level }) => [id, level]));
}

test('all is well with an account and a tool that is allowed', async () => {
  const world = await makeWorld(['Never asked.']);
  const findings = host.preflight(asked(world));
  expect(levels(findings)).toEqual({ host: 'ok', login: 'ok', permissions: 'ok' });
  expect(findings[0]?.says).toMatch(/^Claude Code 2\.\d+\.\d+/);
  expect(world.model.requests).toHaveLength(0);
});

test('no account is told before a pass fails', async () => {
  const world = await makeWorld(['Never asked.'], { ANTHROPIC_API_KEY: '' });
  expect(host.preflight(asked(world))).toContainEqual({
    id: 'login',
    level: 'problem',
    says: 'Claude Code is not logged in: every pass would fail.',
    remedy: 'Run `claude auth login`, or set ANTHROPIC_API_KEY.',
  });
});

test('the permission modes that we know are those that it takes', async () => {
  const { sandbox } = await makeWorld(['Never asked.']);
  const env = { ...sandbox.env, ANTHROPIC_API_KEY: '' };
  const ask = (...args: string[]) =>
    spawnSync(CLAUDE, args, { env, encoding: 'utf8', input: '', timeout: 20_000 });
  const listed = /--permission-mode <mode>[^(]*\(choices:([^)]*)\)/.exec(ask('--help').stdout)?.[1] ?? '';
  const choices = [...listed.matchAll(/"(\w+)"/g)].map(([, mode]) => mode);
  expect(new Set([...choices, 'default'])).toEqual(new Set(host.permissionModes));
  expect(ask('-p', '--permission-mode', 'default', 'Hello.').stderr).not.toContain('permission-mode');
  expect(ask('-p', '--permission-mode', 'foo', 'Hello.').stderr).toContain('is invalid');
});
