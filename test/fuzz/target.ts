/** A reader of what others wrote, with samples of what it expects. */
export interface Target {
  readonly name: string;
  readonly samples: readonly [string, ...string[]];
  /** What its inputs are made of. */
  readonly words: readonly string[];
  /** Reads one input. Throws where the reader does, and where what it says can't be so. */
  readonly read: (text: string) => unknown;
}

export const JSON_WORDS = ['"type":', '"at":', '[]', '{}', '""', '1e400'];

export function lines(...given: readonly object[]): string {
  return given.map((one) => JSON.stringify(one)).join('\n');
}

/** The text itself where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Throws where a property of the reader does not hold. `seen`: what it said instead. */
export function must(holds: boolean, property: string, seen?: unknown): void {
  if (!holds) throw new Error(`not so: ${property}; seen: ${JSON.stringify(seen)?.slice(0, 500)}`);
}

/** What a terminal would obey. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

export function mustBeClean(...texts: readonly string[]): void {
  for (const text of texts) must(!CONTROL.test(text), 'no output has raw control characters', text);
}
