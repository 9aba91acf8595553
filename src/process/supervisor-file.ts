/** The supervisor of checks, where no bundle lies beside it. */
import { join } from 'node:path';
import { PACKAGE } from './package.ts';

export const RUNNER = join(PACKAGE, 'plugin', 'dist', 'runner.cjs');
