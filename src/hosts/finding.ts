/** A finding about a host and its settings, with its fix. */

export interface Finding {
  /** Stable: programs may rely on it. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  readonly remedy: string | null;
}

export function ok(id: string, says: string): Finding {
  return { id, level: 'ok', says, remedy: null };
}

export function warning(id: string, says: string, remedy: string): Finding {
  return { id, level: 'warning', says, remedy };
}

export function problem(id: string, says: string, remedy: string): Finding {
  return { id, level: 'problem', says, remedy };
}
