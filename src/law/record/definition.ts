/**
 * What a person asked for: the shapes of a loop's definition, of its frames and of what its gates saw at the
 * start.
 */
import * as s from '#base/shape.ts';
import { treeMark } from './mark.ts';

/** How an item of a JSON list is closed and reopened: a field, and its values as written in the file. */
const mark = s.record({ field: s.text, done: s.text, open: s.text });
export type Mark = s.Infer<typeof mark>;

/**
 * What a journal keeps of a list of any length: enough to judge it and to name the next item. `lists/` reads
 * the lists.
 */
const featureFacts = s.record({
  name: s.text,
  format: s.oneOf('feature-list', 'user-stories', 'tasks', 'checklist'),
  passing: s.whole,
  total: s.positive,
  /** `mark`: null in a checklist. */
  next: s.orNull(
    s.record({
      id: s.text,
      description: s.text,
      steps: s.list(s.text),
      model: s.orNull(s.text),
      mark: s.maybe(s.orNull(mark)),
    }),
  ),
  /** The item that was next at the previous stop and is marked as passing now. */
  marked: s.maybe(s.record({ id: s.text, description: s.text, mark: s.orNull(mark) })),
  /** What the person should know about how the list was read. */
  notes: s.maybe(s.list(s.text)),
});
export type FeatureFacts = s.Infer<typeof featureFacts>;
export type FeatureFormat = FeatureFacts['format'];

export const featuresProof = s.either(
  s.record({ is: s.oneOf('read'), facts: featureFacts }),
  /** `broken`: the file exists, and the agent can correct its content. */
  s.record({ is: s.oneOf('unreadable'), why: s.text, broken: s.maybe(s.flag) }),
);
export type FeaturesProof = s.Infer<typeof featuresProof>;

/** A file that is to be moved: what was where when the loop began. */
export const movedBaseline = s.record({
  /** Both as the person gave them: absolute, or relative to the project. */
  file: s.text,
  folder: s.text,
  watched: s.either(
    s.record({ is: s.oneOf('absent', 'no-file') }),
    /** No hash for a large file: its size and time identify its content. */
    s.record({ is: s.oneOf('file'), size: s.whole, modifiedMs: s.whole, hash: s.orNull(s.text) }),
  ),
  /** What had the file's name in the done folder at that time. */
  there: s.orNull(s.record({ size: s.whole, modifiedMs: s.whole })),
  /**
   * Files in the done folder at that time with the size of the watched file. Null: too many to recognise a
   * renamed file among them.
   */
  twins: s.orNull(s.list(s.record({ name: s.text, modifiedMs: s.whole }))),
  warning: s.orNull(s.oneOf('absent', 'no-file', 'done-already', 'folder-unreadable')),
});
export type MovedBaseline = s.Infer<typeof movedBaseline>;

export type MovedProof =
  | { readonly is: 'moved'; readonly how: 'name' | 'renamed'; readonly to: string }
  /** `gone`: it left its place and has not arrived. */
  | { readonly is: 'not-moved'; readonly origin: 'there' | 'gone' }
  | { readonly is: 'unreadable'; readonly why: string };

/**
 * `name`: from the project's config; null: a person typed the command. `heldOut`: the agent may not know the
 * command, so this is a label in its place (`evidence/proofs/held-out.ts`).
 */
export const checkGate = s.record({
  kind: s.oneOf('check'),
  name: s.orNull(s.text),
  command: s.text,
  timeoutMs: s.positive,
  /** Its result before the first pass. Absent: it was not run then, or did not finish. */
  begun: s.maybe(s.oneOf('passed', 'failed')),
  heldOut: s.maybe(s.flag),
});

export const goal = s.record({ is: s.oneOf('<=', '>='), bound: s.real });
export type Goal = s.Infer<typeof goal>;

/**
 * A number that a command prints, the last one. `begun`: its value before the first pass, or when a person
 * `added` it to a loop that had begun; absent: nobody took it then. `goals`: what it has to be; empty: it is
 * only told. To keep a measure is a goal too, with its first value as the bound.
 */
export const measure = s.record({
  name: s.text,
  command: s.text,
  timeoutMs: s.positive,
  begun: s.maybe(s.real),
  added: s.maybe(s.flag),
  goals: s.list(goal),
});
export type Measure = s.Infer<typeof measure>;

const gate = s.either(
  s.record({ kind: s.oneOf('promise'), text: s.text }),
  checkGate,
  s.record({ kind: s.oneOf('features'), file: s.text, begun: featuresProof }),
  s.record({ kind: s.oneOf('moved'), baseline: movedBaseline }),
  /** The claim of the frame's mode, if the frame has no promise of its own. */
  s.record({ kind: s.oneOf('signal') }),
  s.record({
    kind: s.oneOf('hooks'),
    names: s.list(s.text),
    timeoutMs: s.positive,
    allMs: s.positive,
    mark: s.orNull(treeMark),
  }),
  s.record({ kind: s.oneOf('measures'), begun: s.oneOf('passed', 'failed') }),
  /**
   * A fresh agent of this host looks at the work when all else holds; there may be several such gates.
   * `most`: how often it may object in a row. `rubric`: the hash of what it has to look for, kept among the
   * prompts.
   */
  s.record({
    kind: s.oneOf('review'),
    host: s.text,
    model: s.orNull(s.text),
    most: s.positive,
    rubric: s.maybe(s.text),
  }),
);
export type Gate = s.Infer<typeof gate>;

