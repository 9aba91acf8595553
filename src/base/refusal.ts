/** A request that can't be granted, as a value: what is wrong and what the person can do now. */
export interface Refusal {
  readonly ok: false;
  /** Stable, so programs may rely on it. */
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export type Granted<T> = ({ readonly ok: true } & T) | Refusal;

export function isRefusal(value: object): value is Refusal {
  return 'ok' in value && value.ok === false && 'code' in value;
}

export function refuse(code: string, message: string, next: string): Refusal {
  return { ok: false, code, message, next };
}

export function refuseTooLong(text: string, most: number): Refusal {
  const why = `The text has ${text.length} characters, and at most ${most} are read.`;
  return refuse('too-long', why, 'Send the end of it.');
}
