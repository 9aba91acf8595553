/** The versions of the stored formats. */

/**
 * The version of a journal, in its first event. A journal without one has version 1 and can be read. Raise it when an
 * older Da Capo would misread a newer journal, so that it refuses that journal.
 */
export const JOURNAL_VERSION = 3;

/** The version of the shape of `Loop`. Raise it whenever that shape changes: a cache of another version is ignored. */
export const LOOP_VERSION = 21;
