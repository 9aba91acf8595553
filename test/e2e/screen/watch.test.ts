// @module-tag tmux
/**
 * `dacapo watch` in tmux: what a person sees at 80×24 and at 200×60, what keys do, and how the terminal is
 * left.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, test } from 'vitest';
import type { Loop } from '#law/loop.ts';
import type { Definition } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import { nextRequestId } from '#law/waiting/requests.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { keepPrompt } from '#store/prompts.ts';
import { hash } from '#base/hash.ts';
import { bound, check, claim, created, proof, PROMISE, verdict } from '../../law/given.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';
import { openScreen, type Screen } from './screen.ts';
import { until } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
const FAILED = { is: 'failed', exit: 1, tail: 'FAIL parser.test.ts' } as const;
const PARSER = 'RALPH_20260105_parser';
const OLD = 'RALPH_20260104_old';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Watched {
  readonly sandbox: Sandbox;
  readonly screen: Screen;
  readonly loop: (id?: string) => Loop;
  readonly write: (...events: Event[]) => void;
}

/**
 * A loop at work in a living session, one that was cancelled, and the view in a shell that stays afterwards.
 */
async function watch(size: readonly [number, number], args: readonly string[] = []): Promise<Watched> {
  const sandbox = makeSandbox({ url: 'http://127.0.0.1:9' });
  closers.push(sandbox.close);
  const store = fileStore(homeAt(sandbox.dacapoHome));
  const make = (
    id: string,
    task: string,
    definition: Partial<Definition>,
    events: readonly Event[],
  ): void => {
    const { definition: usual, ...rest } = created({ prompt: hash(task), ...definition });
    const event = { ...rest, id, project: sandbox.project, at: ago(10), definition: usual };
    const open = store.make(event, ({ blobs }) => void keepPrompt(blobs, task));
    if (open === 'taken') throw new Error('taken');
    for (const one of events) open.write(one);
    open.keep();
    open.close();
  };
  make(
    PARSER,
    'Make the parser handle nested lists.',
    { gates: [PROMISE, check('npm test')], iterations: 20 },
    [
      { ...bound(), at: ago(9), session: 's1', process: process.pid },
      { ...claim(1), at: ago(8) },
      { ...verdict(1), at: ago(7) },
    ],
  );
  make(OLD, 'Try the new bundler.', {}, [{ type: 'cancelled', at: ago(5), by: 'terminal', prompt: null }]);
  const open = store.open(PARSER);
  if (open === null) throw new Error('no loop');
  closers.push(open.close);
  const run = `exec sh -c 'echo $$ > ../pid; exec "$0" "$@"' '${process.execPath}' '${CLI}' watch ${args.join(' ')}`;
  // Its clock shows noon, so that no hour of the day changes what is shown.
  const line = `export TZ=X${new Date().getUTCHours() - 12}; echo before; (${run}); echo "exit $?"; exec cat`;
  const screen = await openScreen(sandbox, [], { program: ['sh', '-c', line], size, ready: /Da Capo/ });
  closers.push(screen.kill);
  return {
    sandbox,
    screen,
    loop: (id = PARSER) => {
      const found = store.open(id);
      if (found === null) throw new Error('no loop');
      found.close();
      return found.loop();
    },
    write: (...events) => {
      for (const event of events) open.write(event);
      open.keep();
    },
  };
}

/** All of it since the machine was started: a session of before would be gone. */
function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

function now(): string {
  return new Date().toISOString();
}

/** The second iteration: a claim that a check contradicts. */
function refused(): Event[] {
  return [
    { ...claim(2), at: now() },
    {
      ...verdict(2, {
        proofs: [proof('npm test', FAILED)],
        verdict: {
          is: 'continue',
          missing: [{ gate: 'check', name: null, command: 'npm test', outcome: 'failed with exit code 1' }],
          shells: [],
          capped: false,
          popped: [],
          item: null,
        },
        used: { costUsd: 0.84, tokens: 48_000 },
      }),
      at: now(),
    },
  ];
}

