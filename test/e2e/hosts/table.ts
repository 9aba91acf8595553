// How each published agent is pointed at the scripted model, started headless, and given a stop hook. `base`
// is its own folder at the model server.
import { join } from 'node:path';

export interface HostRig {
  /** Its usual name on the PATH, if it is another than the host's. */
  readonly program?: string;
  readonly env?: (base: string) => Record<string, string>;
  /** Its own settings, by path below HOME. An object is written as JSON. */
  readonly files?: (base: string, project: string) => Record<string, string | object>;
  /** The words after the program's name. */
  readonly headless: (prompt: string) => string[];
  /**
   * The settings of a stop hook, or a plugin in its place, that runs this shell command: merged into `files`.
   */
  readonly stopHook: (command: string) => Record<string, string | object>;
}

const MODEL = 'scripted';

/**
 * Some start themselves again with more memory, which takes as long as the rest. A test about what is left
 * running takes these away.
 */
export const ONE_PROCESS = { GEMINI_CLI_NO_RELAUNCH: 'true', QWEN_CODE_NO_RELAUNCH: 'true' };

/** The group that most hosts have taken over from Claude Code. */
const group = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];

/** For a plugin: the reason that a stop hook's command gives, if it blocks. */
const HEAR = `import { spawnSync } from 'node:child_process';
const hear = (command) => {
  const { stdout } = spawnSync('sh', ['-c', command], { input: '{}', encoding: 'utf8' });
  return stdout.trim() && JSON.parse(stdout).reason;
};`;

export const HOST_RIGS = {
  'claude-code': {
    program: 'claude',
    headless: (prompt) => [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'bypassPermissions',
      prompt,
    ],
    stopHook: (command) => ({ '.claude/settings.json': { hooks: { Stop: group(command, 30) } } }),
  },
  codex: {
    env: () => ({ SCRIPTED_KEY: 'dummy' }),
    // With analytics or plugins on and no network, it starts five seconds later.
    files: (base) => ({
      '.codex/config.toml': `
model = "${MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "${base}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[analytics]
enabled = false
[features]
plugins = false
`,
    }),
    headless: (prompt) => [
      'exec',
      '--json',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    stopHook: (command) => ({ '.codex/hooks.json': { hooks: { Stop: group(command, 30) } } }),
  },
  copilot: {
    env: (base) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      // It unpacks itself, which takes longer than a test.
      COPILOT_PKG_CACHE_HOME: join(import.meta.dirname, '../../../node_modules/.cache/copilot'),
      COPILOT_PROVIDER_BASE_URL: `${base}/v1`,
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: MODEL,
    }),
    headless: (prompt) => ['-p', prompt, '--output-format', 'json', '--allow-all-tools'],
    stopHook: (command) => ({ '.copilot/hooks/stop.json': { hooks: { Stop: group(command, 30) } } }),
  },
  droid: {
    // Without this it waits five seconds for its own servers.
    env: () => ({ FACTORY_AIRGAP_ENABLED: 'true' }),
    // In the form in which it writes them itself. All but the first is for sessions in a terminal.
    files: (base, project) => ({
      '.factory/settings.json': {
        customModels: [
          {
            model: MODEL,
            id: 'custom:Scripted-0',
            index: 0,
            baseUrl: `${base}/v1`,
            apiKey: 'dummy',
            displayName: 'Scripted',
            maxOutputTokens: 4096,
            noImageSupport: true,
            provider: 'generic-chat-completion-api',
          },
        ],
        sessionDefaultSettings: { model: 'custom:Scripted-0', autonomyMode: 'auto-high' },
        trustedFolders: { [project]: { trustedAt: '2026-11-17T09:33:55.154Z' } },
        logoAnimation: 'off',
      },
    }),
    headless: (prompt) => ['exec', '-m', 'custom:Scripted-0', '--auto', 'high', '-o', 'stream-json', prompt],
    stopHook: (command) => ({ '.factory/settings.json': { hooks: { Stop: group(command, 30) } } }),
  },
  qwen: {
    env: (base) => ({
      OPENAI_API_KEY: 'dummy',
      OPENAI_BASE_URL: `${base}/v1`,
      OPENAI_MODEL: MODEL,
      ...ONE_PROCESS,
    }),
    files: () => ({
      '.qwen/settings.json': {
        // It writes this itself where it is missing.
        $version: 4,
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        // Otherwise an agent in the background asks the model once more after the end.
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      },
    }),
    headless: (prompt) => ['-p', prompt, '--output-format', 'stream-json', '--approval-mode', 'yolo'],
    stopHook: (command) => ({ '.qwen/settings.json': { hooks: { Stop: group(command, 30_000) } } }),
  },
  gemini: {
    env: (base) => ({
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: base,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      ...ONE_PROCESS,
    }),
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, maxAttempts: 2 },
        privacy: { usageStatisticsEnabled: false },
        // It takes a scripted model's similar answers for a loop.
        model: { disableLoopDetection: true },
      },
    }),
    // With a model named, it does not ask another one which to take.
    headless: (prompt) => [
      '-p',
      prompt,
      '-m',
      'gemini-2.5-flash',
      '--output-format',
      'stream-json',
      '--approval-mode',
      'yolo',
    ],
    stopHook: (command) => ({ '.gemini/settings.json': { hooks: { AfterAgent: group(command, 30_000) } } }),
  },
  opencode: {
    // With a plugin it installs a package at its start, and waits: a registry that has none is quick.
    env: (base) => ({
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
      npm_config_registry: `${base}/registry/`,
      npm_config_fetch_retries: '0',
    }),
    files: (base) => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        model: `scripted/${MODEL}`,
        small_model: `scripted/${MODEL}`,
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${base}/v1`, apiKey: 'dummy' },
            models: {
              // Prices for a million tokens.
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
    headless: (prompt) => ['run', '--format', 'json', prompt],
    // It has no stop hook. Of the events of a plugin it awaits this one alone, so a slow command is heard
    // too.
    stopHook: (command) => ({
      '.config/opencode/plugins/stop.js': `
${HEAR}
export const stop = async ({ client }) => ({
  'experimental.text.complete': async ({ sessionID }) => {
    const text = hear(${JSON.stringify(command)});
    if (text) await client.session.promptAsync({ path: { id: sessionID }, body: { parts: [{ type: 'text', text }] } });
  },
});
`,
    }),
  },
  pi: {
    env: () => ({ PI_OFFLINE: '1' }),
    files: (base) => ({
      '.pi/agent/models.json': {
        providers: {
          scripted: {
            baseUrl: `${base}/v1`,
            api: 'openai-completions',
            apiKey: 'dummy',
            compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
            // Prices for a million tokens.
            models: [{ id: MODEL, cost: { input: 1, output: 5, cacheRead: 0, cacheWrite: 0 } }],
          },
        },
      },
    }),
    headless: (prompt) => ['--provider', 'scripted', '--model', MODEL, '-p', '--mode', 'json', prompt],
    // It has no stop hook. The handler must not await: the turn would be over.
    stopHook: (command) => ({
      '.pi/agent/extensions/stop.ts': `
${HEAR}
export default (pi) =>
  pi.on('message_end', ({ message }) => {
    if (message.role !== 'assistant' || message.stopReason !== 'stop') return;
    const text = hear(${JSON.stringify(command)});
    if (text) pi.sendUserMessage(text, { deliverAs: 'followUp' });
  });
`,
    }),
  },
} satisfies Record<string, HostRig>;

export type RigName = keyof typeof HOST_RIGS;
