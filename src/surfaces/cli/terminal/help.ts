/** The help, made from the tables of commands and flags, so that it stays up to date. */
import { shownFlags, usageOfArguments } from '#input/command-table.ts';
import { HEADINGS, usageOf, type Flag } from '#input/flag.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import type { Command, CommandGroup } from '../command.ts';
import { LOOP_FOLDER } from '#evidence/views/places.ts';
import { EXIT_CODES, fitLine, hanging, screenWidth } from './terminal.ts';

/** With less room beside a term, its description goes below it. */
const MIN_HELP_COLUMNS = 30;
const HELP_INDENT_COLUMNS = 6;
/** Sentences are hard to read on longer lines. */
const PAGE_WIDTH = Number.isFinite(screenWidth()) ? screenWidth() : 80;

/** What most people need. `--help all` shows the rest. */
const DAILY = 'start run status watch ui explain logs approvals cancel resume init doctor'.split(' ');
/** People seldom type these: they are shown beside what other programs call. */
const FOR_PROGRAMS = 'ready features hooks checkpoints'.split(' ');
const DAILY_FLAGS =
  `--host --prompt-file --check --features --protect --approve --max-iterations --timeout --max-cost
  --model --allowed-tools --commit --worktree --repo --ref --needs --setup --notify --dry-run`.split(/\s+/);

type HelpRow = readonly [term: string, help: string];
interface Section {
  readonly heading: string;
  readonly rows: readonly HelpRow[];
}

const SHOW_HELP: HelpRow = ['-h, --help', 'show this help'];

export function programHelp(groups: readonly CommandGroup[], isAll: boolean): string {
  const about = 'Keeps a coding agent at work on a task until the task is proven done.';
  const seldom = groups.flatMap(({ commands }) => commands.filter(({ name }) => FOR_PROGRAMS.includes(name)));
  const sections = groups.map(({ heading, commands }, at) => ({
    heading,
    rows: [
      ...commands.filter(({ name }) => !FOR_PROGRAMS.includes(name)),
      ...(at === groups.length - 1 ? seldom : []),
    ]
      .filter(({ name }) => isAll || DAILY.includes(name))
      .map((command) => rowOf(command, command.name)),
  }));
  const options = { heading: 'Flags:', rows: [['-V, --version', 'show the version'] as const, SHOW_HELP] };
  const rest = isAll ? 'dacapo run --help all shows the exit codes' : 'dacapo --help all shows all commands';
  return [
    page('COMMAND [flags]', about, [options, ...sections]),
    ...examplesOf('dacapo'),
    `dacapo COMMAND --help shows the flags of a command; ${rest}.`,
  ].join('\n\n');
}

export function innerHelp({ name, about }: Command, commands: readonly Command[]): string {
  const rows = commands.map((command) => rowOf(command, command.name.slice(name.length + 1)));
  return [
    page(`${name} COMMAND [flags]`, about, [{ heading: 'Commands:', rows }]),
    ...examplesOf(name),
    `dacapo ${name} COMMAND --help shows the flags of a command.`,
  ].join('\n\n');
}

export function commandHelp(command: Command, isAll: boolean): string {
  const { name, about, needs = {}, args = {}, takesPrompt } = command;
  const usage = command.usage ?? `${usageOfArguments(command)} [flags]`.trim();
  const flags = shownFlags(command);
  const rowsUnder = (heading: string | undefined) =>
    flags
      .filter((flag) => flag.under === heading)
      .filter(({ flag }) => heading === undefined || isAll || DAILY_FLAGS.includes(flag))
      .map((flag): HelpRow => [usageOf(flag), describe(flag)]);
  const sections = HEADINGS.map((heading) => ({ heading, rows: rowsUnder(heading) }));
  return [
    page(`${name} ${usage}`, about, [
      {
        heading: 'Arguments:',
        rows: Object.entries({ ...needs, ...args }).map(([arg, help]) => [arg.toUpperCase(), help]),
      },
      { heading: 'Flags:', rows: [...rowsUnder(undefined), SHOW_HELP] },
    ]),
    ...examplesOf(name),
    ...(takesPrompt ? [inColumns(sections, screenWidth()), moreHelp(name, flags.length, isAll)] : []),
  ].join('\n\n');
}

