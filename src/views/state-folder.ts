/** The folder of a project where state files lie, as people and other tools expect. It is part of their format. */
export const STATE_FOLDER = '.claude';
