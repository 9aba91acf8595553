/** Reads the command line and runs the command. A command is loaded when it is called: `dacapo status` starts fast. */
import { version } from '../process/package.ts';
import { ANSWERS } from './answer/commands.ts';
import { BEGINNINGS } from './begin/commands.ts';
import { flagsOf, readGiven, type Group } from './command.ts';
import { LOOKS } from './look/commands.ts';
import { enclosingProject } from './project.ts';
import { FOR_PROGRAMS, HOUSEKEEPING } from './setup/commands.ts';
import { CONTROLS } from './steer/commands.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { fail, say, beforeDashes } from './terminal/terminal.ts';

/** In the order of the help. */
const GROUPS: readonly Group[] = [BEGINNINGS, LOOKS, ANSWERS, CONTROLS, HOUSEKEEPING, FOR_PROGRAMS];
const COMMANDS = GROUPS.flatMap(({ commands }) => commands);

export async function runProgram(first: string | undefined, words: readonly string[]): Promise<number> {
  if (first === undefined && enclosingProject() !== null)
    return (await import('./look/overview.ts')).runOverview();
  const isAll = words.includes('all');
  const isHelp = first === undefined || ['help', '--help', '-h'].includes(first);
  const name = isHelp ? words.find((word) => word !== 'all') : first;
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    if (name === '--version' || name === '-V') return show(version());
    if (name === undefined || (isHelp && first !== 'help'))
      return show((await import('./terminal/help.ts')).programHelp(GROUPS, isAll));
    return name.startsWith('-')
      ? failUsage(`unknown option '${name}'.`, 'dacapo', name, ['--version'])
      : failUnknown(name);
  }
  const asked = command.takesPrompt
    ? beforeDashes(words).filter((word) => /^(?:--help|-h)$/.test(word))
    : words;
  const wish = readGiven(command, isHelp ? ['--help'] : asked);
  if (!wish.ok) {
    const flags = flagsOf(command).map(({ long }) => `--${long}`);
    return failUsage(wish.message, `dacapo ${name}`, wish.next, flags);
  }
  switch (wish.value.is) {
    case 'help':
      return show((await import('./terminal/help.ts')).commandHelp(command, isAll));
    case 'version':
      return show(version());
    case 'run':
      return command.run(wish.value.given, { words, commands: COMMANDS });
  }
}

function show(text: string): number {
  say(text);
  return EXIT.ok;
}

async function failUnknown(name: string): Promise<number> {
  const known = [...COMMANDS.map((one) => one.name), 'help'];
  return fail(
    `there is no command ${JSON.stringify(name.slice(0, 60))}.`,
    `${await didYouMean(name, known, 'dacapo ')}dacapo --help all lists all commands.`,
    EXIT.usage,
  );
}

/** `typed`: a flag that `known` does not have; empty if something else is wrong. */
async function failUsage(what: string, of: string, typed: string, known: readonly string[]): Promise<number> {
  return fail(what, `${await didYouMean(typed, known)}${of} --help shows what it takes.`, EXIT.usage);
}

async function didYouMean(typed: string, known: readonly string[], before = ''): Promise<string> {
  const { nearest } = await import('../flags/did-you-mean.ts');
  const meant = typed === '' ? null : nearest(typed, known);
  return meant === null ? '' : `did you mean ${before}${meant}? `;
}