/** The end of a long help: the exit codes, or how to see them and the other flags. */
function moreHelp(name: string, flags: number, isAll: boolean): string {
  const hasCodes = name !== 'ready';
  if (!isAll)
    return `dacapo ${name} --help all shows all ${flags} flags${hasCodes ? ' and the exit codes' : ''}.`;
  const codes = EXIT_CODES.map((meaning, code) => hanging(`  ${code}  `, meaning));
  return hasCodes ? `Exit codes:\n${codes.join('\n')}` : `dacapo run --help all shows the flags of a run.`;
}

function rowOf(command: Command, name: string): HelpRow {
  return [`${name} ${usageOfArguments(command)}`.trim(), command.summary];
}

function describe({ help, value, oneOf, otherwise }: Flag): string {
  const choices = oneOf === undefined || value === oneOf.join('|') ? '' : `: ${oneOf.join(', ')}`;
  return `${help}${choices}${otherwise ? ` (default ${otherwise})` : ''}`;
}

function page(usage: string, about: string, sections: readonly Section[]): string {
  return [
    `Usage: dacapo ${usage}`,
    fitLine(about, PAGE_WIDTH).join('\n'),
    inColumns(sections, PAGE_WIDTH),
  ].join('\n\n');
}

function inColumns(sections: readonly Section[], width: number): string {
  const column = 4 + Math.max(...sections.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const line = ([term, help]: HelpRow): string =>
    width - column < MIN_HELP_COLUMNS
      ? [`  ${term}`, ...fitLine(' '.repeat(HELP_INDENT_COLUMNS) + help, width)].join('\n')
      : hanging(`  ${term}`.padEnd(column), help, width);
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ heading, rows }) => [heading, ...rows.map(line)].join('\n'))
    .join('\n\n');
}

