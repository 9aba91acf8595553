/** The flags of every command of a fleet. */
export const DATABASE_FLAG = {
  '--database URL': 'the fleet database (default: DACAPO_FLEET, or the one of the last dacapo fleet init)',
} as const;
export const EACH = { ...DATABASE_FLAG, '--json': 'print JSON, for programs' } as const;
