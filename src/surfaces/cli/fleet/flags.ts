/** The flags of every command of a fleet. */
export const EACH = {
  '--database URL': 'the database of the fleet (default: DACAPO_FLEET, or that of the last init)',
  '--json': 'for programs',
} as const;
