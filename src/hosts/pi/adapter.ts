/** pi as the command line knows it. */
import { join } from 'node:path';
import { recordAt } from '../../core/shape.ts';
import type { HostAdapter } from '../command-line.ts';
import { ok } from '../headless.ts';
import { timeOf } from '../rows.ts';
import { pluginSettings } from '../setup/plugin-file.ts';
import { jsonLines } from '../stream-lines.ts';
import { modelIn, transcriptIn } from '../transcripts.ts';
import { piHeadless, program, readMessage } from './headless.ts';
import { pi } from './hook.ts';
import { PI, piHome } from './names.ts';

export const piAdapter: HostAdapter = {
  ...PI,
  hook: pi,
  commands: null,
  headless: piHeadless,
  program,
  settings: pluginSettings(PI, {
    folder: (scope, { env, project }) =>
      join(scope === 'user' ? piHome(env) : join(project, '.pi'), 'extensions'),
    afterInstall: [ok('mcp', 'pi has no MCP, so its agents have no tools of Da Capo')],
  }),
  rehearsal: null,
  transcripts: {
    fileOf: (session, env) => transcriptIn(join(piHome(env), 'sessions'), session, `_${session}.jsonl`),
    timeOf,
    modelOf: modelIn,
    openRows: () => jsonLines((row) => readMessage(recordAt(row, 'message'))),
  },
};
