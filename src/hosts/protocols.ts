/** The hosts for `dacapo hook --protocol NAME`, whose payloads do not show who is calling. */
import { exitCode } from './exit-code/host.ts';
import type { Host } from './host.ts';

const PROTOCOLS: readonly Host[] = [exitCode];

export const PROTOCOL_NAMES: readonly string[] = PROTOCOLS.map(({ name }) => name);

export function hostOfProtocol(name: string): Host | null {
  return PROTOCOLS.find((host) => host.name === name) ?? null;
}
