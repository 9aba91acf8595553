/**
 * What was seen of a gate that Da Capo looks at by itself, judged where it was looked at: the law treats all such gates
 * alike, and the hook program carries the knowledge of none of them.
 */
import { flag, oneOf, orNull, record, text, type Infer } from '../shape.ts';

export const sight = record({
  gate: oneOf('features', 'moved', 'hooks', 'protected'),
  holds: flag,
  /** In words, to the agent and the person. */
  says: text,
  /** Why it could not be looked at: then a person has to. */
  trouble: orNull(text),
});
export type Sight = Infer<typeof sight>;
