/**
 * What a loop keeps beside its journal, each blob under a name such as `prompts/KEY.md`. The room that owns a kind of blob
 * has the small functions that give it a type.
 */
export interface Blobs {
  /** Null when there is none. */
  readonly read: (name: string) => string | null;
  /**
   * Replaces it as a whole: a reader finds the old content or the new, never half of it. `durable`: for content that can't
   * be made again; it survives a crash of the machine.
   */
  readonly write: (name: string, content: string, options?: { readonly durable?: boolean }) => void;
  /** Never overwrites: a name that is taken gets a number. Returns the name under which it is kept. */
  readonly keep: (name: string, content: string | Uint8Array) => string;
  /** The names that begin with this, in order. */
  readonly list: (prefix: string) => readonly string[];
  readonly remove: (name: string) => void;
  /** Where it is, for messages to a person or an agent. */
  readonly place: (name: string) => string;
}

/** `stop-3.txt`, `stop-3-2.txt`, `stop-3-3.txt`… */
export function numbered(name: string, copy: number): string {
  if (copy === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= name.lastIndexOf('/') + 1
    ? `${name}-${copy}`
    : `${name.slice(0, dot)}-${copy}${name.slice(dot)}`;
}
