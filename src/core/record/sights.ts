/**
 * What was seen of a gate that Da Capo looks at by itself. The code that looks also judges it, so the law treats all
 * such gates alike and the hook program needs no knowledge of any of them.
 */
import { flag, oneOf, orNull, record, text, type Infer } from '../shape.ts';

export const sight = record({
  gate: oneOf('features', 'moved', 'hooks', 'protected'),
  holds: flag,
  /** In words for the agent and the person. */
  says: text,
  /** Why it could not be looked at. Then a person has to. */
  trouble: orNull(text),
});
export type Sight = Infer<typeof sight>;
