/** What a person has asked for: the shapes of a loop's definition, and of its frames. */
import {
  amount,
  either,
  flag,
  list,
  maybe,
  oneOf,
  orNull,
  positive,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';
import { featuresProof } from './features.ts';
import { movedBaseline } from './moved.ts';
import { treeMark } from './mark.ts';

/** `name`: what the project's config calls it; null: a person typed it. */
export const checkGate = record({
  kind: oneOf('check'),
  name: orNull(text),
  command: text,
  timeoutMs: positive,
  /** What it said before the first pass; absent: it was not run then, or did not finish. */
  begun: maybe(oneOf('passed', 'failed')),
});

const gate = either(
  record({ kind: oneOf('promise'), text }),
  checkGate,
  /** `begun`: what was seen of the list when the loop began. */
  record({ kind: oneOf('features'), file: text, begun: featuresProof }),
  record({ kind: oneOf('moved'), baseline: movedBaseline }),
  /** The claim of the frame's mode, where it has no promise of its own. */
  record({ kind: oneOf('signal') }),
  /** `mark`: the work tree when the loop began. */
  record({
    kind: oneOf('hooks'),
    names: list(text),
    timeoutMs: positive,
    allMs: positive,
    mark: orNull(treeMark),
  }),
);
export type Gate = Infer<typeof gate>;

/** In which formats a loop shows itself. */
export const viewKind = oneOf('markdown', 'progress', 'vault', 'stack');
export type ViewKind = Infer<typeof viewKind>;

/** Work items, each of which gets a frame of its own; `most`: not more of them than this. */
const items = record({
  from: either(record({ is: oneOf('file'), file: text }), record({ is: oneOf('command'), command: text })),
  most: positive,
});
export type Items = Infer<typeof items>;

/** One of them: the `n`th of `of` that were known when its frame began. */
const itemFields = { id: text, title: text, n: positive, of: positive };
const item = record(itemFields);
export type Item = Infer<typeof item>;

/** The next one, with the hash of the prompt that its frame gets. */
export const nextItem = record({ ...itemFields, prompt: text });
export type NextItem = Infer<typeof nextItem>;

/** Which signals of the agent count. */
export const mode = oneOf('loop', 'issue', 'grind');
export type Mode = Infer<typeof mode>;

/** What a loop asks for at one level. */
const frameFields = {
  mode,
  /** The hash under which the prompt is stored: a prompt of 1 MB stands on disk once, not in every line. */
  prompt: text,
  gates: list(gate),
  /** Whether all gates have to hold, or any one of them. */
  require: oneOf('all', 'any'),
  /** The frame is not complete before this many passes. */
  atLeast: whole,
  iterations: orNull(positive),
  items: orNull(items),
};

export const frame = record({ ...frameFields, item: orNull(item) });
export type FrameFields = Infer<typeof frame>;

export const definition = record({
  ...frameFields,
  name: orNull(text),
  driver: oneOf('hook', 'fresh'),
  timeMs: orNull(positive),
  staleMs: positive,
  /** How many checks run at once, and how long all of them may take together. */
  checking: record({ parallel: positive, timeoutMs: positive }),
  /** The project's config as it was when the loop began, if it uses one. */
  config: orNull(record({ file: text, digest: text })),
  costUsd: orNull(amount),
  tokens: orNull(positive),
  /** After this many stops in a row that show the same, with nothing changed, the circuit opens. Null: never. */
  stalls: orNull(positive),
  /** Asked for by name: then a tool call alone is no progress, not even where a promise is the only gate. */
  stallsAsked: flag,
  /** Passes that were over when the loop was taken from another tool's state; 0 for a new one. */
  passes: whole,
  views: list(viewKind),
  /** Patterns of files that stay as they are; the digest of what they were when the loop began (`journal/listings.ts`). */
  protect: list(text),
  baseline: orNull(text),
  /** Those of the patterns that no file matched then. */
  unmatched: maybe(list(text)),
  /** What the work tree held when the loop began, as a mark tells it (`core/mark.ts`). */
  tree: maybe(orNull(text)),
  /** Files that define what a check runs, and that are not protected. */
  exposed: maybe(list(text)),
});
export type Definition = Infer<typeof definition>;
export type Driver = Definition['driver'];
