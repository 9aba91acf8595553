/** What a loop asks a person, and who may have answered: shapes, as stored in the journal. */
import { oneOf, orNull, record, text, type Infer } from '../shape.ts';

/** `completion`: the gates hold, and a person confirms that the task is done. */
const requestKind = oneOf('approval', 'question', 'completion');
export type RequestKind = Infer<typeof requestKind>;

export const requestFields = {
  kind: requestKind,
  /** `tool` and `digest` identify the call that is to be approved; null for other kinds. `text`: for people. */
  what: record({ tool: orNull(text), digest: orNull(text), text }),
  why: text,
};
const request = record(requestFields);
export type RequestFields = Infer<typeof request>;

/** `file`: a moved file, so nobody knows whose hand it was. `view`: the terminal view. */
export const answerHand = oneOf('terminal', 'session', 'file', 'view', 'page', 'webhook');
export type AnswerActor = Infer<typeof answerHand>;