export const viewKind = s.oneOf('markdown', 'progress', 'vault', 'stack');
export type ViewKind = s.Infer<typeof viewKind>;

/**
 * Work items, each with a frame of its own. `most`: the maximum number of items. `notes`: what the person
 * should know about how the list was read at the start.
 */
const items = s.record({
  from: s.either(
    s.record({ is: s.oneOf('file'), file: s.text }),
    s.record({ is: s.oneOf('command'), command: s.text }),
  ),
  most: s.positive,
  notes: s.maybe(s.list(s.text)),
});
export type Items = s.Infer<typeof items>;

/** One item: the `n`th of the `of` items known when its frame began. */
const itemFields = { id: s.text, title: s.text, n: s.positive, of: s.positive };
const item = s.record(itemFields);
export type Item = s.Infer<typeof item>;

/** The next item, with the hash of its frame's prompt. */
export const nextItem = s.record({ ...itemFields, prompt: s.text });
export type NextItem = s.Infer<typeof nextItem>;

/** Which signals of the agent count. */
export const mode = s.oneOf('loop', 'issue', 'grind');
export type Mode = s.Infer<typeof mode>;

const frameFields = {
  mode,
  /** The hash under which the prompt is stored, so a prompt of 1 MB is on disk once and not in every line. */
  prompt: s.text,
  gates: s.list(gate),
  require: s.oneOf('all', 'any'),
  /** The frame is not complete before this many passes. */
  atLeast: s.whole,
  /**
   * The frame is not complete before this many passes in a row looked for what is missing and changed
   * nothing.
   */
  confirm: s.maybe(s.positive),
  measures: s.maybe(s.list(measure)),
  iterations: s.orNull(s.positive),
  items: s.orNull(items),
};

export const frame = s.record({ ...frameFields, item: s.orNull(item) });
export type FrameRecord = s.Infer<typeof frame>;

const approvals = s.record({
  /** Calls that need an approval: permission rules of the host, or `starter`. */
  rules: s.list(s.text),
  /** A person confirms the completion. */
  done: s.flag,
  /** An unanswered request ends the loop after this time. */
  timeoutMs: s.positive,
  /** `person`: a moved file is not an answer, because an unknown hand moved it. */
  policy: s.oneOf('file', 'person'),
  /** The parent of the folders with the requests; null: the usual one. */
  folder: s.orNull(s.text),
});
export type Approvals = s.Infer<typeof approvals>;

const ground = s.record({
  /** Patterns beside the usual ones: files that the checks run, protected files, `--ground`. */
  named: s.list(s.text),
  /** The digest of the files when the loop began. Null: they could not be kept, and `why` says it. */
  digest: s.orNull(s.text),
  why: s.maybe(s.text),
  tests: s.whole,
  /** The first few. */
  configs: s.list(s.text),
  /** The dependencies of the project have too many files to be compared. */
  hasUnseenPackages: s.maybe(s.flag),
  /** Other tests may complete the loop. Nothing is proven then. */
  mayChange: s.maybe(s.flag),
  /** A test has to fail without the work. */
  redFirst: s.maybe(s.flag),
  /** Every judged check runs in a clean room. */
  clean: s.maybe(s.flag),
  /** The command that makes the dependencies of a clean room. */
  setup: s.maybe(s.text),
});
export type Ground = s.Infer<typeof ground>;

export const definition = s.record({
  ...frameFields,
  name: s.orNull(s.text),
  driver: s.oneOf('hook', 'fresh'),
  timeMs: s.orNull(s.positive),
  staleMs: s.positive,
  /**
   * How many checks run at once, how long all of them may take together, and how long to wait after the first
   * "not yet". Absent: the usual time.
   */
  checking: s.record({ parallel: s.positive, timeoutMs: s.positive, recheckMs: s.maybe(s.positive) }),
  /** The project's config when the loop began, if the loop uses one. */
  config: s.orNull(s.record({ file: s.text, digest: s.text })),
  costUsd: s.orNull(s.amount),
  tokens: s.orNull(s.positive),
  /**
   * The circuit opens after this many stops in a row that show the same result while nothing changes. Null:
   * never.
   */
  stalls: s.orNull(s.positive),
  /**
   * The person set the limit explicitly. Then a tool call alone is not progress, even if a promise is the
   * only gate.
   */
  stallsAsked: s.flag,
  /** Passes already over when the loop was imported from another tool's state; 0 for a new loop. */
  passes: s.whole,
  views: s.list(viewKind),
  /**
   * Patterns of files that must not change, and the digest of those files when the loop began
   * (`evidence/proofs/changes.ts`).
   */
  protect: s.list(s.text),
  baseline: s.orNull(s.text),
  /** The patterns that no file matched then: perhaps a typo. */
  unmatched: s.maybe(s.list(s.text)),
  /** The content of the work tree when the loop began, as a mark (`law/record/mark.ts`). */
  tree: s.maybe(s.orNull(s.text)),
  /** What the checks stand on (`law/proof/ground.ts`). Absent: the loop has no checks. */
  ground: s.maybe(ground),
  /**
   * Who is notified, besides the targets of the user's config: `input/config/notify-target.ts` reads them.
   */
  notify: s.maybe(s.list(s.text)),
  /** Absent: nothing needs an approval, and questions wait for the usual time. */
  approvals: s.maybe(approvals),
});
export type Definition = s.Infer<typeof definition>;
export type Driver = Definition['driver'];
