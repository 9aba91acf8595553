/**
 * The variables that tell how to reach the database of a fleet: no pass, check, stop hook, reviewer or set-up
 * gets them.
 */
export const FLEET_VARIABLE = 'DACAPO_FLEET';

export function withoutDatabase<T>(env: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name !== FLEET_VARIABLE && !/^PG[A-Z]/.test(name)),
  );
}
