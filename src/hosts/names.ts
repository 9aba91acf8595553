/** The hosts by name, as a loop's record has them. */
export const EXIT_CODE = 'exit-code';

/** The host that the command line works with, and that a loop is for which no session has asked for. */
export const DEFAULT_NAME = 'claude-code';
/** As people know it, and what they type to start it. */
export const DEFAULT_TITLE = 'Claude Code';
export const DEFAULT_WORD = 'claude';

/** The folder of a project where the host keeps files. State files lie there too: people and other tools look for them there. */
export const STATE_FOLDER = '.claude';
