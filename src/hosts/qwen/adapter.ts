/** Qwen Code as the command line knows it (0.24.4). */
import { join } from 'node:path';
import { kinAdapter } from '../gemini-kin.ts';
import type { SettingsPlace } from '../headless.ts';
import type { HooksFile } from '../setup/install.ts';
import { settingsIn } from '../setup/settings.ts';
import { jsonLines } from '../stream-lines.ts';
import { CAP_SETTING, MOST_CAP, qwen, QWEN_EVENTS } from './hook.ts';
import { QWEN } from '../names.ts';
import { readLine, readRow } from './stream.ts';

/** With its usual cap a loop could go on seven times in one turn. */
const cap: HooksFile['extra'] = {
  add: (settings, order) => {
    const isOurs = order.cap && settings[CAP_SETTING] === undefined;
    return {
      settings: isOurs ? { ...settings, [CAP_SETTING]: MOST_CAP } : settings,
      notes: [],
      added: { cap: isOurs },
    };
  },
  remove: (settings, addition) => {
    if (addition?.cap !== true || settings[CAP_SETTING] !== MOST_CAP) return settings;
    const { [CAP_SETTING]: _, ...rest } = settings;
    return rest;
  },
  isThere: (settings, addition) => addition.cap && settings[CAP_SETTING] === MOST_CAP,
  stays: () => [],
};

export const qwenAdapter = kinAdapter({
  ...QWEN,
  hook: qwen,
  events: QWEN_EVENTS,
  program: {
    // Older ones report a key that is not accepted as a success, and read times of hooks differently.
    oldest: '0.24.4',
    install: 'npm install -g @qwen-code/qwen-code',
  },
  headless: {
    login: 'qwen, then /auth',
    permissionModes: ['plan', 'default', 'auto-edit', 'auto', 'yolo'],
    openStream: () => jsonLines(readLine),
  },
  fallback: true,
  modeAt: ['tools', 'approvalMode'],
  edits: 'auto-edit',
  extra: cap,
  asks: { isTrusted },
  record: [(session) => `${session}.jsonl`, readRow],
});

function isTrusted({ project, env }: SettingsPlace): boolean {
  const folders = settingsIn(join(QWEN.home(env), 'trustedFolders.json')) ?? {};
  return folders[project] === 'TRUST_FOLDER';
}
