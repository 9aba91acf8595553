/**
 * The digest by which we recognise a content. `base/hash.ts` is faster, but somebody could look for a
 * collision of it.
 */
export function sha256(content: string | Uint8Array): string {
  // Loaded at the first use: it takes 3 ms, and most stops and tool calls need no digest.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex');
}
