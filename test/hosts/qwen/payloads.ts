/** What Qwen Code 0.24.4 gave its hooks, with the scripted model behind it. */
const SESSION = {
  session_id: '3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11',
  transcript_path: '/nowhere/.qwen/projects/-project/chats/3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11.jsonl',
  cwd: '/project',
  timestamp: '2026-11-17T06:38:01.061Z',
  permission_mode: 'yolo',
};
const TURN = { ...SESSION, prompt_id: '3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11########0' };

export const ENV = {
  QWEN_PROJECT_DIR: '/project',
  GEMINI_PROJECT_DIR: '/project',
  CLAUDE_PROJECT_DIR: '/project',
};

export const PAYLOADS = {
  stop: {
    ...TURN,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [],
    crons: [],
    context_usage: 0.0005,
    context_limit: 200000,
    input_tokens: 100,
  },
  fault: { ...SESSION, hook_event_name: 'StopFailure', error: 'loop_detected', error_details: 'repeated' },
  prompt: {
    ...TURN,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Make it\n\n',
    submitted_prompt: 'Make it\n\n',
  },
  tool: {
    ...TURN,
    hook_event_name: 'PreToolUse',
    tool_name: 'run_shell_command',
    tool_input: { command: 'echo HI > a.txt; ls' },
    tool_use_id: 'toolu_1794897483075_1fyyv72j1',
    tool_call_id: 'call_2',
  },
  'session-start': { ...SESSION, hook_event_name: 'SessionStart', source: 'resume', model: 'scripted' },
  'session-end': { ...SESSION, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
} as const;
