/** What Gemini CLI 0.61.0 gave its hooks, with the scripted model behind it. */
const SESSION = {
  session_id: '3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11',
  transcript_path: '/nowhere/.gemini/tmp/project/chats/session-2026-11-17T06-38-3f0f5a3e.jsonl',
  cwd: '/project',
  timestamp: '2026-11-17T06:38:15.915Z',
};

export const ENV = { GEMINI_PROJECT_DIR: '/project', CLAUDE_PROJECT_DIR: '/project' };

export const PAYLOADS = {
  stop: {
    ...SESSION,
    hook_event_name: 'AfterAgent',
    prompt: 'Make it',
    prompt_response: 'One.\nOne more.\nTwo.',
    stop_hook_active: false,
  },
  prompt: { ...SESSION, hook_event_name: 'BeforeAgent', prompt: 'Make it' },
  tool: {
    ...SESSION,
    hook_event_name: 'BeforeTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'echo HI > a.txt; ls' },
  },
  'session-start': { ...SESSION, hook_event_name: 'SessionStart', source: 'resume' },
  'session-end': { ...SESSION, hook_event_name: 'SessionEnd', reason: 'exit' },
} as const;
