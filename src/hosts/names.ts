/** The hosts by name, as a loop's record has them. */
export const CLAUDE_CODE = 'claude-code';
export const EXIT_CODE = 'exit-code';

/** The host of a loop that no session has asked for. */
export const DEFAULT_NAME = CLAUDE_CODE;
