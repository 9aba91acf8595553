/** What a person asked for: the shapes of a loop's definition and of its frames. */
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

/** `name`: from the project's config; null: a person typed the command. */
export const checkGate = record({
  kind: oneOf('check'),
  name: orNull(text),
  command: text,
  timeoutMs: positive,
  /** Its result before the first pass. Absent: it was not run then, or did not finish. */
  begun: maybe(oneOf('passed', 'failed')),
});

const gate = either(
  record({ kind: oneOf('promise'), text }),
  checkGate,
  /** `begun`: the state of the list when the loop began. */
  record({ kind: oneOf('features'), file: text, begun: featuresProof }),
  record({ kind: oneOf('moved'), baseline: movedBaseline }),
  /** The claim of the frame's mode, if the frame has no promise of its own. */
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

/** The formats in which a loop shows itself. */
export const viewKind = oneOf('markdown', 'progress', 'vault', 'stack');
export type ViewKind = Infer<typeof viewKind>;

/**
 * Work items, each with a frame of its own. `most`: the maximum number of items. `notes`: what the person should know
 * about how the list was read at the start.
 */
const items = record({
  from: either(record({ is: oneOf('file'), file: text }), record({ is: oneOf('command'), command: text })),
  most: positive,
  notes: maybe(list(text)),
});
export type Items = Infer<typeof items>;

/** One item: the `n`th of the `of` items known when its frame began. */
const itemFields = { id: text, title: text, n: positive, of: positive };
const item = record(itemFields);
export type Item = Infer<typeof item>;

/** The next item, with the hash of its frame's prompt. */
export const nextItem = record({ ...itemFields, prompt: text });
export type NextItem = Infer<typeof nextItem>;

/** Which signals of the agent count. */
export const mode = oneOf('loop', 'issue', 'grind');
export type Mode = Infer<typeof mode>;

/** What a loop requires at one level. */
const frameFields = {
  mode,
  /** The hash under which the prompt is stored, so a prompt of 1 MB is on disk once and not in every line. */
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
export type FrameRecord = Infer<typeof frame>;

/** What a person has to approve. */
const approvals = record({
  /** Calls that need an approval: permission rules of the host, or `starter`. */
  rules: list(text),
  /** A person confirms the completion. */
  done: flag,
  /** An unanswered request ends the loop after this time. */
  timeoutMs: positive,
  /** `person`: a moved file is not an answer, because an unknown hand moved it. */
  policy: oneOf('file', 'person'),
  /** The parent of the folders with the requests; null: the usual one. */
  folder: orNull(text),
});
export type Approvals = Infer<typeof approvals>;

export const definition = record({
  ...frameFields,
  name: orNull(text),
  driver: oneOf('hook', 'fresh'),
  timeMs: orNull(positive),
  staleMs: positive,
  /** How many checks run at once, and how long all of them may take together. */
  checking: record({ parallel: positive, timeoutMs: positive }),
  /** The project's config when the loop began, if the loop uses one. */
  config: orNull(record({ file: text, digest: text })),
  costUsd: orNull(amount),
  tokens: orNull(positive),
  /** The circuit opens after this many stops in a row that show the same result while nothing changes. Null: never. */
  stalls: orNull(positive),
  /** The person set the limit explicitly. Then a tool call alone is not progress, even if a promise is the only gate. */
  stallsAsked: flag,
  /** Passes already over when the loop was imported from another tool's state; 0 for a new loop. */
  passes: whole,
  views: list(viewKind),
  /**
   * Patterns of files that must not change, and the digest of those files when the loop began (`proofs/changes.ts`).
   */
  protect: list(text),
  baseline: orNull(text),
  /** The patterns that no file matched then. */
  unmatched: maybe(list(text)),
  /** The content of the work tree when the loop began, as a mark (`core/record/mark.ts`). */
  tree: maybe(orNull(text)),
  /** Files that define what a check runs, and that are not protected. */
  exposed: maybe(list(text)),
  /** Who is notified when something happens: `desktop` or a URL. */
  notify: maybe(list(text)),
  /** Absent: nothing needs an approval, and questions wait for the usual time. */
  approvals: maybe(approvals),
});
export type Definition = Infer<typeof definition>;
export type Driver = Definition['driver'];
