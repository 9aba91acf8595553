/** Turns an error of the parser into our form: what is wrong, and the next step. */
import type { Command, CommanderError } from 'commander';
import { nearest } from '../../flags/did-you-mean.ts';
import { EXIT } from './exit-codes.ts';
import { fail } from './terminal.ts';

export function usageError(error: CommanderError, command: string | undefined, program: Command): number {
  // The person asked for the help or the version, and has seen it.
  if (error.exitCode === 0) return EXIT.ok;
  const names = program.commands.map((known) => known.name());
  const asked = [...names, 'help'];
  if (error.code === 'commander.unknownCommand' && command !== undefined)
    return fail(
      `there is no command ${JSON.stringify(command.slice(0, 60))}.`,
      `${didYouMean(command, asked, 'dacapo ')}dacapo --help lists all commands.`,
      EXIT.usage,
    );
  const [what = ''] = error.message.replace(/^error: /, '').split('\n');
  const of = command !== undefined && names.includes(command) ? `dacapo ${command}` : 'dacapo';
  return fail(
    what.endsWith('.') ? what : `${what}.`,
    `${flagMeant(error, command, program)}${of} --help shows what it takes.`,
    EXIT.usage,
  );
}

function flagMeant({ code, message }: CommanderError, command: string | undefined, program: Command): string {
  const typed = code === 'commander.unknownOption' ? /'([^']*)'/.exec(message)?.[1] : undefined;
  const owner = program.commands.find((known) => known.name() === command) ?? program;
  const flags = owner.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));
  return typed === undefined ? '' : didYouMean(typed, flags);
}

function didYouMean(typed: string, known: readonly string[], before = ''): string {
  const meant = nearest(typed, known);
  return meant === null ? '' : `did you mean ${before}${meant}? `;
}
