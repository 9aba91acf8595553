/** What Claude Code sets in every shell that its agent uses (2.1.325). */
export const AGENT_SIGNS: readonly string[] = ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION'];

/** The project's folder. */
export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';

/** Those that it sets for its hooks and commands. */
export const OWN_VARIABLE = /^CLAUDE/;
