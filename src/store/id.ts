/** Ids of loops and sessions become names of files: an adapter looks up nothing else. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export function isId(value: string): boolean {
  return ID.test(value);
}
