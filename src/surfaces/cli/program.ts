/**
 * Reads the command line and runs the command. Commands that people do not type all day are loaded when
 * called.
 */
import { nearest } from '#base/words/did-you-mean.ts';
import { isForPeople } from '#input/audience.ts';
import type { Refusal } from '#base/refusal.ts';
import { refuseToAgents } from '#engine/trust/people-only.ts';
import { version, VERSION_WORDS } from '#base/process/package.ts';
import { whyNotHome, findHome } from '#store/file/home.ts';
import { ANSWER_COMMANDS } from './answer/commands.ts';
import { BEGINNINGS } from './begin/commands.ts';
import { readGiven } from '#input/words.ts';
import type { CommandCall, Command } from './command.ts';
import { LOOKS } from './look/commands.ts';
import { cliRuntime } from './context.ts';
import { enclosingProject } from './enclosing-project.ts';
import { FOR_PROGRAMS, HOUSEKEEPING } from './setup/commands.ts';
import { FLEET } from './fleet/commands.ts';
import { CONTROLS } from './steer/commands.ts';
import { outputErrors } from './terminal/output.ts';
import { EXIT, fail, failFor, printLines, failUsage } from './terminal/terminal.ts';
import { codeOf, errorMessage } from '#base/shape.ts';

const GROUPS = [BEGINNINGS, LOOKS, ANSWER_COMMANDS, CONTROLS, FLEET, HOUSEKEEPING, FOR_PROGRAMS];
const COMMANDS = GROUPS.flatMap(({ commands }) => commands);

export async function runProgram(command: string | undefined, words: readonly string[]): Promise<number> {
  // A reader may close the pipe early (`dacapo list | head -1`). That is not an error.
  outputErrors.listener = (error, stream) => {
    // Another listener has work under way and ends it first.
    if (stream.listenerCount('error') > 1) return;
    process.exit(
      error.code === 'EPIPE'
        ? (process.exitCode ?? EXIT.ok)
        : fail(
            `the output could not be written: ${error.message}`,
            'check where the output goes, and try again.',
          ),
    );
  };
  try {
    const why = process.env['DACAPO_HOME'] ? whyNotHome(process.env, enclosingProject()) : null;
    if (why === null) return await runCommand(command, words);
    return failUsage(
      `DACAPO_HOME ${why}: ${JSON.stringify(process.env['DACAPO_HOME'])}.`,
      'set it to an absolute path of your own, outside of any project.',
    );
  } catch (error) {
    return failUnforeseen(error);
  }
}

async function runCommand(first: string | undefined, words: readonly string[]): Promise<number> {
  if (first === undefined && enclosingProject() !== null)
    return (await import('./look/status/overview.ts')).runOverview(callWith([]));
  const wish = wishOf(first, words);
  const command = COMMANDS.find(({ name }) => name === wish.name);
  if (command !== undefined)
    return command.inner === undefined
      ? runOne(command, wish, words)
      : runInner(command, await command.inner(), wish.isHelp ? ['help', ...wish.more] : words);
  const { name } = wish;
  if (name !== undefined && VERSION_WORDS.includes(name)) return printText(version());
  if (name === undefined)
    return printText((await import('./terminal/help.ts')).programHelp(GROUPS, wish.isAll));
  return name.startsWith('-')
    ? failFlagFirst(name, words, COMMANDS, 'dacapo')
    : failUnknown(name, COMMANDS, 'dacapo --help all lists all commands.');
}

/** Flags follow the command that they are for. */
function failFlagFirst(
  flag: string,
  words: readonly string[],
  commands: readonly Command[],
  outer: string,
): number {
  const said = words.find((word) => commands.some(({ name }) => `dacapo ${name}` === `${outer} ${word}`));
  const meant = said === undefined ? nearest(flag, ['--version', '--help']) : null;
  const guess = meant === null ? '' : `did you mean ${meant}? `;
  return failUsage(
    `${flag.slice(0, 60)} is not a flag of ${outer}.`,
    said === undefined
      ? `${guess}${outer} --help lists its commands.`
      : `flags follow their command: ${outer} ${said} ${flag.slice(0, 60)}`,
  );
}

type CommandWish = ReturnType<typeof wishOf>;

/** A command, or its help. `more`: what follows its name. */
function wishOf(first: string | undefined, words: readonly string[]) {
  const isAll = words.includes('all');
  const isHelp = first === undefined || ['help', '--help', '-h'].includes(first);
  const [name, ...more] = isHelp ? words.filter((word) => word !== 'all') : [first, ...words];
  return { name, isHelp, isAll, more };
}

