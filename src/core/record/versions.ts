/** The versions of what is stored. */

/**
 * Of a journal, in its first event. A journal without one is of version 1, and is read. Raised when an older Da Capo would
 * misread a newer journal: it refuses that one.
 */
export const JOURNAL_VERSION = 2;

/** Of the shape of `Loop`. Raised whenever that changes: a cache of another version is no cache. */
export const LOOP_VERSION = 14;
