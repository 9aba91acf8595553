/**
 * A 106-bit hash of our own: loading `crypto` costs the hook 3 ms at every stop. It tells contents apart;
 * it is no protection against someone who looks for a collision.
 */
export function hash(content: string): string {
  return lane(content, 0x9e3779b9) + lane(content, 0x85ebca6b);
}

function lane(content: string, seed: number): string {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36).padStart(11, '0');
}
