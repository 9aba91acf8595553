/**
 * The fields of a person's own config. A project must not decide who hears of your loops, or what rules may
 * run.
 */
export const USER_FIELDS = [
  'notify',
  'notifyEvents',
  'notifySecret',
  'callbackUrl',
  'rules',
  'prices',
] as const;
