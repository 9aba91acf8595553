/** What a person types to Da Capo, by the names that it has where they sit. */
export type Commands = Readonly<Record<'resume' | 'cancel' | 'approve' | 'reject' | 'answer', string>>;

export const TERMINAL: Commands = {
  resume: 'dacapo resume',
  cancel: 'dacapo cancel',
  approve: 'dacapo approve',
  reject: 'dacapo reject',
  answer: 'dacapo answer',
};
