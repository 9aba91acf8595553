/** The host that the command line works with. There is one so far; with a second one, the person will choose. */
import { claudeCodeHeadless } from './claude-code/headless/command.ts';
import { claudeCode } from './claude-code/hook/host.ts';
import { rehearsal } from './claude-code/setup/rehearsal.ts';
import { program } from './claude-code/setup/program.ts';
import { settings } from './claude-code/setup/host-settings.ts';
import { transcripts } from './claude-code/transcript-file.ts';
import { exitCode } from './exit-code/host.ts';
import { EXIT_CODE } from './names.ts';
import type { HeadlessHost } from './headless.ts';
import type { Host } from './host.ts';
import type { HostProgram, HostRehearsal, HostSettings, Transcripts } from './command-line.ts';

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

/** For `dacapo hook --protocol NAME`: the payloads of these hosts do not show who is calling. */
export const PROTOCOL_NAMES: readonly string[] = [EXIT_CODE];

export function hostOfProtocol(name: string): Host | null {
  return name === EXIT_CODE ? exitCode : null;
}
