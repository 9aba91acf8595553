import { describe, expect, it } from 'vitest';
import { agentSign } from '#hosts/tables/names.ts';
import { callerOf } from '#hosts/tables/registry.ts';

const STOP = { session_id: 's1', hook_event_name: 'Stop', cwd: '/p' };

function nameOf(payload: unknown, env: Record<string, string> = {}): string {
  const caller = callerOf(payload, { CLAUDE_PROJECT_DIR: '/p', ...env });
  return typeof caller === 'string' ? caller : caller.name;
}

describe('who is calling', () => {
  it.each([
    ['Claude Code', {}, { CLAUDE_CODE_SESSION_ID: 's1' }, 'claude-code'],
    ['Claude Code of old, which names no session', {}, {}, 'claude-code'],
    ['Copilot, which reads .claude/settings.json', {}, { COPILOT_PROJECT_DIR: '/p' }, 'copilot'],
    [
      'Qwen, which sets the variables of Gemini too',
      {},
      { GEMINI_PROJECT_DIR: '/p', QWEN_PROJECT_DIR: '/p' },
      'qwen',
    ],
    [
      'Qwen by its transcript, in the shell of Gemini',
      { transcript_path: '/h/.qwen/projects/-p/chats/3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11.jsonl' },
      { GEMINI_PROJECT_DIR: '/p' },
      'qwen',
    ],
    [
      'Gemini by its transcript, in the shell of Qwen',
      { transcript_path: '/h/.gemini/tmp/p/chats/session-2026-11-17T06-38-3f0f5a3e.jsonl' },
      { QWEN_PROJECT_DIR: '/p' },
      'gemini',
    ],
    ['Gemini', {}, { GEMINI_PROJECT_DIR: '/p' }, 'gemini'],
    ['droid', {}, { DROID_PROJECT_DIR: '/p' }, 'droid'],
    [
      'droid by its record',
      { transcript_path: '/h/.factory/sessions/-p/6af463b9-d2e9-4d82-aaea-ca02288132dc.jsonl' },
      { COPILOT_PROJECT_DIR: '/p' },
      'droid',
    ],
    ['Grok', {}, { GROK_HOOK_EVENT: 'Stop' }, 'GROK_HOOK_EVENT'],
    ['Codex, which has no variable of its own', { turn_id: 't', model: 'm' }, {}, 'codex'],
    [
      'Codex between two turns',
      { transcript_path: '/c/sessions/2026/11/17/rollout-2026-s1.jsonl' },
      {},
      'codex',
    ],
    [
      'Codex in the shell of another host',
      { turn_id: 't', model: 'm' },
      { GEMINI_PROJECT_DIR: '/p' },
      'codex',
    ],
    ['Cursor', { cursor_version: '3.0' }, {}, 'cursor_version'],
  ])('%s', (_who, fields, env, name) => {
    expect(nameOf({ ...STOP, ...fields }, env)).toBe(name);
  });

  it('Claude Code in the shell of another host is Claude Code', () => {
    expect(nameOf(STOP, { COPILOT_PROJECT_DIR: '/p', CLAUDE_CODE_SESSION_ID: 's1' })).toBe('claude-code');
  });

  it('another host in the shell of Claude Code is the other', () => {
    expect(nameOf(STOP, { COPILOT_PROJECT_DIR: '/p', CLAUDE_CODE_SESSION_ID: 'outer' })).toBe('copilot');
  });

  it.each([null, 'text', [], 7])('%j as a payload is nobody in particular', (payload) => {
    expect(nameOf(payload)).toBe('claude-code');
  });
});

describe("an agent's shell", () => {
  it.each([
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CODEX_THREAD_ID',
    'COPILOT_AGENT_SESSION_ID',
    'QWEN_CODE_SESSION_ID',
    'GEMINI_CLI',
    'AI_AGENT',
  ])('is known by %s', (name) => {
    expect(agentSign({ PATH: '/bin', [name]: '1' })).toBe(name);
  });

  it("is not a person's", () => {
    expect(agentSign({ PATH: '/bin', CLAUDECODE: '', CLAUDE_CONFIG_DIR: '/c' })).toBeNull();
  });
});
