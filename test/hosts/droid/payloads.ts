/** What droid 0.225.2 gave its hooks, with the scripted model behind it. */
const SESSION = {
  session_id: '6af463b9-d2e9-4d82-aaea-ca02288132dc',
  transcript_path: '/nowhere/.factory/sessions/-project/6af463b9-d2e9-4d82-aaea-ca02288132dc.jsonl',
  cwd: '/project',
  permission_mode: 'auto-high',
};

export const ENV = {
  DROID_PROJECT_DIR: '/project',
  FACTORY_PROJECT_DIR: '/project',
  CLAUDE_PROJECT_DIR: '/project',
  CLAUDE_PLUGIN_ROOT: '/PLUGIN_ROOT_NOT_EXPANDED_ERROR',
};

export const PAYLOADS = {
  stop: {
    ...SESSION,
    hook_event_name: 'Stop',
    message_id: '66cde737-28c2-4216-bce7-752fec0e1612',
    stop_hook_active: false,
    tool_execution_count: 0,
    elapsed_time: 484,
  },
  prompt: {
    ...SESSION,
    hook_event_name: 'UserPromptSubmit',
    message_id: 'c858d5d0-dc82-4224-8c69-0c9f1ca37473',
    prompt: 'Make it.',
    has_images: false,
  },
  tool: {
    ...SESSION,
    hook_event_name: 'PreToolUse',
    tool_name: 'Execute',
    tool_input: {
      command: 'echo HI > a.txt; ls',
      summary: 'scripted',
      riskLevelReason: 'scripted',
      riskLevel: 'low',
    },
  },
  'session-start': { ...SESSION, hook_event_name: 'SessionStart', source: 'resume' },
  'session-end': {
    ...SESSION,
    hook_event_name: 'SessionEnd',
    message_id: '66cde737-28c2-4216-bce7-752fec0e1612',
    reason: 'other',
    session_duration_ms: 1841.8,
    message_count: 11,
  },
} as const;

export const PATCH = {
  ...PAYLOADS.tool,
  tool_name: 'ApplyPatch',
  tool_input: { input: '*** Begin Patch\n*** Add File: /project/b.txt\n+hello\n*** End Patch\n' },
};

/** A row of its record. */
export const rowOf = (id: string, role: string, text: string, timestamp: string) => ({
  type: 'message',
  id,
  timestamp,
  message: { role, content: [{ type: 'text', text }] },
});
