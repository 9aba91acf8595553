/** The names of the hosts in a loop's record. */
export const EXIT_CODE = 'exit-code';

/** The host that the command line works with, and the host of a loop that no session started. */
export const DEFAULT_NAME = 'claude-code';
/** Its title for people, and the word that starts it. */
export const DEFAULT_TITLE = 'Claude Code';
export const DEFAULT_WORD = 'claude';

/** The folder of a project where the host keeps files. State files are there too, as people and other tools expect. */
export const STATE_FOLDER = '.claude';

/** The manifest of a plugin, in the plugin's folder. */
export const PLUGIN_MANIFEST = ['.claude-plugin', 'plugin.json'] as const;