async function runInner(
  outer: Command,
  commands: readonly Command[],
  [first, ...words]: readonly string[],
): Promise<number> {
  const wish = wishOf(first, words);
  if (wish.name === undefined)
    return printText((await import('./terminal/help.ts')).innerHelp(outer, commands));
  const name = `${outer.name} ${wish.name}`;
  const command = commands.find((one) => one.name === name);
  if (wish.name.startsWith('-')) return failFlagFirst(wish.name, words, commands, `dacapo ${outer.name}`);
  return command === undefined
    ? failUnknown(name, commands, `dacapo ${outer.name} --help lists its commands.`)
    : runOne(command, wish, words);
}

async function runOne(
  command: Command,
  { isHelp, isAll }: CommandWish,
  words: readonly string[],
): Promise<number> {
  const wish = readGiven(command, isHelp ? ['--help'] : words);
  switch (wish.is) {
    case 'help':
      return printText((await import('./terminal/help.ts')).commandHelp(command, isAll));
    case 'version':
      return printText(version());
    case 'wrong':
      return failWrong(wish.refusal, command, words);
    case 'run': {
      const refusal = refuseToAgents(`dacapo ${command.name}`, process.env);
      if (refusal !== null && isForPeople(command.name, wish.ours)) return failFor(refusal);
      return command.run(wish.given, callWith(words));
    }
  }
}

function callWith(words: readonly string[]): CommandCall {
  return { words, commands: COMMANDS, runtime: cliRuntime() };
}

function printText(text: string): number {
  printLines(text);
  return EXIT.ok;
}

/** Words of other programs for what a command of ours does. */
const MEANT: Readonly<Record<string, string>> = {
  abort: 'cancel',
  begin: 'start',
  continue: 'resume',
  delete: 'prune',
  history: 'logs',
  install: 'init',
  kill: 'cancel',
  ls: 'list',
  new: 'start',
  ps: 'list',
  restart: 'resume',
  retry: 'resume',
  rm: 'prune',
  setup: 'init',
  show: 'status',
  stop: 'cancel',
  tail: 'logs',
  undo: 'rollback',
  web: 'ui',
};

function failUnknown(name: string, commands: readonly Command[], next: string): number {
  const known = [...commands.map((one) => one.name), 'help'];
  const what = `there is no command ${JSON.stringify(name.slice(0, 60))}.`;
  const near = (Object.hasOwn(MEANT, name) && MEANT[name]) || nearest(name, known);
  return failUsage(what, `${near === null ? '' : `did you mean dacapo ${near}? `}${next}`);
}

/**
 * `words`: what was typed behind the command. One may be a command that was typed like a flag:
 * `status --watch`.
 */
function failWrong(refusal: Refusal, { name }: Command, words: readonly string[]): number {
  // Who knows the flag needs to hear of its value only.
  const isKnown = !['unknown-flag', 'too-many-arguments'].includes(refusal.code);
  const meant = isKnown ? undefined : COMMANDS.find((one) => words.includes(`--${one.name}`));
  const advice = meant === undefined ? refusal.next : `Did you mean dacapo ${meant.name}?`;
  const help = isKnown ? '' : ` dacapo ${name} --help shows what it takes.`;
  return failFor({ ...refusal, next: `${advice}${help}`.trim() }, EXIT.usage);
}

const CAUSES: Readonly<Record<string, { readonly what: string; readonly next: string }>> = {
  EACCES: { what: "can't be read or written: permission denied", next: 'fix its owner or permissions' },
  EPERM: { what: "can't be changed: permission denied", next: 'fix its owner or permissions' },
  EROFS: { what: "can't be written: the disk is read-only", next: 'use a folder that you can write to' },
  ENOTDIR: { what: "can't be used: a part of its path is not a folder", next: 'move that file away' },
  ENOSPC: { what: "can't be written: the disk is full", next: 'free some space' },
};

/** An error that no command expected. If the disk is the cause, it says so and what to do about it. */
function failUnforeseen(error: unknown): number {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return fail('the current folder no longer exists.', 'change to another folder, and try again.');
  const code = codeOf(error);
  const path =
    error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  // A write to a full disk names no file.
  const known = path !== null || code === 'ENOSPC' ? CAUSES[code] : undefined;
  if (known === undefined)
    return fail(errorMessage(error), 'this error is unexpected; dacapo doctor may find the cause.');
  const elsewhere = mayBeHome(path)
    ? ' DACAPO_HOME names another state folder; dacapo doctor checks it.'
    : '';
  return fail(`${path ?? 'a file'} ${known.what} (${code}).`, `${known.next}, and try again.${elsewhere}`);
}

/** Whether the path is in the state folder, or around it where it can't be made. */
function mayBeHome(path: string | null): boolean {
  const { dir } = findHome(process.env, process.platform);
  return path === null || path.startsWith(dir) || dir.startsWith(path);
}
