/** What a person asked for: the shapes of a loop's definition, of its frames and of what its gates saw at the start. */
import {
  amount,
  either,
  flag,
  list,
  maybe,
  oneOf,
  orNull,
  positive,
  real,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';
import { treeMark } from './mark.ts';

/** How an item of a JSON list is closed and reopened: a field, and its values as written in the file. */
const mark = record({ field: text, done: text, open: text });
export type Mark = Infer<typeof mark>;

/** What a journal keeps of a list of any length: enough to judge it and to name the next item. `lists/` reads the lists. */
const featureFacts = record({
  name: text,
  format: oneOf('feature-list', 'user-stories', 'tasks', 'checklist'),
  passing: whole,
  total: positive,
  /** `mark`: null in a checklist. */
  next: orNull(
    record({
      id: text,
      description: text,
      steps: list(text),
      model: orNull(text),
      mark: maybe(orNull(mark)),
    }),
  ),
  /** The item that was next at the previous stop and is marked as passing now. */
  marked: maybe(record({ id: text, description: text, mark: orNull(mark) })),
  /** What the person should know about how the list was read. */
  notes: maybe(list(text)),
});
export type FeatureFacts = Infer<typeof featureFacts>;
export type FeatureFormat = FeatureFacts['format'];

export const featuresProof = either(
  record({ is: oneOf('read'), facts: featureFacts }),
  /** `broken`: the file exists, and the agent can correct its content. */
  record({ is: oneOf('unreadable'), why: text, broken: maybe(flag) }),
);
export type FeaturesProof = Infer<typeof featuresProof>;

/** A file that is to be moved: what was where when the loop began. */
export const movedBaseline = record({
  /** Both as the person gave them: absolute, or relative to the project. */
  file: text,
  folder: text,
  watched: either(
    record({ is: oneOf('absent', 'no-file') }),
    /** No hash for a large file: its size and time identify its content. */
    record({ is: oneOf('file'), size: whole, modifiedMs: whole, hash: orNull(text) }),
  ),
  /** What had the file's name in the done folder at that time. */
  there: orNull(record({ size: whole, modifiedMs: whole })),
  /**
   * Files in the done folder at that time with the size of the watched file. Null: too many to recognise a renamed file
   * among them.
   */
  twins: orNull(list(record({ name: text, modifiedMs: whole }))),
  warning: orNull(oneOf('absent', 'no-file', 'done-already', 'folder-unreadable')),
});
export type MovedBaseline = Infer<typeof movedBaseline>;

export type MovedProof =
  | { readonly is: 'moved'; readonly how: 'name' | 'renamed'; readonly to: string }
  /** `gone`: it left its place and has not arrived. */
  | { readonly is: 'not-moved'; readonly origin: 'there' | 'gone' }
  | { readonly is: 'unreadable'; readonly why: string };

/** `name`: from the project's config; null: a person typed the command. */
export const checkGate = record({
  kind: oneOf('check'),
  name: orNull(text),
  command: text,
  timeoutMs: positive,
  /** Its result before the first pass. Absent: it was not run then, or did not finish. */
  begun: maybe(oneOf('passed', 'failed')),
});

/**
 * A number that a command prints, the last one. `begun`: its value before the first pass. `goals`: what it has to be; empty:
 * it is only told. To keep a measure is a goal too, with its first value as the bound.
 */
export const measure = record({
  name: text,
  command: text,
  timeoutMs: positive,
  begun: real,
  goals: list(record({ is: oneOf('<=', '>='), bound: real })),
});
export type Measure = Infer<typeof measure>;

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
  /** The goals of the frame's measures, together. */
  record({ kind: oneOf('measures'), begun: oneOf('passed', 'failed') }),
  /** A fresh agent of this host looks at the work when all else holds. `most`: how often it may object in a row. */
  record({ kind: oneOf('review'), host: text, model: orNull(text), most: positive }),
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
  /** The frame is not complete before this many passes in a row looked for what is missing and changed nothing. */
  confirm: maybe(positive),
  measures: maybe(list(measure)),
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
  /**
   * How many checks run at once, how long all of them may take together, and how long to wait after the first "not yet".
   * Absent: the usual time.
   */
  checking: record({ parallel: positive, timeoutMs: positive, recheckMs: maybe(positive) }),
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
  /** Patterns of files that must not change, and the digest of those files when the loop began (`proofs/changes.ts`). */
  protect: list(text),
  baseline: orNull(text),
  /** The patterns that no file matched then: perhaps a typo. */
  unmatched: maybe(list(text)),
  /** The content of the work tree when the loop began, as a mark (`core/record/mark.ts`). */
  tree: maybe(orNull(text)),
  /** Files that define what a check runs, and that are not protected. */
  exposed: maybe(list(text)),
  /** Who is notified, besides the targets of the user's config: `flags/notify-target.ts` reads them. */
  notify: maybe(list(text)),
  /** Absent: nothing needs an approval, and questions wait for the usual time. */
  approvals: maybe(approvals),
});
export type Definition = Infer<typeof definition>;
export type Driver = Definition['driver'];