/** The column in which the rest of an example begins that is too long for the terminal. */
const EXAMPLE_INDENT_COLUMNS = 6;

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  dacapo: [
    'dacapo start "Fix the failing tests" --check "npm test" --max-iterations 20',
    'dacapo watch                follow all loops, with keys to answer and steer',
    'dacapo explain              why the loop continues or ended',
    'dacapo cancel               end the loop, from any terminal',
  ],
  start: [
    'dacapo start "Make the parser handle nested lists" --check "npm test"',
    'dacapo start --prompt-file PROMPT.md --completion-promise "ALL DONE" --max-cost 5',
    'dacapo start "Fix the linter warnings" --check "npm run lint" --protect "tests/**" -- --model opus',
  ],
  run: [
    `dacapo run "Fix the failing tests" --check "npm test" --allowed-tools "${chosenNames().tool}" ` +
      '--max-cost 5',
    'dacapo run --prompt-file PROMPT.md --features feature_list.json --commit --max-iterations 30',
    'git log -5 | dacapo run - --check "make test" --worktree',
    'dacapo run --loop RALPH_20260105_abc123 --model opus',
  ],
  worker: [
    'dacapo worker --capacity 2',
    'dacapo worker --labels linux,gpu --accept "https://example.org/team/*"',
  ],
  fleet: [
    'dacapo fleet list',
    'dacapo fleet cancel RALPH_20260105_abc123',
    'dacapo fleet answer ask-abc123-1 "Use the second one."',
  ],
  'fleet submit': [
    'dacapo fleet submit "Fix the failing tests" --repo https://example.org/project.git --ref main ' +
      '--check "npm test" --commit',
    'dacapo fleet submit "Fix this issue, with a test for it." --repo . --items todo.md --loops 5 ' +
      '--check "make test"',
  ],
  ready: [
    'dacapo ready "Fix the failing tests" --check "npm test"',
    'dacapo ready --prompt-file PROMPT.md --completion-promise "ALL DONE"',
    `dacapo ready ${LOOP_FOLDER}`,
  ],
  adopt: ['dacapo adopt', `dacapo adopt ${LOOP_FOLDER}`],
  status: ['dacapo status', 'dacapo status abc123', 'dacapo status --all --json'],
  list: ['dacapo list', 'dacapo list --all'],
  watch: ['dacapo watch', 'dacapo watch --all', 'dacapo watch abc123'],
  ui: ['dacapo ui', 'dacapo ui --port 8377 --no-open'],
  stats: ['dacapo stats', 'dacapo stats --all --json'],
  report: ['dacapo report', 'dacapo report abc123 -o report.html', 'dacapo report abc123 --json'],
  logs: ['dacapo logs -f', 'dacapo logs abc123 --agent', 'dacapo logs --hook'],
  explain: ['dacapo explain', 'dacapo explain abc123'],
  features: ['dacapo features', 'dacapo features feature_list.json'],
  hooks: [
    `dacapo hooks add '{"type": "max-files", "files": 20}' --name few-files`,
    'dacapo hooks disable few-files',
    'dacapo hooks --metrics',
  ],
  checkpoints: ['dacapo checkpoints', 'dacapo checkpoints abc123 --json'],
  approvals: ['dacapo approvals', 'dacapo approvals --all --json'],
  approve: [
    'dacapo approve ask-abc123-1',
    'dacapo approve ask-abc123-1 --note "Only to the staging server."',
  ],
  reject: ['dacapo reject ask-abc123-1 --note "Not before the tests of the parser pass."'],
  answer: ['dacapo answer ask-abc123-2 "Take the blue one."'],
  cancel: ['dacapo cancel', 'dacapo cancel abc123', 'dacapo cancel --all'],
  pause: ['dacapo pause', 'dacapo pause abc123'],
  steer: ['dacapo steer abc123 "Leave the old API alone for now."'],
  amend: [
    'dacapo amend --check "npm run lint"',
    'dacapo amend abc123 --max-iterations 40 --max-cost 10',
    'dacapo amend --remove-check "npm test" --check "npm test -- --run"',
  ],
  resume: [
    'dacapo resume',
    'dacapo resume abc123 --max-iterations 40',
    'dacapo resume abc123 --checkpoint 2',
  ],
  rollback: [
    'dacapo rollback                 list the states to return to',
    'dacapo rollback 3 --dry-run     show what a return to iteration 3 would change',
    'dacapo rollback 3',
  ],
  init: ['dacapo init --dry-run', 'dacapo init', 'dacapo init --scope user --statusline'],
  uninstall: ['dacapo uninstall --dry-run', 'dacapo uninstall --scope user'],
  trust: ['dacapo trust', 'dacapo trust --remove'],
  notify: [
    'dacapo notify                                show who is notified, and of what',
    'dacapo notify --test                         send all of them a test',
    'dacapo notify --test desktop                 only to this one',
    'dacapo notify --test https://ntfy.sh/topic   to a URL that is not in the config yet',
  ],
  doctor: ['dacapo doctor', 'dacapo doctor --probe'],
  demo: ['dacapo demo', 'dacapo demo --agent scripted'],
  prune: ['dacapo prune --dry-run', 'dacapo prune --older-than 7d', 'dacapo prune --all'],
  hook: ['dacapo hook --protocol exit-code < event.json'],
  mcp: [
    'dacapo mcp                    for a client that starts it itself',
    'dacapo mcp --http --json      for a client that connects over HTTP',
  ],
  statusline: ['dacapo statusline --own "~/bin/my-status-line"'],
  completion: ['eval "$(dacapo completion bash)"     in ~/.bashrc', 'dacapo completion fish | source'],
};

export function examplesOf(command: string): string[] {
  const lines = EXAMPLES[command]?.flatMap((line) =>
    fitLine(`  ${line}`, screenWidth(), EXAMPLE_INDENT_COLUMNS),
  );
  return lines === undefined ? [] : [['Examples:', ...lines].join('\n')];
}
