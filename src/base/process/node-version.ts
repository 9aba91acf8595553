/**
 * The oldest Node that Da Capo runs on, and what a person on an older one reads. It must itself run on any
 * Node.
 */

const [OLDEST, LEAST] = [20, 19];

/** Null: this Node is new enough. */
export function sayTooOld(node: string): string | null {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > OLDEST || (major === OLDEST && minor >= LEAST)) return null;
  return `Node ${node} is too old: Da Capo needs ${OLDEST}.${LEAST} or newer.`;
}
