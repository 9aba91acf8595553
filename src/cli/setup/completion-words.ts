/** Lists what can be typed after each command, from the tables that the parser uses. */
import type { Command } from 'commander';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { FLAGS, type FlagShape } from '../../flags/table.ts';
import { PROMPT_FLAGS } from '../begin/prompt-source.ts';
import { READY_FLAGS } from '../begin/ready-line.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../begin/run-line.ts';
import { START_FLAGS } from '../begin/start-line.ts';

export interface CompletedFlag {
  readonly flag: string;
  readonly help: string;
  readonly takesValue: boolean;
}

export interface Completed {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** The command's first word is a loop id. */
  readonly takesId: boolean;
}

/** These commands parse their own words, so the common parser does not know their flags. */
const TABLES: Readonly<Record<string, readonly FlagShape[]>> = {
  start: [...START_FLAGS, ...FLAGS],
  ready: [...READY_FLAGS, ...FLAGS],
  run: [...PROMPT_FLAGS, LOOP_FLAG, ...FLAGS, ...PLAN_FLAGS, ...RUN_FLAGS],
};

export function shortUsage(command: Command): Completed {
  const name = command.name();
  const own = command.options.flatMap(({ long, description, required, optional }) =>
    long === undefined || long === null
      ? []
      : [{ flag: long, help: description, takesValue: required || optional }],
  );
  const table = (TABLES[name] ?? []).map(({ flag, value, help }) => ({
    flag,
    help,
    takesValue: value !== null,
  }));
  return {
    name,
    help: command.summary(),
    flags: [...table, ...own, { flag: '--help', help: 'show what it takes', takesValue: false }],
    takesId: command.registeredArguments[0]?.name().split('|').includes('id') ?? false,
  };
}
