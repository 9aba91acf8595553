/**
 * How the command line behaves as a program among others: pipes that close, signals, terminals, following.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openShell, type Shell } from './shell.ts';

const shells: Shell[] = [];
afterEach(() => shells.splice(0).forEach((shell) => shell.close()));

function newShell(): Shell {
  const shell = openShell();
  shells.push(shell);
  return shell;
}

/** What it has printed, as it comes. */
function listen(child: ReturnType<Shell['start']>) {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return {
    output: () => output,
    until: async (wanted: string) => {
      for (const end = Date.now() + 15_000; !output.includes(wanted); await sleep(20))
        if (Date.now() > end) throw new Error(`${wanted} never came:\n${output}`);
    },
  };
}

test('logs -f shows events as they come, and ends with the loop', async () => {
  const shell = newShell();
  await shell.type('agent ralph "Fix it"');
  const follower = shell.start('dacapo logs -f');
  const closed = once(follower, 'close');
  const heard = listen(follower);
  await heard.until('viewed');
  await shell.type('agent says "Not yet."');
  await heard.until('continue: the promise');
  await shell.type('agent says "<promise>COMPLETE</promise>"');
  const [exit] = await closed;
  expect(exit).toBe(0);
  expect(heard.output()).toMatch(/complete: the gates hold\nDa Capo: loop \S+ completed after 2 iterations/);
});

test('logs -f of a loop that has ended ends at once', async () => {
  const shell = newShell();
  await shell.type('agent ralph "Fix it"; dacapo cancel');
  const { output, exit } = await shell.type('dacapo logs -f | tail -1');
  expect({ output, exit }).toEqual({
    output: expect.stringContaining('cancelled after 0 iterations'),
    exit: 0,
  });
});

test('logs --hook -f follows the log of the hook', async () => {
  const shell = newShell();
  await shell.type('agent ralph "Fix it"; agent says "Not yet."');
  const follower = shell.start('exec dacapo logs --hook -f');
  const heard = listen(follower);
  await heard.until('verdict=continue');
  await shell.type('agent says "<promise>COMPLETE</promise>"');
  await heard.until('verdict=complete');
  follower.kill('SIGINT');
  const [exit] = await once(follower, 'close');
  expect(exit).toBe(0);
});

test('Ctrl-C ends logs -f without a word', async () => {
  const shell = newShell();
  await shell.type('agent ralph "Fix it"');
  const follower = shell.start('exec dacapo logs -f');
  const heard = listen(follower);
  await heard.until('viewed');
  const before = heard.output();
  follower.kill('SIGINT');
  await once(follower, 'close');
  expect(heard.output()).toBe(before);
});

test('a reader that has seen enough is not an error', async () => {
  const shell = newShell();
  await shell.type('for i in 1 2 3; do SESSION=s$i agent ralph "Loop $i"; done');
  const { output, exit } = await shell.type('{ dacapo list; echo "exit $?" >&2; } | head -1');
  expect(output).toMatch(/LOOP .*\n/);
  expect(output).toContain('exit 0');
  expect(exit).toBe(0);
  // Nobody reads at all, so that the writer meets the closed end for sure.
  const unread = await shell.type('{ sleep 0.5; dacapo status --json; echo "exit $?" >&2; } | true');
  expect(unread.output).toBe('exit 0\n');
});

test('output that can not be written is said in one line', async () => {
  const shell = newShell();
  if ((await shell.type('test -w /dev/full')).exit !== 0) return;
  const { output, exit } = await shell.type('dacapo --help >/dev/full');
  expect(output).toMatch(/^error: the output could not be written: .*ENOSPC.*\nnext: .*\n$/);
  expect(exit).toBe(1);
});

test('no colour in a pipe, whatever CI says; colour on a terminal, unless NO_COLOR', async () => {
  const shell = newShell();
  await shell.type('agent ralph "Fix it"');
  const escape = '\u001b[';
  expect((await shell.type('CI=1 FORCE_COLOR=1 dacapo list')).output).not.toContain(escape);
  if ((await shell.type('command -v script')).exit !== 0) return;
  const onTerminal = (command: string) =>
    shell.type(`TERM=xterm-256color script -qec '${command}' /dev/null </dev/null`);
  expect((await onTerminal('dacapo list')).output).toContain(escape);
  expect((await onTerminal('NO_COLOR=1 dacapo list')).output).not.toContain(escape);
});

test('what others wrote can not command the terminal', async () => {
  const shell = newShell();
  shell.write('prompt.md', 'Fix \u001b]0;owned\u0007it \u001b[2J now');
  await shell.type('dacapo ready --prompt-file prompt.md');
  const { output } = await shell.type('dacapo list; dacapo status; dacapo logs; dacapo explain');
  expect(output).not.toContain('\u001b');
  expect(output).not.toContain('\u0007');
});