describe('the list', () => {
  test('at 80×24, live within a second', async () => {
    const { screen, write } = await watch([80, 24]);
    const seen = await screen.waitFor(/cancelled/);
    const rows = seen.split('\n');
    expect(rows[0]).toMatch(/^ Da Capo .* 1 at work · 1 ended +\d\d:\d\d:\d\d$/);
    expect(rows[2]).toMatch(/^ {4}STATUS {8}ITER {2}GATES {8}COST {4}TIME {2}TASK$/);
    expect(rows[3]).toMatch(/^▌ ● running {7}2\/20 {2}✗1 ·1 +9:\d\d {2}Make the parser handle nest…$/);
    expect(seen).toMatch(/– cancelled .*Try the new bundler\./);
    expect(rows[23]).toBe(' ↑↓ choose  Enter open  s steer  p pause  c cancel  ? help  q quit');
    const began = Date.now();
    write(...refused());
    await screen.waitFor(/● running {7}3\/20 {2}✓1 ✗1 {7}\$0\.84/, 2_000);
    // The bound is 1 s of the view, and some for tmux and the poll of this test.
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(await screen.screen()).toContain('npm test failed with exit code 1');
  });

  test('at 200×60, and again after the window shrinks', async () => {
    const { screen } = await watch([200, 60], ['--all']);
    const wide = await screen.waitFor(/cancelled/);
    expect(wide.split('\n')[2]).toMatch(/TIME {2}PROJECT {19}TASK$/);
    expect(wide).toMatch(/\/dc-\w+\/project +Make the parser handle nested lists\.$/m);
    expect(wide).toMatch(
      /─{199}\n {2}RALPH_20260105_parser {2}is running, iteration 2 of 20\n {2}task {5}Make the parser/,
    );
    await screen.resize(80, 24);
    await screen.waitFor((shown) => /Make the parser handle nest…/.test(shown) && !shown.includes('PROJECT'));
    await screen.resize(200, 60);
    await screen.waitFor(/PROJECT/);
  });

  test('finds, and shows help', async () => {
    const { screen } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    await screen.press('/');
    await screen.type('bundler');
    await screen.waitFor((shown) => !shown.includes('parser') && shown.includes('> bundler'));
    await screen.press('Enter');
    await screen.press('?');
    await screen.waitFor(/any key closes this/);
    await screen.press('x');
    await screen.press('Escape');
    await screen.waitFor(/parser/);
  });
});

describe('an open loop', () => {
  test('its story, its journal, and its agent as it works', async () => {
    const { screen, sandbox, write } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    await screen.press('Enter');
    const story = await screen.waitFor(/Iteration 1/);
    expect(story).toMatch(/ 1 story {4}2 journal {4}3 agent {4}4 proof/);
    write(...refused());
    await screen.waitFor(/Iteration 2 {2}claim refused/);
    await screen.waitFor(/✗ npm test failed with exit code 1/);
    await screen.press('2');
    await screen.waitFor(/verdict {6}continue: check `npm test` failed with exit code 1/);
    await screen.press('4');
    await screen.waitFor(/✗ npm test failed with exit code 1[^]*FAIL parser\.test\.ts/);
    await screen.press('3');
    await screen.waitFor(/nothing from the agent yet/);
    const folder = join(sandbox.home, '.claude', 'projects', 'p');
    mkdirSync(folder, { recursive: true });
    const said = (text: string) =>
      `${JSON.stringify({ type: 'assistant', timestamp: now(), message: { id: text, content: [{ type: 'text', text }] } })}\n`;
    writeFileSync(join(folder, 's1.jsonl'), said('I read the parser. <script>'));
    await screen.waitFor(/I read the parser\. <script>/);
    appendFileSync(join(folder, 's1.jsonl'), said('Now the tests.\u001b[2J'));
    await screen.waitFor(/I read the parser[^]*Now the tests\./);
    await screen.press('Escape');
    await screen.waitFor(/▌ {3}Now the tests\./);
  });

  test('is opened by its id, and goes away with it', async () => {
    const { screen, sandbox } = await watch([80, 24], ['parser']);
    await screen.waitFor(/Iteration 1/);
    fileStore(homeAt(sandbox.dacapoHome)).remove(PARSER);
    await screen.waitFor(/STATUS[^]*bundler/);
  });
});

