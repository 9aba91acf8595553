/** In a loop's record. */
export const NAME = 'claude-code';

export const CLAUDE_CODE = {
  name: NAME,
  title: 'Claude Code',
  word: 'claude',
  tool: 'Bash(npm test)',
} as const;
