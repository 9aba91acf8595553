/** Gemini CLI as the command line knows it. */
import { join } from 'node:path';
import type { HostAdapter } from '../command-line.ts';
import { kinSettings } from '../gemini-kin.ts';
import { ok } from '../headless.ts';
import { timeOf } from '../rows.ts';
import { modelIn, transcriptIn } from '../transcripts.ts';
import { jsonLines } from '../stream-lines.ts';
import { geminiHeadless, KIN, program, readRow } from './headless.ts';
import { gemini } from './hook.ts';
import { GEMINI, geminiHome } from './names.ts';

const FOLDER =
  'Gemini CLI reads the hooks of a project only where you trust the folder: it asks at its start, and without a screen it exits';

export const geminiAdapter: HostAdapter = {
  ...GEMINI,
  hook: gemini,
  commands: null,
  headless: geminiHeadless,
  program,
  settings: kinSettings(KIN, { after: (scope) => (scope === 'user' ? [] : [ok('folder', FOLDER)]) }),
  rehearsal: null,
  transcripts: {
    fileOf: (session, env) =>
      transcriptIn(join(geminiHome(env), 'tmp'), session, `-${session.slice(0, 8)}.jsonl`),
    timeOf,
    modelOf: modelIn,
    openRows: () => jsonLines(readRow),
  },
};
