/** Qwen Code as the command line knows it (0.24.4). */
import { isTrustedIn, geminiBasedAdapter } from '../kit/gemini-based.ts';
import type { HooksFile } from '../setup/install.ts';
import { jsonLineReader } from '../kit/stream-lines.ts';
import { CAP_SETTING, MAX_CAP_STOPS, qwen, QWEN_EVENTS } from './hook.ts';
import { QWEN } from '../tables/names.ts';
import { readLine, readRow } from './stream.ts';

/** With its usual cap a loop could go on seven times in one turn. */
const cap: HooksFile['extra'] = {
  add: (settings, order) => {
    const isOurs = order.cap && settings[CAP_SETTING] === undefined;
    return {
      settings: isOurs ? { ...settings, [CAP_SETTING]: MAX_CAP_STOPS } : settings,
      notes: [],
      added: { cap: isOurs },
    };
  },
  remove: (settings, addition) => {
    if (addition?.cap !== true || settings[CAP_SETTING] !== MAX_CAP_STOPS) return settings;
    const { [CAP_SETTING]: _, ...rest } = settings;
    return rest;
  },
  isThere: (settings, addition) => addition.cap && settings[CAP_SETTING] === MAX_CAP_STOPS,
  stays: () => [],
};

export const qwenAdapter = geminiBasedAdapter({
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
    openStream: () => jsonLineReader(readLine),
  },
  fallback: true,
  modeAt: ['tools', 'approvalMode'],
  edits: 'auto-edit',
  extra: cap,
  asks: { isTrusted: isTrustedIn(QWEN) },
  record: [(session) => `${session}.jsonl`, readRow],
});
