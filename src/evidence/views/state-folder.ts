/**
 * The folder of a project that holds state files. It is part of their format. It is a separate file because
 * it loads nothing else.
 */
export const STATE_FOLDER = '.claude';
