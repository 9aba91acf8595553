/** For `dacapo hook --protocol NAME`: the payloads of these hosts do not show who is calling. */
import { isRecord } from '../core/shape.ts';
import type { Host } from './arrival.ts';
import { exitCode } from './exit-code/host.ts';
import { jsonHost } from './json/host.ts';
import { JSON_NAME, TOOLS } from './json/names.ts';
import { pi } from './pi/hook.ts';

/** Hosts with a plugin of ours that speaks `json`. */
const PLUGINS = [pi];

const any = jsonHost({ name: JSON_NAME, tools: TOOLS, hostFiles: () => [] });

export const json: Host = {
  ...any,
  hear: (payload, env) =>
    (PLUGINS.find((host) => isRecord(payload) && host.recognises(payload, env)) ?? any).hear(payload, env),
};

export const PROTOCOLS: readonly Host[] = [exitCode, json];
