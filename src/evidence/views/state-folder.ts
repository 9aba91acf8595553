/**
 * The folder of a project where state files lie. It is part of their format. A file of its own: it loads
 * nothing else.
 */
export const STATE_FOLDER = '.claude';
