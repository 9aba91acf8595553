/** What a journal keeps of a feature list, and the proof that it gives. The lists themselves are read in `lists/`. */
import {
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

/** How an item of a JSON list is closed and opened again: a field, and its values as they stand in the file. */
const mark = record({ field: text, done: text, open: text });
export type Mark = Infer<typeof mark>;

/** What a journal keeps of a list, however long the list: enough to judge it and to say what is next. */
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
  /** The item that was next at the stop before and is marked as passing now. */
  marked: maybe(record({ id: text, description: text, mark: orNull(mark) })),
  /** What the person should know of how the list was read. */
  notes: maybe(list(text)),
});
export type FeatureFacts = Infer<typeof featureFacts>;
export type FeatureFormat = FeatureFacts['format'];

export const featuresProof = either(
  record({ is: oneOf('read'), facts: featureFacts }),
  /** `broken`: the file is there, and the agent can correct what is in it. */
  record({ is: oneOf('unreadable'), why: text, broken: maybe(flag) }),
);
export type FeaturesProof = Infer<typeof featuresProof>;
