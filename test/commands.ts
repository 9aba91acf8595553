/** Every command of the command line, those of a fleet too. */
import { ANSWER_COMMANDS } from '#surfaces/cli/answer/commands.ts';
import { BEGINNINGS } from '#surfaces/cli/begin/commands.ts';
import type { Command } from '#surfaces/cli/command.ts';
import { FLEET } from '#surfaces/cli/fleet/commands.ts';
import { FLEET_COMMANDS } from '#surfaces/cli/fleet/inner.ts';
import { LOOKS } from '#surfaces/cli/look/commands.ts';
import { FOR_PROGRAMS, HOUSEKEEPING } from '#surfaces/cli/setup/commands.ts';
import { CONTROLS } from '#surfaces/cli/steer/commands.ts';

const GROUPS = [BEGINNINGS, LOOKS, ANSWER_COMMANDS, CONTROLS, FLEET, HOUSEKEEPING, FOR_PROGRAMS];
export const ALL_COMMANDS: readonly Command[] = [
  ...GROUPS.flatMap(({ commands }) => commands),
  ...FLEET_COMMANDS,
];
