/** What a person can do on a screen to loops that are kept elsewhere: a fleet does it in its record. */
import type { Refusal } from '../../core/refusal.ts';
import type { AnswerOrder } from '../requests/answer.ts';

export type HandAct =
  | { readonly is: 'pause' | 'cancel'; readonly id: string }
  | { readonly is: 'resume'; readonly id: string }
  | { readonly is: 'steer'; readonly id: string; readonly words: string }
  | ({ readonly is: 'answer'; readonly request: string } & Pick<AnswerOrder, 'answer' | 'note'>);

/** `id`: of the loop. */
export type Hand = (act: HandAct) => Promise<{ readonly ok: true; readonly id: string } | Refusal>;
