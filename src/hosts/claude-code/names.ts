import type { HostNames } from '../names.ts';

export const CLAUDE_CODE: HostNames = {
  name: 'claude-code',
  title: 'Claude Code',
  word: 'claude',
  tool: 'Bash(npm test)',
};
