// How each published agent is pointed at the scripted model, started headless, and given a stop hook. `base` is its own
// folder at the model server.

export interface HostRig {
  readonly env?: (base: string) => Record<string, string>;
  /** Its own settings, by path below HOME. An object is written as JSON. */
  readonly files?: (base: string) => Record<string, string | object>;
  /** The words after the program's name. */
  readonly headless: (prompt: string) => string[];
  /** The settings of a stop hook that runs this shell command: merged into `files`. */
  readonly stopHook?: (command: string) => Record<string, object>;
}

const MODEL = 'scripted';

/** The group that most hosts have taken over from Claude Code. */
const group = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];

export const HOST_RIGS = {
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
} satisfies Record<string, HostRig>;

export type RigName = keyof typeof HOST_RIGS;
