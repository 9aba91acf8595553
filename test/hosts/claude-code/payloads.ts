/** One payload of each kind, as Claude Code sends them (2.1.325). */
const COMMON = {
  session_id: 's1',
  transcript_path: '/nowhere/transcript.jsonl',
  cwd: '/project',
  prompt_id: 'p1',
  permission_mode: 'default',
};

export const PAYLOADS = {
  stop: {
    ...COMMON,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [{ id: 'b1', type: 'shell', status: 'running', command: 'npm start' }],
    session_crons: [],
  },
  fault: { ...COMMON, hook_event_name: 'StopFailure', error: 'rate_limit', error_details: '429' },
  'session-start': { ...COMMON, hook_event_name: 'SessionStart', source: 'compact' },
  'session-end': { ...COMMON, hook_event_name: 'SessionEnd', reason: 'other' },
  tool: {
    ...COMMON,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf tests' },
  },
  prompt: { ...COMMON, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the bug.' },
  command: {
    ...COMMON,
    hook_event_name: 'UserPromptExpansion',
    expansion_type: 'slash_command',
    command_name: 'ralph',
    command_args: 'Fix the bug.',
  },
};
