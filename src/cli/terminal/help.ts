/** The help, made from the tables of commands and flags, so that it stays up to date. */
import { FLAG_HELP } from '../../flags/help.ts';
import { PLAN_FLAGS, RUN_FLAGS } from '../../flags/run-table.ts';
import { FLAGS, usageOf, type FlagShape } from '../../flags/table.ts';
import { chosenNames, HOST_NAMES } from '../../hosts/names.ts';
import { LINE_FLAGS, READY_FLAGS } from '../begin/prompt-line.ts';
import { SUBMIT_FLAGS } from '../fleet/submit-line.ts';
import { flagsOf, type Command, type CommandFlag, type CommandGroup } from '../command.ts';
import { examplesOf } from './examples.ts';
import { EXIT_CODES, fit, hanging, WIDTH } from './terminal.ts';

/** With less room beside a term, its description goes below it. */
const NARROWEST = 30;
const BELOW = 6;
/** Sentences are hard to read on longer lines. */
const PAGE_WIDTH = Number.isFinite(WIDTH) ? WIDTH : 80;

/** What most people need. `--help all` shows the rest. */
const DAILY = 'start run status watch ui explain logs approvals cancel resume init doctor'.split(' ');
const DAILY_FLAGS = `--host --check --features --protect --approve --max-iterations --timeout --max-cost
  --model --allowed-tools --commit --worktree --repo --ref --needs --setup --notify --dry-run`.split(/\s+/);

type Row = readonly [term: string, help: string];
interface Section {
  readonly heading: string;
  readonly rows: readonly Row[];
}

const SHOW_HELP: Row = ['-h, --help', 'show this help'];

export function programHelp(groups: readonly CommandGroup[], isAll: boolean): string {
  const about = 'Keeps a coding agent at work on a task until the task is proven done.';
  const sections = groups.map(({ heading, commands }) => ({
    heading,
    rows: commands
      .filter(({ name }) => isAll || DAILY.includes(name))
      .map((command) => rowOf(command, command.name)),
  }));
  const options = { heading: 'Options:', rows: [['-V, --version', 'show the version'] as const, SHOW_HELP] };
  const rest = isAll ? 'dacapo run --help all also the exit codes' : 'dacapo --help all shows all commands';
  return [
    page('COMMAND [flags]', about, [options, ...sections]),
    ...examplesOf('dacapo'),
    `dacapo COMMAND --help shows its flags; ${rest}.`,
  ].join('\n\n');
}

export function innerHelp({ name, about }: Command, commands: readonly Command[]): string {
  const rows = commands.map((command) => rowOf(command, command.name.slice(name.length + 1)));
  return [
    page(`${name} COMMAND [flags]`, about, [{ heading: 'Commands:', rows }]),
    ...examplesOf(name),
    `dacapo ${name} COMMAND --help shows its flags.`,
  ].join('\n\n');
}

export function commandHelp(command: Command, isAll: boolean): string {
  const { name, about, args = {}, takesPrompt } = command;
  const usage = command.usage ?? ['[options]', ...bracketed(args)].join(' ');
  const flags = flagsOf(command).map((flag): Row => [flag.usage, describe(flag)]);
  return [
    page(`${name} ${usage}`, about, [
      { heading: 'Arguments:', rows: Object.entries(args) },
      { heading: 'Options:', rows: [...flags, SHOW_HELP] },
    ]),
    ...examplesOf(name),
    ...(takesPrompt ? promptHelp(name, isAll) : []),
  ].join('\n\n');
}

function rowOf({ summary, args = {} }: Command, name: string): Row {
  return [[name, ...bracketed(args)].join(' '), summary];
}

function bracketed(args: object): string[] {
  return Object.keys(args).map((name) => `[${name}]`);
}

function describe({ help, oneOf, otherwise }: CommandFlag): string {
  return `${help}${oneOf ? `: ${oneOf.join(', ')}` : ''}${otherwise ? ` (default ${otherwise})` : ''}`;
}

function page(usage: string, about: string, sections: readonly Section[]): string {
  return [`Usage: dacapo ${usage}`, fit(about, PAGE_WIDTH).join('\n'), inColumns(sections, PAGE_WIDTH)].join(
    '\n\n',
  );
}

function inColumns(sections: readonly Section[], width: number): string {
  const column = 4 + Math.max(...sections.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const line = ([term, help]: Row): string =>
    width - column < NARROWEST
      ? [`  ${term}`, ...fit(' '.repeat(BELOW) + help, width)].join('\n')
      : hanging(`  ${term}`.padEnd(column), help, width);
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ heading, rows }) => [heading, ...rows.map(line)].join('\n'))
    .join('\n\n');
}

/** The flags of each command that takes a prompt, without those of a loop that it refuses. */
const PROMPT_COMMANDS: Readonly<Record<string, readonly FlagShape[]>> = {
  start: [...LINE_FLAGS, ...without(FLAGS, '--mode')],
  ready: [...READY_FLAGS, ...without(FLAGS, '--nest')],
  run: [...LINE_FLAGS, ...without(FLAGS, '--nest', '--mode'), ...PLAN_FLAGS, ...RUN_FLAGS],
  'fleet submit': [...READY_FLAGS, ...without(FLAGS, '--nest', '--mode'), ...PLAN_FLAGS, ...SUBMIT_FLAGS],
};

function without(flags: readonly FlagShape[], ...refused: readonly string[]): FlagShape[] {
  return flags.filter(({ flag }) => !refused.includes(flag));
}

export function promptFlags(command: string) {
  return Object.entries(FLAG_HELP).flatMap(([heading, all]) =>
    Object.entries(all).flatMap(([name, help]) =>
      (PROMPT_COMMANDS[command] ?? [])
        .filter(({ flag }) => flag === name)
        .map((flag) => ({ ...flag, heading, help: ownHelp(command, name, help) })),
    ),
  );
}

const OF_JSON: Readonly<Record<string, string>> = {
  start: 'with --dry-run, for programs',
  run: 'one JSON event per line',
};

function ownHelp(command: string, flag: string, help: string): string {
  // A session waits for its person, so it may last longer than a run.
  const isRun = command === 'run' || command === 'fleet submit';
  if (flag === '--timeout') return `${help} (default ${isRun ? '1h' : '24h'})`;
  if (flag === '--host') return `${help}: ${hostNames()}`;
  return flag === '--json' ? (OF_JSON[command] ?? help) : help;
}

function hostNames(): string {
  const others = HOST_NAMES.map(({ name }) => name).filter((name) => name !== chosenNames().name);
  return [`${chosenNames().name} (default)`, ...others].join(', ');
}

function promptHelp(command: string, isAll: boolean): string[] {
  const flags = promptFlags(command);
  const sections = Object.keys(FLAG_HELP).map((heading) => ({
    heading,
    rows: flags
      .filter((flag) => flag.heading === heading && (isAll || DAILY_FLAGS.includes(flag.flag)))
      .map((flag): Row => [usageOf(flag), flag.help]),
  }));
  const codes = EXIT_CODES.map((meaning, code) => hanging(`  ${code}  `, meaning, WIDTH));
  const hasCodes = command !== 'ready';
  const rest = `dacapo ${command} --help all shows all ${flags.length} flags${hasCodes ? ' and the exit codes' : ''}.`;
  const more = hasCodes ? [`Exit codes:\n${codes.join('\n')}`] : [];
  return [inColumns(sections, WIDTH), ...(isAll ? more : [rest])];
}
