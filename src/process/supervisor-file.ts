/** The supervisor of checks, for programs that have no bundle beside them. */
import { join } from 'node:path';
import { PACKAGE } from './package.ts';

export const RUNNER = join(PACKAGE, 'plugin', 'dist', 'runner.cjs');
