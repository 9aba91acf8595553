/** How a command that a person gave as words becomes a process, without a shell where that is possible. */
import { namedProgram } from '../files/paths.ts';

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  /** Windows only: the arguments are quoted already. */
  readonly verbatim: boolean;
}

/** Windows starts `.cmd` and `.bat`, npm's usual wrappers, only by its shell. */
export function toStart(
  [word = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): Start {
  const found = platform === 'win32' ? namedProgram(word, env, platform) : null;
  if (found === null || !/\.(?:cmd|bat)$/i.test(found))
    return { program: found ?? word, args, verbatim: false };
  const line = [found, ...args].map(quotedForCmd).join(' ');
  // With /s, cmd.exe takes off exactly the outer pair of quotes. With /d it runs no commands of the registry.
  return { program: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Between quotes cmd.exe obeys only `%`, and a wrapper passes the words on as they are. */
function quotedForCmd(word: string): string {
  return /^[\w.:\\/=@+,-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
