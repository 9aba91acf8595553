/** The hosts by name, as a loop's record has them. */
export const EXIT_CODE = 'exit-code';

/** The host that the command line works with, and that a loop is for which no session has asked for. */
export const DEFAULT_NAME = 'claude-code';
/** As people know it, and what they type to start it. */
export const DEFAULT_TITLE = 'Claude Code';
export const DEFAULT_WORD = 'claude';

/** The folder of a project where the host keeps its own files. State files stand there too, as those of other loops do. */
export const PROJECT_FOLDER = '.claude';
