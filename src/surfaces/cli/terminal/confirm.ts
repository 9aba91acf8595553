/** A question with yes or no, for a person at a terminal. */
import { createInterface } from 'node:readline/promises';
import { out } from './output.ts';
import { printLines } from './terminal.ts';

/** Somebody is there to be asked. */
export function isConversation(json: boolean): boolean {
  return !json && process.stdin.isTTY && out.isScreen();
}

/** `otherwise`: what Enter alone means. */
export async function confirm(question: string, otherwise: boolean): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: out.stream() });
  // Ctrl-D and Ctrl-C close it without an answer: that is no yes.
  const closed = new Promise<string>((answer) => terminal.once('close', () => answer('no')));
  try {
    for (;;) {
      const asked = terminal.question(`${question} ${otherwise ? '[Y/n]' : '[y/N]'} `);
      const answer = await Promise.race([asked, closed]);
      if (/^\s*$/.test(answer)) return otherwise;
      if (/^\s*(?:y|yes)\s*$/i.test(answer)) return true;
      if (/^\s*(?:n|no)\s*$/i.test(answer)) return false;
      printLines('Please answer y or n.');
    }
  } finally {
    terminal.close();
  }
}