describe('keys', () => {
  test('pause, resume and cancel, with a question before the last', async () => {
    const { screen, loop } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    await screen.press('p');
    await screen.waitFor(/✓ RALPH_20260105_parser paused after 1 iteration/);
    expect(loop().status).toMatchObject({ is: 'paused', by: 'terminal' });
    await screen.press('r');
    await screen.waitFor(/resumed; any prompt in its session continues it/);
    await screen.press('c');
    await screen.waitFor(/Cancel RALPH_20260105_parser\? Make the parser/);
    await screen.press('n');
    await screen.waitFor((shown) => !shown.includes('Cancel RALPH'));
    expect(loop().status.is).not.toBe('cancelled');
    await screen.press('c');
    await screen.press('y');
    await screen.waitFor(/RALPH_20260105_parser is cancelled/);
    expect(loop().status.is).toBe('cancelled');
  });

  test('steer, approve, reject and answer, each journaled as done in the view', async () => {
    const { screen, write, loop } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    await screen.press('s');
    await screen.type('Keep the API as it is, ä 👍');
    await screen.waitFor(/> Keep the API as it is, ä 👍/);
    await screen.press('Enter');
    await screen.waitFor(/the agent gets it with its next iteration/);
    expect(loop().people.steers).toMatchObject([{ words: 'Keep the API as it is, ä 👍' }]);

    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const ask = (kind: 'approval' | 'question', text: string): string => {
      const id = nextRequestId(loop());
      const call = kind === 'approval' ? { tool: 'Bash', digest: id } : { tool: null, digest: null };
      write({ type: 'requested', at: now(), id, kind, what: { ...call, text }, why: 'a rule', expires });
      return id;
    };
    const push = ask('approval', 'git push origin main');
    await screen.waitFor(/▌ ! .*\n▌ {3}approve\? git push origin main/);
    await screen.press('a');
    await screen.waitFor(/Approve: git push origin main \(a rule\)/);
    await screen.press('y');
    await screen.waitFor(new RegExp(`${push} is approved`));
    expect(answerOf(loop(), push)).toMatchObject({ is: 'approved', by: 'view' });

    const remove = ask('approval', 'rm -rf ../other');
    await screen.waitFor(/approve\? rm -rf/);
    await screen.press('x');
    await screen.type('never');
    await screen.press('Enter');
    await screen.waitFor(new RegExp(`${remove} is rejected`));
    expect(answerOf(loop(), remove)).toMatchObject({ is: 'rejected', note: 'never', by: 'view' });

    const port = ask('question', 'Which port?');
    await screen.waitFor(/answer\? Which port\?/);
    await screen.press('a');
    await screen.type('8080');
    await screen.press('Enter');
    await screen.waitFor(new RegExp(`${port} is answered`));
    expect(answerOf(loop(), port)).toMatchObject({ is: 'text', note: '8080' });
  });
});

function answerOf({ people: { requests } }: Loop, id: string): unknown {
  return requests.find((request) => request.id === id)?.answer;
}

describe('the terminal is left as it was', () => {
  const restored = /^before\nexit (\d+)$/m;

  test.each(['q', 'C-c'])('after %s', async (key) => {
    const { screen } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    await screen.press(key);
    expect(restored.exec(await screen.waitFor(restored))?.[1]).toBe('0');
    // The keys are the shell's again: it echoes them.
    await screen.type('typed afterwards');
    await screen.waitFor(/typed afterwards/);
  });

  test('after a signal', async () => {
    const { screen, sandbox } = await watch([80, 24]);
    await screen.waitFor(/cancelled/);
    process.kill(Number(readFileSync(join(sandbox.root, 'pid'), 'utf8')), 'SIGTERM');
    await screen.waitFor(restored);
  });

  test('after a crash, with the error in sight', async () => {
    const sandbox = makeSandbox({ url: 'http://127.0.0.1:9' });
    closers.push(sandbox.close);
    const program = join(sandbox.root, 'crash.mjs');
    const contents = `
      import { takeTerminal } from '#surfaces/cli/terminal/full-terminal.ts';
      const never = () => undefined;
      takeTerminal({ bytes: never, fresh: never, end: never });
      process.stdout.write('on the alternate screen');
      setTimeout(() => { throw new Error('a bug of ours'); }, 500);
    `;
    const stdin = {
      contents,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    } as const;
    await build({
      stdin,
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'error',
    });
    const line = `echo before; '${process.execPath}' '${program}'; echo "exit $?"; exec cat`;
    const screen = await openScreen(sandbox, [], {
      program: ['sh', '-c', line],
      size: [80, 24],
      ready: /alternate/,
    });
    closers.push(screen.kill);
    const seen = await screen.waitFor(/exit 1/);
    expect(seen).toMatch(/^before\nError: a bug of ours/m);
    expect(seen).not.toContain('alternate screen');
  });
});

test('a thousand loops are shown, and move under the keys', async () => {
  const { screen, sandbox } = await watch([80, 24]);
  const store = fileStore(homeAt(sandbox.dacapoHome));
  for (let n = 0; n < 1_000; n++) {
    const open = store.make(
      { ...created(), id: `MANY_${n}`, project: sandbox.project, at: now() },
      () => undefined,
    );
    if (open !== 'taken') open.close();
  }
  await screen.waitFor(/1001 at rest|1000 at rest/, 20_000);
  await screen.press('End');
  await screen.waitFor(/▌ – cancelled .*bundler/);
  await screen.press('Home');
  await screen.waitFor(/▌ /);
  await until(async () => /^▌/m.test(await screen.screen()), 'the choice');
});
