/** What GitHub Copilot CLI 1.0.102 gave its hooks, with the scripted model behind it. */
const SESSION = {
  session_id: '95c7fae8-c135-461d-b54e-27403415c3e6',
  timestamp: '2026-11-17T09:02:59.215Z',
  cwd: '/project',
};

export const ENV = { COPILOT_PROJECT_DIR: '/project', COPILOT_CLI: '1', CLAUDE_PROJECT_DIR: '/project' };

export const PAYLOADS = {
  stop: {
    ...SESSION,
    hook_event_name: 'Stop',
    transcript_path: '/nowhere/.copilot/session-state/95c7fae8-c135-461d-b54e-27403415c3e6/events.jsonl',
    stop_reason: 'end_turn',
    stop_hook_active: false,
  },
  prompt: { ...SESSION, hook_event_name: 'UserPromptSubmit', prompt: 'Make it.\n' },
  tool: {
    ...SESSION,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'echo HI > a.txt; ls', description: 'scripted' },
  },
  'session-start': {
    ...SESSION,
    hook_event_name: 'SessionStart',
    source: 'resume',
    initial_prompt: 'More.\n',
  },
  'session-end': { ...SESSION, hook_event_name: 'SessionEnd', reason: 'complete' },
} as const;

const AGENT = '5ad7703b-189b-4bae-b756-656fef400878';
/** A subagent is told of by an id of its own. */
export const SUBAGENT = {
  session_id: AGENT,
  agent_id: AGENT,
  agent_type: 'general-purpose',
  parent_agent_id: SESSION.session_id,
};

/** A patch has the name of an edit, and a text as its input. */
export const PATCH = {
  ...PAYLOADS.tool,
  tool_name: 'Edit',
  tool_input: '*** Begin Patch\n*** Add File: b.txt\n+hello\n*** End Patch\n',
};
