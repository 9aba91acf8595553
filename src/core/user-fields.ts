/** The fields of a person's own config. A project must not decide who hears of your loops, or what runs when they end. */
export const USER_FIELDS = [
  'notify',
  'notifyEvents',
  'notifySecret',
  'quietHours',
  'quietExcept',
  'callbackUrl',
] as const;
