/** What a journal keeps of a feature list, and the proof that it gives. The lists themselves are read in `lists/`. */
import { either, list, oneOf, orNull, positive, record, text, whole, type Infer } from './shape.ts';

/** What a journal keeps of a list, however long the list: enough to judge it and to say what is next. */
const featureFacts = record({
  name: text,
  format: oneOf('feature-list', 'user-stories', 'checklist'),
  passing: whole,
  total: positive,
  next: orNull(record({ id: text, description: text, steps: list(text), model: orNull(text) })),
});
export type FeatureFacts = Infer<typeof featureFacts>;
export type FeatureFormat = FeatureFacts['format'];

export const featuresProof = either(
  record({ is: oneOf('read'), facts: featureFacts }),
  record({ is: oneOf('unreadable'), why: text }),
);
export type FeaturesProof = Infer<typeof featuresProof>;
