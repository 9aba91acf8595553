/** What Codex 0.166.0 gave its hooks, with the scripted model behind it. */
const SESSION = {
  session_id: '01a1e803-e309-7ec1-8337-b59453d5195c',
  transcript_path: '/nowhere/sessions/2026/11/17/rollout-2026-11-17T05-38-51-01a1e803.jsonl',
  cwd: '/project',
};
const TURN = {
  ...SESSION,
  turn_id: '01a1e803-e323-7681-875a-abde02dc020a',
  model: 'gpt-6-sol',
  permission_mode: 'bypassPermissions',
};

export const PAYLOADS = {
  stop: { ...TURN, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'done it' },
  prompt: { ...TURN, hook_event_name: 'UserPromptSubmit', prompt: 'say hi' },
  tool: {
    ...TURN,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'echo HI > a.txt; ls' },
    tool_use_id: 'c1',
  },
  'session-start': { ...SESSION, hook_event_name: 'SessionStart', model: 'gpt-6-sol', source: 'resume' },
  'session-end': { ...SESSION, hook_event_name: 'SessionEnd', reason: 'other' },
} as const;

export const PATCH =
  '*** Begin Patch\n*** Add File: b.txt\n+hello\n*** Update File: c.txt\n*** Move to: d.txt\n@@\n-a\n+b\n*** End Patch';
