export type HookPayload = Readonly<Record<string, unknown>>;

/** Empty where there is no text under this key. */
export function textOf(payload: HookPayload, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}
