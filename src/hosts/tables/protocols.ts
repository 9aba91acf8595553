/** For `dacapo hook --protocol NAME`: the payloads of these hosts do not show who is calling. */
import type { Host } from '../port/arrival.ts';
import { exitCode } from '../exit-code/host.ts';
import { json } from '../json/host.ts';

export const PROTOCOLS: readonly Host[] = [exitCode, json];
