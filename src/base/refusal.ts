/** A request that can't be granted, as a value: what is wrong and what the person can do now. */
export interface Refusal<Next = string> {
  readonly ok: false;
  /** Stable, so programs may rely on it. */
  readonly code: string;
  readonly message: string;
  readonly next: Next;
}

export type Granted<T, Next = string> = ({ readonly ok: true } & T) | Refusal<Next>;

export function isRefusal(value: object): value is Refusal {
  return 'ok' in value && value.ok === false && 'code' in value;
}

export function refuse<Next = string>(code: string, message: string, next: Next): Refusal<Next> {
  return { ok: false, code, message, next };
}

export function refuseTooLong(text: string, most: number): Refusal {
  const why = `The text has ${text.length} characters, and at most ${most} are read.`;
  return refuse('too-long', why, 'Send the end of it.');
}
