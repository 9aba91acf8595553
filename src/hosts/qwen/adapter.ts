/** Qwen Code as the command line knows it. */
import { join } from 'node:path';
import type { HostAdapter } from '../command-line.ts';
import { kinSettings } from '../gemini-kin.ts';
import { timeOf } from '../rows.ts';
import { modelIn, transcriptIn } from '../transcripts.ts';
import type { HooksFile } from '../setup/install.ts';
import { jsonLines } from '../stream-lines.ts';
import { KIN, program, qwenHeadless, readRow } from './headless.ts';
import { CAP_SETTING, MOST_CAP, qwen } from './hook.ts';
import { QWEN, qwenHome } from './names.ts';

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

export const qwenAdapter: HostAdapter = {
  ...QWEN,
  hook: qwen,
  commands: null,
  headless: qwenHeadless,
  program,
  settings: kinSettings(KIN, { extra: cap }),
  rehearsal: null,
  transcripts: {
    fileOf: (session, env) => transcriptIn(join(qwenHome(env), 'projects'), session, `${session}.jsonl`),
    timeOf,
    modelOf: modelIn,
    openRows: () => jsonLines(readRow),
  },
};
