/** Where a pass would run, for tests that start none. */
export const PASS_PLACE = { cwd: '/project', env: { HOME: '/nowhere' } };
