/** A lesson fits in a few sentences. Longer texts belong in a file of the project. */
export const LONGEST_NOTE = 500;
