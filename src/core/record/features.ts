/** What a journal keeps of a feature list, and the proof it gives. `lists/` reads the lists themselves. */
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

/** How an item of a JSON list is closed and reopened: a field, and its values as written in the file. */
const mark = record({ field: text, done: text, open: text });
export type Mark = Infer<typeof mark>;

/** What a journal keeps of a list of any length: enough to judge it and to name the next item. */
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
