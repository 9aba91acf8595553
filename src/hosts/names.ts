/** What hosts are called. It loads no adapter. */
import { CLAUDE_CODE } from './claude-code/names.ts';

export interface HostNames {
  /** In a loop's record. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The word that starts it in a terminal. */
  readonly word: string;
  /** A tool as `--allowed-tools` takes it, for examples. */
  readonly tool: string;
}

/** The host of a loop that no session begins. There is one to choose so far. */
export function chosenNames(): HostNames {
  return CLAUDE_CODE;
}

/** The official ralph-loop plugin is one of Claude Code, whatever host a loop gets. */
export const OFFICIAL_PLUGIN_OFF = `/plugin in ${CLAUDE_CODE.title}`;

/** The manifest of our plugin, in the plugin's folder. Several hosts read it there. */
export const PLUGIN_MANIFEST = ['.claude-plugin', 'plugin.json'] as const;
