/** Ids of loops and sessions become file names, so no other text is looked up. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export function isId(value: string): boolean {
  return ID.test(value);
}
