/** For `dacapo hook --protocol NAME`: the payloads of these hosts do not show who is calling. */
import { exitCode } from './exit-code/host.ts';
import type { Host } from './host.ts';

export const PROTOCOLS: readonly Host[] = [exitCode];
