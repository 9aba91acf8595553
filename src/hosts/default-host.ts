/** The host that the command line works with. There is one so far; with a second one, the person will choose. */
import { claudeCodeHeadless } from './claude-code/headless/command.ts';
import { claudeCode } from './claude-code/hook/host.ts';
import { rehearsal } from './claude-code/setup/rehearsal.ts';
import { program } from './claude-code/setup/program.ts';
import { settings } from './claude-code/setup/host-settings.ts';
import { transcripts } from './claude-code/transcript-file.ts';
import type { HeadlessHost } from './headless.ts';
import type { Host } from './host.ts';
import type { HostProgram } from './program.ts';
import type { HostRehearsal } from './rehearsal.ts';
import type { HostSettings } from './settings.ts';
import type { Transcripts } from './transcripts.ts';

export interface CommandLineHost {
  readonly hook: Host;
  readonly headless: HeadlessHost;
  readonly program: HostProgram;
  readonly settings: HostSettings;
  readonly rehearsal: HostRehearsal;
  readonly transcripts: Transcripts;
}

export const HOST: CommandLineHost = {
  hook: claudeCode,
  headless: claudeCodeHeadless,
  program,
  settings,
  rehearsal,
  transcripts,
};
