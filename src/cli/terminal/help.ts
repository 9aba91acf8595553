/** The help, made from the tables of commands and flags, so that it stays up to date. */
import { inGroups } from '../../flags/groups.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { FLAGS, usageOf, type FlagShape } from '../../flags/table.ts';
import { chosenNames } from '../../hosts/names.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../begin/run-line.ts';
import { PROMPT_FLAGS } from '../begin/prompt-source.ts';
import { READY_FLAGS } from '../begin/ready-line.ts';
import { START_FLAGS } from '../begin/start-line.ts';
import { flagsOf, type Command, type CommandFlag, type Group } from '../command.ts';
import { examplesOf } from './examples.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { fit, hanging, WIDTH } from './terminal.ts';

/** With less room beside a term, its description goes below it. */
const NARROWEST = 30;
const BELOW = 6;
/** Sentences are hard to read on longer lines. */
const PAGE_WIDTH = Number.isFinite(WIDTH) ? WIDTH : 80;

/** What most people need. `--help all` shows the rest. */
const DAILY = 'start run status watch ui explain logs approvals cancel resume init doctor'.split(' ');
const DAILY_FLAGS = `--check --features --protect --approve --max-iterations --timeout --max-cost
  --model --allowed-tools --commit --worktree --notify --dry-run`.split(/\s+/);

type Row = readonly [term: string, help: string];
interface Section {
  readonly heading: string;
  readonly rows: readonly Row[];
}

const SHOW_HELP: Row = ['-h, --help', 'show this help'];

export function programHelp(groups: readonly Group[], isAll: boolean): string {
  const about = `Keeps ${chosenNames().title} at work on a task until the task is proven done.`;
  const sections = groups.map(({ heading, commands }) => ({
    heading,
    rows: commands
      .filter(({ name }) => isAll || DAILY.includes(name))
      .map(({ name, summary, args = {} }): Row => [[name, ...bracketed(args)].join(' '), summary]),
  }));
  const options = { heading: 'Options:', rows: [['-V, --version', 'show the version'] as const, SHOW_HELP] };
  const rest = isAll ? 'dacapo run --help all also the exit codes' : 'dacapo --help all shows all commands';
  return [
    page('COMMAND [flags]', about, [options, ...sections]),
    examplesOf('dacapo'),
    `dacapo COMMAND --help shows its flags; ${rest}.`,
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
    examplesOf(name),
    ...(takesPrompt ? promptHelp(name, isAll) : []),
  ].join('\n\n');
}

function bracketed(args: object): string[] {
  return Object.keys(args).map((name) => `[${name}]`);
}

function describe({ help, oneOf, otherwise }: CommandFlag): string {
  return `${help}${oneOf ? `: ${oneOf.join(', ')}` : ''}${otherwise ? ` (default ${otherwise})` : ''}`;
}

function page(usage: string, about: string, sections: readonly Section[]): string {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  return [`Usage: dacapo ${usage}`, fit(about, PAGE_WIDTH).join('\n'), inColumns(shown, PAGE_WIDTH)].join(
    '\n\n',
  );
}

function inColumns(sections: readonly Section[], width: number): string {
  const column = 4 + Math.max(...sections.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const line = ([term, help]: Row): string =>
    width - column < NARROWEST
      ? [`  ${term}`, ...fit(' '.repeat(BELOW) + help, width)].join('\n')
      : hanging(`  ${term}`.padEnd(column), help, width);
  return sections.map(({ heading, rows }) => [heading, ...rows.map(line)].join('\n')).join('\n\n');
}

/** The flags of a command that takes a prompt. The parser of the other commands does not know them. */
export const PROMPT_COMMANDS: Readonly<
  Record<string, readonly Pick<FlagShape, 'flag' | 'value' | 'help'>[]>
> = {
  start: [...START_FLAGS, ...loopFlags('24h', '--mode')],
  ready: [...READY_FLAGS, ...loopFlags('24h', '--nest')],
  run: [...PROMPT_FLAGS, LOOP_FLAG, ...loopFlags('1h', '--nest', '--mode'), ...PLAN_FLAGS, ...RUN_FLAGS],
};

/** The flags of a loop, without those that this command refuses. A session and a run have different time limits. */
function loopFlags(timeout: string, ...refused: readonly string[]): FlagShape[] {
  return FLAGS.filter(({ flag }) => !refused.includes(flag)).map((flag) =>
    flag.flag === '--timeout' ? { ...flag, help: `${flag.help} (default ${timeout})` } : flag,
  );
}

function promptHelp(command: string, isAll: boolean): string[] {
  const flags = PROMPT_COMMANDS[command] ?? [];
  const shown = flags.filter(({ flag }) => isAll || DAILY_FLAGS.includes(flag));
  const groups = inGroups(shown).map(({ heading, flags: ones }) => ({
    heading,
    rows: ones.map((flag): Row => [usageOf(flag), flag.help]),
  }));
  const codes = EXIT_CODES.map(({ code, meaning }) => hanging(`  ${code}  `, meaning, WIDTH));
  const hasCodes = command !== 'ready';
  return [
    inColumns(groups, WIDTH),
    ...(isAll
      ? hasCodes
        ? [`Exit codes:\n${codes.join('\n')}`]
        : []
      : [
          `dacapo ${command} --help all shows all ${flags.length} flags${hasCodes ? ' and the exit codes' : ''}.`,
        ]),
  ];
}
