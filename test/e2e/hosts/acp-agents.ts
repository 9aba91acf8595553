// Agents that Da Capo drives by the Agent Client Protocol, and how each is pointed at the scripted model. Some
// have an adapter of their own as well; `kilo`, `cline` and `kimi` have none.
import { join } from 'node:path';
import { installedHost } from '../../../scripts/test/hosts.mjs';
import type { HostRig, RigName } from './table.ts';

const MODEL = 'scripted';

const NODE_24 = installedHost('node-24').program ?? 'node';

/** Agents without an adapter: their settings, as for those in `table.ts`. They have no hooks of ours. */
export const ACP_RIGS = {
  kilo: {
    env: (base) => ({
      KILO_DISABLE_AUTOUPDATE: 'true',
      KILO_DISABLE_MODELS_FETCH: 'true',
      KILO_DISABLE_SESSION_INGEST: 'true',
      npm_config_registry: `${base}/registry/`,
      npm_config_fetch_retries: '0',
    }),
    files: (base) => ({
      '.config/kilo/kilo.json': {
        autoupdate: false,
        share: 'disabled',
        model: `scripted/${MODEL}`,
        small_model: `scripted/${MODEL}`,
        permission: { bash: 'ask', edit: 'ask' },
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${base}/v1`, apiKey: 'dummy' },
            models: {
              [MODEL]: {
                name: 'Scripted',
                limit: { context: 100_000, output: 8000 },
                cost: { input: 1, output: 5 },
              },
            },
          },
        },
      },
    }),
    headless: () => ['acp'],
    stopHook: () => ({}),
  },
  cline: {
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
    files: (base) => ({
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'dummy', model: MODEL, baseUrl: `${base}/v1` },
            updatedAt: '2026-11-18T12:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    headless: () => ['--acp'],
    stopHook: () => ({}),
  },
  kimi: {
    env: () => ({ KIMI_DISABLE_TELEMETRY: '1' }),
    files: (base) => ({
      '.kimi-code/config.toml': `
default_model = "${MODEL}"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "${base}/v1"
api_key = "dummy"
[models.${MODEL}]
provider = "scripted"
model = "${MODEL}"
max_context_size = 100000
`,
    }),
    headless: () => ['acp'],
    stopHook: () => ({}),
  },
} satisfies Record<string, HostRig>;

export type AcpRigName = keyof typeof ACP_RIGS;

export interface AcpAgent {
  /** Whose settings and program it uses. */
  readonly rig: RigName | AcpRigName;
  /** `bin`: the folder with the programs of the rig. */
  readonly command: (bin: string) => string;
  /** What it tells of three iterations with 480 tokens, for $0.0008 at its own prices. */
  readonly tells?: { readonly tokens?: number; readonly cost_usd?: number };
  /** It goes on in a session of an earlier process. */
  readonly loads: boolean;
  /** It asks before it runs a command, with the settings of its rig. */
  readonly asks: boolean;
  /** How a 401 reaches us. Null: not as a fault within two minutes. */
  readonly unauthorized: 'fatal' | 'transient' | null;
  /** It has a mode in which it only reads. */
  readonly reviews: boolean;
}

const adapterAt = (name: 'codex-acp' | 'claude-agent-acp' | 'pi-acp') =>
  `${NODE_24} ${installedHost(name).program ?? name}`;

export const ACP_AGENTS = {
  gemini: {
    rig: 'gemini',
    command: () => 'gemini --acp -m gemini-2.5-flash',
    tells: { tokens: 480 },
    loads: false,
    asks: true,
    unauthorized: 'fatal',
    reviews: true,
  },
  qwen: {
    rig: 'qwen',
    command: () => 'qwen --acp',
    loads: true,
    asks: true,
    unauthorized: 'transient',
    reviews: true,
  },
  opencode: {
    rig: 'opencode',
    command: () => 'opencode acp',
    // Of a turn it tells the last request.
    tells: { tokens: 360, cost_usd: 0.0008 },
    loads: true,
    asks: false,
    unauthorized: 'transient',
    reviews: true,
  },
  copilot: {
    rig: 'copilot',
    command: () => 'copilot --acp',
    tells: { tokens: 480 },
    loads: true,
    asks: true,
    unauthorized: null,
    reviews: true,
  },
  droid: {
    rig: 'droid',
    command: () => 'droid exec -o acp -m custom:Scripted-0',
    loads: true,
    asks: false,
    unauthorized: 'transient',
    reviews: false,
  },
  codex: {
    rig: 'codex',
    command: (bin) => `env CODEX_PATH=${join(bin, 'codex')} ${adapterAt('codex-acp')}`,
    tells: { tokens: 480 },
    loads: true,
    asks: false,
    unauthorized: 'fatal',
    reviews: true,
  },
  'claude-code': {
    rig: 'claude-code',
    // Else it asks its model after a turn what a person might type next.
    command: (bin) =>
      `env CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION=false CLAUDE_CODE_EXECUTABLE=${join(bin, 'claude')} ` +
      adapterAt('claude-agent-acp'),
    // And the cost, which has some more of its own in it, not always the same.
    tells: { tokens: 480 },
    loads: true,
    asks: true,
    // It asks again by itself for minutes.
    unauthorized: null,
    reviews: true,
  },
  pi: {
    rig: 'pi',
    command: () => adapterAt('pi-acp'),
    loads: true,
    asks: false,
    unauthorized: 'transient',
    reviews: false,
  },
  kilo: {
    rig: 'kilo',
    command: () => 'kilo acp',
    tells: { tokens: 360, cost_usd: 0.0008 },
    loads: true,
    asks: true,
    unauthorized: 'transient',
    reviews: true,
  },
  cline: {
    rig: 'cline',
    command: () => 'cline --acp',
    loads: true,
    asks: true,
    unauthorized: 'transient',
    reviews: true,
  },
  kimi: {
    rig: 'kimi',
    command: () => `${NODE_24} ${installedHost('kimi').program ?? 'kimi'} acp`,
    loads: true,
    asks: true,
    unauthorized: 'fatal',
    reviews: true,
  },
} satisfies Record<string, AcpAgent>;

export type AcpName = keyof typeof ACP_AGENTS;
