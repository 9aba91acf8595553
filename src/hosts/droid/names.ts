/** What Factory's droid is called, where its files are, and what it calls its tools (0.225.2). */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export const DROID = {
  name: 'droid',
  title: 'droid',
  word: 'droid',
  tool: 'Execute',
  tools: {
    shell: ['Execute'],
    writers: ['Create', 'Edit', 'ApplyPatch'],
    servers: /___/,
    serverTool: 'server___tool',
  },
  // Nothing in the shell of its agent shows it.
  signs: [],
  // Every field of a payload is a variable, too.
  own: /^(?:(?:DROID|FACTORY)_(?:PROJECT_DIR|PLUGIN_ROOT|RUNTIME_SETTINGS_PATH)|session_id|transcript_path|cwd|permission_mode|hook_event_name|message_id|stop_hook_active|tool_execution_count|elapsed_time|prompt|has_images|tool_name|tool_input)$/,
  home: (env: Environment) => join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.factory'),
  folder: '.factory',
  ground: ['settings.json', 'hooks.json', 'plugins'],
  sessions: 'sessions',
} as const;
