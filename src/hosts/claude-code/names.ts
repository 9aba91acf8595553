export const CLAUDE_CODE = {
  name: 'claude-code',
  title: 'Claude Code',
  word: 'claude',
  tool: 'Bash(npm test)',
} as const;
