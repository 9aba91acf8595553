/**
 * While a block of lines is redrawn in place, the terminal must not echo what a person types into it. Only
 * the echo is off: Ctrl-C and Ctrl-Z work as always, and what is typed waits for the shell. Node puts the
 * terminal back at its end, also after a signal, and a shell does so for a job that was killed.
 */
import { spawnSync } from 'node:child_process';
import { isForeground } from './full-terminal.ts';

const STTY_MS = 5_000;

/** Returns what shows the echo again. */
export function hideEcho(): () => void {
  const { stdin, stdout, platform } = process;
  if (platform === 'win32' || !stdin.isTTY || !stdout.isTTY) return () => undefined;
  const before = isForeground() ? stty('-g') : '';
  const hide = (): void => void (before !== '' && isForeground() && stty('-echo'));

  hide();
  // The shell had the terminal meanwhile.
  process.on('SIGCONT', hide);
  return () => {
    process.off('SIGCONT', hide);
    if (before !== '' && isForeground()) stty(before);
  };
}

/** Empty where there is no such program: then the echo stays. */
function stty(word: string): string {
  const { stdout } = spawnSync('stty', [word], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: STTY_MS,
  });
  return (stdout || '').trim();
}
