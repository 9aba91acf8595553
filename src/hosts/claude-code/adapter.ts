/** Claude Code as the command line knows it. */
import type { HostAdapter } from '../command-line.ts';
import { claudeCodeHeadless } from './headless/command.ts';
import { claudeCode } from './hook/host.ts';
import { commandsIn } from './hook/terms.ts';
import { CLAUDE_CODE } from './names.ts';
import { program } from './setup/program.ts';
import { rehearsal } from './setup/rehearsal.ts';
import { settings } from './setup/host-settings.ts';
import { transcripts } from './transcript-file.ts';

export const claudeCodeAdapter: HostAdapter = {
  ...CLAUDE_CODE,
  hook: claudeCode,
  commands: { ...commandsIn({}), start: '/ralph' },
  headless: claudeCodeHeadless,
  program,
  settings,
  rehearsal,
  transcripts,
};
